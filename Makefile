# Every target installs what it needs into .venv of this checkout; a second call finds it there.
# Needs make and Python 3.11 or newer, and the network for the first call only.

PYTHON ?= python3
# Tried when python3 is too old; a PYTHON that somebody named is taken at their word.
OTHER_PYTHONS := $(if $(filter file,$(origin PYTHON)),python3.14 python3.13 python3.12 python3.11)
ARGS ?=
VENV := .venv
PY := $(VENV)/bin/python
PIP := $(PY) -m pip --disable-pip-version-check --quiet --quiet
RUN := $(VENV)/.installed
DEV := $(VENV)/.installed-dev
DEMO := .cache/demo
OPENCLAW_SECONDS ?= 30

# A venv whose interpreter has gone (Python upgraded or moved) is made anew.
ifneq ($(shell $(PY) -c 'print(1)' 2>/dev/null),1)
.PHONY: $(RUN) $(DEV)
endif

.PHONY: help run demo test test-faults test-openclaw lint format bench bench-peers clean
.DEFAULT_GOAL := help
# Two installations into one venv must not run at once.
.NOTPARALLEL:

help: ## this list
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1|\2/p' Makefile | awk -F'|' '{ printf "%-20s %s\n", $$1, $$2 }'

run: $(RUN) ## mirror OpenClaw's sessions into the ledger; options: make run ARGS=--once
	@$(PY) -m syncd run $(ARGS)

demo: $(RUN) ## the same on a bundled fixture, with a ledger of its own in .cache/demo
	@rm -rf $(DEMO) && mkdir -p $(DEMO) && cp -R tests/data/openclaw/2026.7.1 $(DEMO)/openclaw
	@export OPENCLAW_STATE_DIR="$(CURDIR)/$(DEMO)/openclaw" \
	  SYNCD_LEDGER="$(CURDIR)/$(DEMO)/ledger.db" SYNCD_CONFIG="$(CURDIR)/config.yaml"; \
	$(PY) -m syncd run --once && $(PY) -m syncd verify && \
	echo "Look at it: SYNCD_LEDGER=$(DEMO)/ledger.db $(VENV)/bin/syncd sessions"

test: $(DEV) ## all tests but the slow faults, with coverage; options: make test ARGS='-k config'
	@mkdir -p .cache
	@$(PY) -m coverage erase
	@$(PY) -m coverage run -m pytest -n 2 --dist worksteal --ignore=tests/faults --ignore=tests/openclaw $(ARGS)
	@$(if $(ARGS),,$(PY) -m coverage combine --quiet && $(PY) -m coverage report)

test-faults: $(DEV) ## kills, full disks, broken ledgers
	@$(PY) -m pytest tests/faults $(ARGS)

test-openclaw: $(DEV) ## genuine OpenClaw writes, syncd follows; needs npm; options: make test-openclaw OPENCLAW_SECONDS=300
	@SYNCD_OPENCLAW_SECONDS=$(OPENCLAW_SECONDS) $(PY) -m pytest tests/openclaw $(ARGS)

lint: $(DEV) ## ruff, mypy --strict, the layers
	@$(PY) -m ruff check
	@$(PY) -m ruff format --check --quiet || { echo "make format mends it" >&2; exit 1; }
	@$(PY) -m mypy
	@$(VENV)/bin/lint-imports --no-cache

format: $(DEV) ## puts the code into the house's form
	@$(PY) -m ruff check --fix-only --quiet
	@$(PY) -m ruff format --quiet

bench: $(RUN) ## the figures, on a corpus of its own; options: make bench ARGS='--mb 500'
	@$(PY) -m tests.bench $(ARGS)

bench-peers: $(RUN) ## installs agentsview apart, so that `make bench` compares with it
	@$(PY) -m tests.bench.peers install

clean: ## removes the venv and every cache
	@rm -rf $(VENV) .cache .hypothesis .mypy_cache .pytest_cache .ruff_cache build dist
	@find syncd tests -name __pycache__ -type d -prune -exec rm -rf {} +

$(RUN): pyproject.toml
	@$(call ensure_venv)
	@echo "installing syncd into $(VENV)" >&2
	@$(PIP) install --editable . || $(call no_install)
	@touch $@

$(DEV): pyproject.toml
	@$(call ensure_venv)
	@echo "installing syncd and its tools into $(VENV)" >&2
	@$(PIP) install --editable '.[dev]' || $(call no_install)
	@touch $@ $(RUN)

define ensure_venv
$(PY) -c '' 2>/dev/null || { \
  found=; for candidate in $(PYTHON) $(OTHER_PYTHONS); do \
    "$$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && found=$$candidate && break; \
  done; \
  [ -n "$$found" ] || { \
    echo "error: syncd needs Python 3.11 or newer; $(PYTHON) is $$($(PYTHON) --version 2>&1 || true)" >&2; \
    echo "hint: install one, or name it: make PYTHON=/path/to/python3" >&2; exit 1; }; \
  "$$found" -m venv --clear $(VENV) || { rm -rf $(VENV); \
    echo "hint: some systems ship venv apart: the package is python3-venv there" >&2; exit 1; }; }
endef

define no_install
{ echo "error: installing into $(VENV) failed; pip says why above" >&2; \
  echo "hint: the first call needs the network" >&2; exit 1; }
endef
