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
DOCS := $(wildcard README.md docs/*.md docs/internals/*.md)

# Answers do not depend on the developer's environment.
export LITELLM_LOCAL_MODEL_COST_MAP := True
export PIP_DISABLE_PIP_VERSION_CHECK := 1
# Two threads for a product of small matrices are no faster, and take another worker's core.
export OPENBLAS_NUM_THREADS := 1

MAKEFLAGS += --no-print-directory
.DEFAULT_GOAL := help
.PHONY: help setup lint types arch test cover docs site wheel eval lint-golden baseline requirements demo chat bench e2e journeys \
	test-live lock clean

help:
	@grep -hE '^[a-z0-9-]+:.*## ' Makefile | awk -F ':.*## ' '{ printf "  make %-15s %s\n", $$1, $$2 }'

setup: $(STAMP) ## Make .venv and install (the others call it; does nothing when up to date)

# The pip of the lock first: that of Python 3.11 takes newer packages than are locked where one asks for extras.
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
	awk '/^[^ #]/ { ours = /^pip==/ } ours' requirements.lock > $(VENV)/pip.txt; \
	$(BIN)/python -m pip install --quiet --require-hashes --requirement $(VENV)/pip.txt; \
	$(BIN)/python -m pip install --quiet --require-hashes --requirement requirements.lock; \
	$(BIN)/python -m pip install --quiet --no-deps --no-build-isolation --editable .; \
	rm -f $(VENV)/.ready-*; touch $@; \
	echo "==> Ready: $(BIN)/elysia-guard"

lint: setup ## Check style, formatting and spelling (FIX=1: mend first what can be mended)
	@echo "==> ruff, codespell"
	@$(if $(FIX),$(BIN)/ruff check --fix-only --quiet . && $(BIN)/ruff format .,true)
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check --quiet . || { echo "not formatted; run: make lint FIX=1" >&2; exit 1; }
	@$(BIN)/codespell

types: setup ## Check the types (mypy, strict)
	@echo "==> mypy"
	@$(BIN)/mypy src $(wildcard tests/typing)

arch: setup ## Check who imports whom
	@echo "==> import-linter"
	@$(BIN)/lint-imports || { echo "an import points the wrong way; the contracts stand in pyproject.toml" >&2; exit 1; }

# A word is looked for in the names of the modules: only those are collected.
test: setup ## Run the tests; of one area: T=ingest (a word in the names of modules) or T=tests/host (a path)
	@echo "==> pytest"
	@$(if $(T),$(BIN)/pytest -q $(or $(wildcard $(T)),$(shell find tests -name 'test_*$(T)*.py'),$(error \
		no module of the tests has '$(T)' in its name)),$(BIN)/pytest -q -n 2 --dist loadscope --junit-xml=build/tests.xml)

cover: setup ## Run the tests and measure what they cover
	@echo "==> pytest with branch coverage"
	@$(BIN)/pytest -q --cov --cov-report=
	@$(BIN)/coverage report
	@$(BIN)/coverage report --fail-under=100 \
		--include='*/domain/*,*/stages/*,*/resilience/*,*/evaluation/*' >/dev/null \
		|| { echo "domain, stages, resilience and evaluation are to be covered in full" >&2; exit 1; }

docs: setup ## Check that what the documents quote is what the program says
	@echo "==> cog"
	@$(BIN)/python -m cogapp --check --diff --verbosity=1 $(DOCS) \
		|| { echo "out of date; run: $(BIN)/python -m cogapp -r $(DOCS)" >&2; exit 1; }

site: setup ## Build the documents as a site, in build/site; a link that leads nowhere fails
	@echo "==> mkdocs"
	@NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --quiet --strict --config-file docs/site/mkdocs.yml
	@echo "built: build/site/index.html"

wheel: setup ## Build the wheel, in dist
	@$(BIN)/python -m hatchling build --target wheel --directory $(or $(INTO),dist)

eval: setup ## Measure answers, routing and retrieval, and hold them against the baseline
	@mkdir -p build/eval
	@$(BIN)/python scripts/eval_rag_quality.py --config config/thresholds.yaml --output build/eval/results.json \
		--baseline data/evaluation/baseline.json --markdown build/eval/report.md
	@$(BIN)/python scripts/check_regression.py --current build/eval/results.json \
		--baseline data/evaluation/baseline.json --precision-threshold 0.05 --recall-threshold 0.05
	@$(BIN)/python -m scripts.lab intents --min-accuracy 0.90
	@$(BIN)/python -m scripts.lab retrieval --json build/eval/retrieval.json --min-recall 0.85

lint-golden: setup
	@$(BIN)/python -m scripts.lab golden_set

baseline: setup ## Measure anew what later evaluations are compared with; review the difference
	@$(BIN)/python scripts/eval_rag_quality.py --quiet --save-baseline data/evaluation/baseline.json

requirements: setup ## Run the tests that prove the requirements, and write down how each row stands (five minutes; FROM=build/tests.xml: check it by a run of `make test`)
	@test -f build/eval/results.json || $(MAKE) eval
	@$(BIN)/python -m scripts.lab requirements \
		$(if $(FROM),--from '$(FROM)' --check docs/internals/requirements.md,--into docs/internals/requirements.md)

demo: setup ## Ask a dozen questions in the terminal
	@$(BIN)/elysia-guard demo

chat: setup ## Serve the guarded Elysia web chat on loopback
	@$(BIN)/elysia-guard chat

bench: setup ## Measure time and memory
	@failed=''; \
	for name in run definitions skosmos vocabulary spotting observability passages many; do \
		$(BIN)/python benchmarks/$$name.py || failed="$$failed $$name"; \
	done; \
	if [ -n "$$failed" ]; then echo "beyond its limit, or could not run:$$failed" >&2; exit 1; fi

e2e: setup ## Drive the web chat in a browser (needs Chromium)
	@E2E_PICTURES=1 $(BIN)/pytest -q -m e2e tests/e2e

journeys: setup ## Take 25 journeys through the chat, pictured and looked through (needs Chromium; five minutes)
	@$(BIN)/python -m pip install --quiet --no-deps --require-hashes --requirement benchmarks/axe.txt
	@$(BIN)/python -m benchmarks.journeys $(ARGS)

test-live: setup ## Run the tests that need a real Skosmos, Weaviate or PostgreSQL
	@$(BIN)/pytest -q -m live --force-enable-socket tests

# Pins the dependencies again: for developers, for users, and to build the wheel (needs uv)
lock:
	@$(COMPILE) --extra dev --extra docs --output-file requirements.lock pyproject.toml
	@$(COMPILE) --extra documents --extra mcp --extra onnx --extra otel --extra postgres --extra redis --constraint requirements.lock --no-annotate \
		--output-file requirements-users.lock pyproject.toml
	@$(COMPILE) --group build --constraint requirements.lock --no-annotate \
		--output-file requirements-build.lock

# Removes what was built; .venv stays.
clean:
	@rm -rf build dist .coverage htmlcov .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis
	@find src tests scripts benchmarks -name __pycache__ -type d -prune -exec rm -rf {} + 2>/dev/null || true
