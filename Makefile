# Everything a contributor runs. `make setup` is implied by every target that needs it.

PYTHON ?= python3
# The command is started often, by people and by tests: its modules are compiled once.
export PYTHONDONTWRITEBYTECODE =
VENV   := .venv
BIN    := $(VENV)/bin
READY  := $(VENV)/.ready

GAME ?= bonus-20
ARGS ?=
WEB  ?=
# One process more than there are cores: some tests wait for a browser or another process.
TESTERS ?= $(shell expr $$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2) + 1)

.PHONY: help setup play site test pytest lint types layers scripts check verify bench pictures extension clean

help:  ## show the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / {printf "  make %-9s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

setup: $(READY)  ## make .venv and install hoyle with what its checks need

INSTALL := $(BIN)/python -m pip install --disable-pip-version-check

# Stamps are younger than pyproject.toml while the installed packages agree with it.
$(READY): $(VENV)/dev.txt
	$(INSTALL) --quiet --editable '.[web,lsp]' --requirement $<
	@touch $@

# A group of pyproject.toml as a list; pip itself knows groups from 25.1 on, and Python 3.11 brings an older one.
$(VENV)/%.txt: pyproject.toml | $(BIN)/pip
	@$(BIN)/python -c 'import tomllib; print(*tomllib.load(open("$<", "rb"))["dependency-groups"]["$*"], sep="\n")' > $@

$(BIN)/pip:
	@command -v $(PYTHON) >/dev/null || { \
	    echo "make: $(PYTHON) not found; install Python 3.11 or newer, or say which: make PYTHON=/path/to/python3" >&2; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	    echo "make: $$($(PYTHON) --version) is too old; Python 3.11 or newer is needed (make PYTHON=python3.11)" >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { \
	    echo "make: $(PYTHON) cannot make virtual environments; on Debian and Ubuntu: sudo apt install python3-venv" >&2; exit 1; }
	@echo "make: a Python of its own for Hoyle, in $(VENV)"
	@$(PYTHON) -m venv --clear $(VENV)

# What playing needs, and nothing of what the checks need; both are there after `make setup`.
PLAYABLE := $(VENV)/.playable$(if $(WEB),-web)

$(PLAYABLE): pyproject.toml | $(BIN)/pip
	@test -e $(READY) -a $(READY) -nt pyproject.toml || \
	    $(INSTALL) --editable '.$(if $(WEB),[web])'
	@touch $@

play: $(PLAYABLE)  ## play a game: make play GAME=bonus-20 ARGS="--players 4"; in the browser: make play WEB=1
	@$(BIN)/hoyle $(if $(WEB),serve,play) $(GAME) $(ARGS)

SITE ?= build/site

site: $(PLAYABLE)  ## a site that any host serves, in build/site; needs npm: make site SITE=public GAMES="hearts cribbage"
	@$(INSTALL) --quiet --editable '.[native]'
	@$(BIN)/hoyle site $(SITE) $(GAMES)

lint: setup  ## style and likely mistakes
	$(BIN)/ruff check .

types: setup  ## static types
	$(BIN)/mypy

layers: setup  ## which package may import which
	$(BIN)/lint-imports

# TypeScript only checks: pages are served as they are written, and nothing of it is needed to play.
TSC := $(VENV)/scripts/node_modules/.bin/tsc

scripts: setup  ## static types of the page's scripts, where npm is found
	@if ! command -v npm >/dev/null; then \
	    echo "make: NO NPM FOUND: THE TYPES OF THE PAGE'S SCRIPTS ARE NOT CHECKED" >&2; \
	else \
	    test -x $(TSC) || npm install --silent --no-audit --no-fund --prefix $(VENV)/scripts typescript@5.9 || exit 1; \
	    echo $(TSC) --project interpreter/hoyle/front/web/jsconfig.json; \
	    $(TSC) --project interpreter/hoyle/front/web/jsconfig.json; \
	fi

# Types are checked beside the tests: that takes half a minute of one core the first time.
test: lint layers  ## everything that must hold before a commit
	@$(MAKE) --no-print-directory --jobs=2 types pytest

pytest:
	$(BIN)/pytest -n $(TESTERS) --dist worksteal

verify: setup scripts $(VENV)/proof.txt  ## the slow checks: many simulated games, long searches, comparisons with other programs
	$(INSTALL) --quiet --requirement $(VENV)/proof.txt
	$(BIN)/pytest -n auto -m slow

# A peer that cannot be installed here is told as missing in the table; the others are measured all the same.
$(VENV)/.bench: $(VENV)/bench.txt $(READY)
	@$(INSTALL) --quiet --requirement $< \
	    || echo "make: not all peers can be installed" >&2
	@touch $@

bench: $(VENV)/.bench  ## games a second, Hoyle's and others': make bench ARGS="--seconds 2 --out bench.json"
	@$(BIN)/python -m benchmarks $(ARGS)

pictures: setup  ## take the pictures of docs/playing.md anew; needs Chromium
	$(BIN)/python tests/pictures.py

# Built from a copy, so that nothing of it comes to lie among the sources.
extension:  ## the extension for VS Code as dist/hoyle.vsix; needs npm
	@command -v npm >/dev/null || { echo "make: npm not found; on Debian and Ubuntu: sudo apt install npm" >&2; exit 1; }
	@rm -rf build/vscode && mkdir -p build dist && cp -r editors/vscode build/vscode && cp LICENSE build/vscode
	@cd build/vscode && npm install --silent --no-audit --no-fund && \
	    npx --yes @vscode/vsce@3 package --allow-missing-repository --out ../../dist/hoyle.vsix

check: setup  ## check the rule files of the shipped games
	@$(BIN)/hoyle check games

clean:  ## remove what was built, the virtual environment too
	rm -rf $(VENV) build dist .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
