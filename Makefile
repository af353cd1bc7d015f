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
OPENCLAW_RELEASES ?= 2026.5.7 2026.7.1 2026.9.6
SOAK_SECONDS ?= 600
FAULTS_PAGE ?= .cache/faults.md
FUZZ_RUNS ?= 1000000
# Twice as many as there are cores: many a test waits for the disk or for a daemon.
WORKERS ?= $(shell expr $$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2) '*' 2)
# What is compiled once need not be again, by the tests' workers and each command that they start.
unexport PYTHONDONTWRITEBYTECODE

# A venv whose interpreter has gone (Python upgraded or moved) is made anew.
ifneq ($(shell $(PY) -c 'print(1)' 2>/dev/null),1)
.PHONY: $(RUN) $(DEV)
endif

.PHONY: help run demo test test-faults faults-page test-openclaw soak fuzz lint format bench bench-peers bench-page test-service docs test-package clean
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
	@$(PY) -m coverage run -m pytest -n $(WORKERS) --dist worksteal --ignore=tests/faults --ignore=tests/openclaw --ignore=tests/systemd $(ARGS)
	@$(if $(ARGS),,$(PY) -m coverage combine --quiet && $(PY) -m coverage report)

test-faults: $(DEV) ## kills, full disks, broken ledgers, clocks that step: every fault by its id, and which pass
	@$(PY) -m pytest -n $(WORKERS) --dist worksteal -p tests.fault_table --faults-page $(FAULTS_PAGE) tests --ignore=tests/openclaw --ignore=tests/systemd $(ARGS)

faults-page: ## docs/faults.md: the same, and what became of each fault written into the page
	@$(MAKE) --no-print-directory test-faults FAULTS_PAGE=docs/faults.md

test-service: $(DEV) ## the service under a real systemd, in a container of this machine; needs root and systemd-container
	@$(PY) -m pytest tests/service tests/systemd $(ARGS)

test-openclaw: $(DEV) ## genuine OpenClaw works, syncd follows; needs npm; options: make test-openclaw OPENCLAW_SECONDS=300 OPENCLAW_RELEASES=2026.9.6
	@SYNCD_OPENCLAW_SECONDS=$(OPENCLAW_SECONDS) SYNCD_OPENCLAW_RELEASES='$(OPENCLAW_RELEASES)' $(PY) -m pytest tests/openclaw $(ARGS)

soak: $(DEV) ## genuine OpenClaw, a load, and a random fault every 30 s; needs npm; options: make soak SOAK_SECONDS=60 ARGS='--every 8 --release 2026.9.6'
	@mkdir -p .cache && $(PY) -m tests.soak --seconds $(SOAK_SECONDS) --json .cache/soak.json $(ARGS)

fuzz: $(DEV) ## any bytes as transcript lines and as session index; options: make fuzz FUZZ_RUNS=50000
	@$(PY) -c 'import atheris' 2>/dev/null || $(PIP) install 'atheris>=3,<4'
	@for target in lines index; do $(PY) -m tests.fuzz.fuzz $$target $(FUZZ_RUNS) || exit 1; done

.PHONY: test-package
test-package: $(DEV) ## builds wheel and sdist, installs them every way in clean places, and uses them; needs the network
	@SYNCD_TEST_PACKAGE=1 $(PY) -m pytest tests/package $(ARGS)

lint: $(DEV) ## ruff, mypy --strict, the layers
	@$(PY) -m ruff check
	@$(PY) -m ruff format --check --quiet || { echo "make format mends it" >&2; exit 1; }
	@$(PY) -m mypy
	@$(VENV)/bin/lint-imports --no-cache

format: $(DEV) ## puts the code into the house's form
	@$(PY) -m ruff check --fix-only --quiet
	@$(PY) -m ruff format --quiet

.PHONY: docs
docs: $(DEV) ## writes the parts of docs/ that are made from the code
	@$(PY) -m tests.docs.generated

bench: $(RUN) ## the figures, on a corpus of its own; options: make bench ARGS='--mb 500'
	@$(PY) -m tests.bench $(ARGS)

bench-peers: $(RUN) ## installs agentsview, sqlite-utils and DuckDB apart, so that `make bench` measures them beside us
	@$(PY) -m tests.bench.peers install

bench-page: bench-peers ## docs/bench.md: every row, the peers' beside ours, in one run of a quarter of an hour
	@mkdir -p .cache && $(PY) -m tests.bench --mb 500 --json .cache/bench.json $(ARGS)
	@$(PY) -m tests.bench.page .cache/bench.json docs/bench.md

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
for place in . $(wildcard $(VENV)); do [ -w "$$place" ] || { \
  echo "error: $(CURDIR)/$$place is not yours to write to" >&2; \
  echo "hint: clone it where you may write, or remove $(VENV) as the one who made it" >&2; exit 1; }; done; \
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
