"""The experiments: what measures the guard, fits its numbers, or tries to deceive it.

python -m scripts.lab               # lists them
python -m scripts.lab NAME --help
"""

from __future__ import annotations

import ast
import importlib
import sys
from pathlib import Path

from scripts.lab.corpora import run_main

HERE = Path(__file__).parent


def experiments() -> dict[str, str]:
    """Return what each experiment does, by its name: what has a ``main``."""
    found = {}
    for path in (*HERE.glob("*.py"), *HERE.glob("*/__main__.py")):
        text = path.read_text(encoding="utf-8")
        if path != HERE / "__main__.py" and "\ndef main(" in text:
            name = path.parent.name if path.stem == "__main__" else path.stem
            found[name] = (ast.get_docstring(ast.parse(text)) or "").partition("\n")[0]
    return dict(sorted(found.items()))


def main() -> None:
    """List the experiments, or run one."""
    known, name = experiments(), sys.argv[1] if len(sys.argv) > 1 else ""
    if name in known:
        sys.argv = [f"python -m scripts.lab {name}", *sys.argv[2:]]
        package = (HERE / name).is_dir()
        module = importlib.import_module(f"scripts.lab.{name}{'.__main__' if package else ''}")
        run_main(module.main)
    print("\n".join(f"{each:16} {says}" for each, says in known.items()))
    sys.exit(f"error: there is no experiment {name!r}" if name else 0)


if __name__ == "__main__":
    main()
