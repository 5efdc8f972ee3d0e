# Each target sets up .venv by itself; a machine needs only Python 3.11+ and make.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
comma := ,
STAMP := $(VENV)/.installed
# Where the real sqlite-vss exists, it is tested.
EXTRAS := $(if $(filter Linux-x86_64,$(shell uname -sm | tr ' ' '-')),[vss$(comma)faiss])

.PHONY: setup run demo test e2e-openclaw check bench peers tokens docs install clean

$(STAMP): pyproject.toml client/pyproject.toml
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@echo "Installing memud and its tools into $(VENV) ..."
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade "pip>=25.1"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -e ./client -e ".$(EXTRAS)" --group dev
	@$(BIN)/python -c "import jionlp" >/dev/null  # unpacks its dictionaries beside itself, once
	@touch $(STAMP)

setup: $(STAMP)            ## everything into .venv

run: setup                 ## the daemon in the foreground
	@$(BIN)/memud run

demo: setup                ## the whole mission on a real-looking conversation; CONVERSATION=FILE for your own
	@$(BIN)/python -m bench.demo $(if $(CONVERSATION),--conversation "$(CONVERSATION)")

check: setup               ## format, lint, layers, types
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/lint-imports
	$(BIN)/mypy

test: check                ## every promise, proven
	$(BIN)/pytest -n auto

e2e-openclaw: setup        ## the plugin inside the real OpenClaw, installed once outside the tree
	@$(BIN)/python -m tests.openclaw

bench: setup               ## speed, size, durability and tokens, then docs/PERFORMANCE.md; SIZE=1m: a million texts, for long
	@$(BIN)/python -m bench.run $(if $(SIZE),--size "$(SIZE)")
	@$(BIN)/python -m bench.report

peers: setup               ## other programs for memory beside memud, each in an environment of its own
	@$(BIN)/python -m bench.peers
	@$(BIN)/python -m bench.report

tokens: setup              ## a conversation of 500 turns: what memory takes beside resending its history
	@$(BIN)/python -m bench.tokens

docs: setup                ## docs/PROTOCOL.md from the wire types
	@$(BIN)/python -m daemon.reference > docs/PROTOCOL.md

install: setup             ## the systemd user unit, and what to do next
	@$(BIN)/memud install

clean:
	rm -rf $(VENV) dist build
