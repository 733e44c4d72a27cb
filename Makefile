# Every target sets itself up from a bare python3: `.venv` is made once, and brought up to date when pyproject.toml
# changes. Another interpreter: `make test PYTHON=python3.14`. (On Windows, see the commands in CONTRIBUTING.md.)

PYTHON ?= python3
# How long `make fuzz` tries signatures, and on how many inputs it tries the protocol (the
# server gets a quarter of them).
SECONDS ?= 60
INPUTS ?= 200000
# More options for pytest: `make test ARGS='-k flatten'`.
ARGS ?=

VENV := .venv
PEERS := .venv-bench
BIN := $(VENV)/bin
VERSION := $(shell $(PYTHON) -c 'import sys; sys.stdout.write("%d.%d" % sys.version_info[:2])' 2>/dev/null)
# The stamp names the Python version, so that asking for another one makes the environment anew.
READY := $(VENV)/.ready-$(VERSION)
PEERS_READY := $(PEERS)/.ready-$(VERSION)

.PHONY: help demo test shells lint style types format bench fuzz conformance interop docs clean

help:
	@echo "make demo         a guided tour in the terminal"
	@echo "make test         ruff, mypy, pyright and every test, with coverage"
	@echo "make shells       install bash, zsh and fish, whose completions are tested in the real shells (apt or brew)"
	@echo "make lint         ruff (rules and format), mypy --strict, pyright --verifytypes"
	@echo "make format       rewrite the code in the project's format"
	@echo "make bench        speed, beside the peers"
	@echo "make fuzz         random signatures and values for SECONDS=60, INPUTS=200000 to the protocol and its server"
	@echo "make conformance  against the official MCP schemas, and by the official suite"
	@echo "make interop      against the official clients in Python and TypeScript, and the Inspector"
	@echo "make docs         the documentation, into build/docs"
	@echo "make clean        remove everything that was made"

demo: $(READY)
	@$(BIN)/python -m accord demo

test: style types
	@$(BIN)/python -m coverage run -m pytest $(ARGS); status=$$?; \
	$(BIN)/python -m coverage report; exit $$status

# The tests say which shell they miss. As root, or with a brew of one's own, nobody has to be asked. (A Mac's own bash is
# of 2007, and does less.)
SHELLS := bash zsh fish
shells:
	@missing=; for shell in $(SHELLS); do command -v $$shell >/dev/null || missing="$$missing $$shell"; done; \
	bash -c '[ "$${BASH_VERSINFO[0]}" -ge 4 ]' || missing="$$missing bash"; \
	test -n "$$missing" || exit 0; echo "installing$$missing"; \
	if command -v brew >/dev/null; then brew install --quiet $$missing; \
	elif command -v apt-get >/dev/null; then \
	sudo=; test "$$(id -u)" = 0 || sudo="sudo -n"; \
	$$sudo apt-get install -qq -y $$missing >/dev/null || { $$sudo apt-get update -qq && \
	$$sudo apt-get install -qq -y $$missing >/dev/null; }; \
	else false; fi || echo "could not install$$missing: install them with your system's package manager" >&2

lint: style types
	$(BIN)/ruff format --check .

style: $(READY)
	$(BIN)/ruff check .

types: $(READY)
	$(BIN)/mypy
	@# pyright looks for the package in the environment whose python comes first; its --pythonpath does not count here.
	@echo "pyright --verifytypes accord --ignoreexternal"
	@PATH="$(CURDIR)/$(BIN):$$PATH" PYRIGHT_PYTHON_IGNORE_WARNINGS=1 pyright --verifytypes accord --ignoreexternal

format: $(READY)
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: $(PEERS_READY)
	$(PEERS)/bin/python bench/schema.py
	$(PEERS)/bin/python bench/imports.py
	$(PEERS)/bin/python bench/cli.py
	$(PEERS)/bin/python bench/serve.py

fuzz: $(READY)
	$(BIN)/python -m tests.fuzz --seconds $(SECONDS)
	$(BIN)/python -m tests.fuzz.wire --inputs $(INPUTS)
	$(BIN)/python -m tests.fuzz.served --inputs $$(($(INPUTS) / 4))

# The tests install the suite, from npm, where it is missing.
conformance: $(READY)
	$(BIN)/python -m pytest tests/conformance $(ARGS)

# The tests install what they miss: the Python clients into build/interop, the packages of npm beside the programs.
interop: $(READY)
	$(BIN)/python -m pytest tests/interop $(ARGS)

docs: $(READY)
	$(BIN)/mkdocs build --strict --quiet --site-dir build/docs
	@echo "docs: build/docs/index.html"

clean:
	rm -rf $(VENV) $(PEERS) build dist tests/interop/clients/node_modules tests/conformance/node_modules .coverage .hypothesis .mypy_cache .pytest_cache .ruff_cache
	find src tests bench -type d -name __pycache__ -prune -exec rm -rf {} +

# -- set-up --------------------------------------------------------------------------------------------------------

OTHER := name another one with 'make PYTHON=/path/to/python3.12'
ifeq ($(VERSION),)
PROBLEM := There is no Python to be started as '$(PYTHON)': install Python 3.11 or newer, or $(OTHER).
else ifneq ($(filter 2.% 3.0 3.1 3.2 3.3 3.4 3.5 3.6 3.7 3.8 3.9 3.10,$(VERSION)),)
PROBLEM := Accord needs Python 3.11 or newer and '$(PYTHON)' is $(VERSION): install a newer one, or $(OTHER).
else
PROBLEM :=
endif

$(READY): GROUP := dev
$(PEERS_READY): GROUP := bench
$(READY) $(PEERS_READY): pyproject.toml
	@test -z "$(PROBLEM)" || { echo "$(PROBLEM)" >&2; exit 1; }
	@$(PYTHON) -c 'import venv, ensurepip' 2>/dev/null || { echo "'$(PYTHON)' cannot make virtual environments, it lacks\
	 venv or ensurepip: install them (Debian, Ubuntu: 'apt install python3-venv'), or $(OTHER)." >&2; exit 1; }
	@echo "setting up $(@D) (Python $(VERSION), group $(GROUP))"
	@test -e $@ || $(PYTHON) -m venv --clear $(@D)
	@test -x $(@D)/bin/uv || $(@D)/bin/python -m pip install --quiet --disable-pip-version-check uv || \
	{ echo "uv could not be installed from PyPI into $(@D): is there a network?" >&2; exit 1; }
	@$(@D)/bin/uv pip install --quiet --python $(@D)/bin/python --group $(GROUP) --editable .
	@touch $@
