# Each target does its own set-up: on a fresh machine `make demo` and `make test` are all one needs to type.
# `make help` lists them with their settings.

SHELL := /bin/sh
# As many as there are cores, and no more than one for each 2 GB of memory.
JOBS ?= $(shell awk -v n="$$(getconf _NPROCESSORS_ONLN)" '/^MemTotal/ { m = int($$2 / 2000000); \
    if (m < n) n = m; print n < 1 ? 1 : n }' /proc/meminfo 2>/dev/null || echo 2)
SWIFT ?= swift
CHAT ?=
BENCH_ARGS ?=
DEMO_ARGS ?=
TEST_ARGS ?=
HISTORIES ?=
GROUP_HISTORIES ?=
SIM_SEEDS ?=
DAY_SEEDS ?=
GROUP_SEEDS ?=
FUZZ_SECONDS ?= 20
FUZZ_RUNS ?=
# As Tests/DoorTests/Doors/Door.swift lists them.
DOORS ?= $(shell sed -n 's/^    case \([a-z]*\)$$/\1/p' Tests/DoorTests/Doors/Door.swift)
MUTANTS ?=
SEEDS ?= 1..100000
MODEL_RUNS ?= 4000
LEDGER_RUNS ?= 2000
CHAT_SEEDS ?=

PREFIX ?= /usr/local
DESTDIR ?=

# On Linux the Swift library goes into the programs, which then run where there is no toolchain.
STATIC := $(if $(filter Linux,$(shell uname)),--static-swift-stdlib)

# The compiler's driver leaves its temporary folders behind: here they go with the next build.
BUILD := rm -rf .build/tmp && mkdir -p .build/tmp && TMPDIR='$(CURDIR)/.build/tmp' $(SWIFT) build -j $(JOBS)
# One compiler for all changed files of a module, where the driver would start one for each 25, and each would read the
# whole module. It saves a fifth of a debug build's work; to index no system's modules, a twentieth; to write nothing for a
# debugger, another fifth (whoever needs one builds with `swift build`).
DEBUG_BUILD := $(BUILD) -debug-info-format none -Xswiftc -driver-batch-count -Xswiftc 1 \
    -Xswiftc -index-ignore-system-modules -Xswiftc -index-ignore-clang-modules

SOURCES := Sources Tests Tools Fuzz Examples Package.swift
# `swift format` opens all files that it is given at once, and a login may have 1024 in all: 200 at a time.
EACH_SOURCE := find $(SOURCES) -name '*.swift' -type f -print0 | xargs -0 -n 200

# The backtracer lingers after a crash and would hold up tests that kill processes on purpose.
export SWIFT_BACKTRACE := enable=no
# The tests read these from the environment; empty means the number that the test itself names.
export HISTORIES GROUP_HISTORIES SIM_SEEDS DAY_SEEDS GROUP_SEEDS CHAT_SEEDS
export PREFIX DESTDIR SWIFT

# Tests with real processes wait most of the time: three runs at once, of suites by their names. Whoever pairs by digits
# has to be alone in the room: those suites are in one run. Tests in virtual time do not mind waiting: they take what the
# processes leave of the cores.
RANDOM_TESTS := SimulatorTests\.|GroupStateTests|ChatPropertyTests|ReadPositionHistoryTests|(State|Facts|Script)ModelTests
PURE := --skip '^ProcessTests\.|$(RANDOM_TESTS)'
PAIR := ^ProcessTests\.ProcessTests/(Accounts/Theft|APIDocument|ClientPairing|Dashboard|PairingByDigits|Setup|Streams|Words)
FIRST := ^ProcessTests\.ProcessTests/([A-E]|F[a-l])
PAIRING := --filter '$(PAIR)'
PROCESSES := --filter '$(FIRST)' --skip '$(PAIR)'
OTHER_PROCESSES := --filter '^ProcessTests\.' --skip '$(FIRST)|$(PAIR)'
RANDOM := --filter '$(RANDOM_TESTS)'

# Optimised, and in a folder of its own: @testable imports need a flag that the release binaries must not have.
PROVE := -c release -Xswiftc -enable-testing --scratch-path .build/prove

.DEFAULT_GOAL := build
.PHONY: man build setup test quick prove worlds mutants fuzz lint lint-changed format bench demo install uninstall deb check-deb clean help

build: setup ## Release build: .build/release/kachat-node
	$(BUILD) -c release $(STATIC)

setup: ## Install what is missing (silent when nothing is)
	@Scripts/setup.sh $(SETUP_FOR)

# Nobody else needs the browser in which the dashboard is tried, or what makes the manual page.
test prove: SETUP_FOR := test
man: SETUP_FOR := man
deb: SETUP_FOR := deb
test: setup lint ## Lint, debug build and all tests
	$(DEBUG_BUILD) --build-tests
ifeq ($(TEST_ARGS),)
	@Scripts/test.sh "nice $(PURE)" + "$(PAIRING)" + "$(PROCESSES)" + "$(OTHER_PROCESSES)" + "nice $(RANDOM)"
else
	@Scripts/test.sh '$(subst ','\'',$(TEST_ARGS))'
endif

quick: setup lint-changed ## Lint of what changed, debug build, tests without processes, models and random runs
	$(DEBUG_BUILD) --build-tests
	@Scripts/test.sh "$(PURE)"

prove: export KACHAT_PROVE := 1
prove: setup lint ## All tests with all seeds, histories and data, optimised, `worlds`, `mutants`, `fuzz` (a day)
	$(BUILD) $(PROVE) --build-tests
ifeq ($(TEST_ARGS),)
	@Scripts/test.sh "$(PROVE) $(PURE)" "$(PROVE) $(PAIRING)" + "$(PROVE) $(PROCESSES)" + "$(PROVE) $(OTHER_PROCESSES)" \
	    "$(PROVE) $(RANDOM)"
	$(MAKE) worlds mutants fuzz
	python3 -B docs/models/lanes.py $(MODEL_RUNS)
	python3 -B docs/models/ledger.py $(LEDGER_RUNS)
	python3 -B docs/models/spin.py
else
	@Scripts/test.sh '$(PROVE) $(subst ','\'',$(TEST_ARGS))'
endif

lint: setup ## Formatting and style, strict
	$(EACH_SOURCE) $(SWIFT) format lint --strict --parallel

# What differs from the last commit; without Git, everything.
lint-changed: setup
	@if git rev-parse --verify --quiet HEAD >/dev/null 2>&1; then \
	    { git diff -z --name-only --diff-filter=d HEAD -- '*.swift' && \
	    git ls-files -z --others --exclude-standard -- '*.swift'; } | xargs -0 -r -n 200 $(SWIFT) format lint --strict; \
	else $(MAKE) lint; fi

format: setup ## Rewrite the sources in the project's format
	$(EACH_SOURCE) $(SWIFT) format --in-place --parallel

man: build ## The manual page: .build/kachat-node.1
	.build/release/kachat-node help --man | scdoc > .build/kachat-node.1

worlds: build ## A simulated world for each of SEEDS, under all faults
	@Scripts/worlds.py --jobs $(JOBS) $(SEEDS)

mutants: setup ## Each bug of Tests/Mutants planted in turn: its test has to fail
	@Scripts/mutants.sh $(MUTANTS)

fuzz: setup ## Changed bytes into every door (DOORS, all), or FUZZ_RUNS of them each
	export KACHAT_FUZZ=1 && $(BUILD) -c release -Xswiftc -enable-testing --sanitize=fuzzer --scratch-path .build/fuzz \
	    --product fuzz
	@JOBS=$(JOBS) FUZZ_RUNS=$(FUZZ_RUNS) FUZZ_SECONDS=$(FUZZ_SECONDS) Scripts/fuzz.sh $(DOORS)

bench: build ## Measurements, each beside this machine's limit
	@.build/release/kachat-node bench $(BENCH_ARGS)

demo: build ## Three nodes find each other and share a chat history; a fourth is restored
	@.build/release/demo --node .build/release/kachat-node $(if $(CHAT),--chat "$(CHAT)") $(DEMO_ARGS)

install: ## Put what `make` built below PREFIX (as root, where that is not one's own)
	@Scripts/install.sh install

uninstall: ## Take it away again; homes stay
	@Scripts/install.sh uninstall

deb: build ## A Debian package of it: .build/kachat-node_VERSION_ARCH.deb
	@Scripts/deb.sh

check-deb: ## Install, run and remove it in a fresh Debian 12 (asks for root by sudo; about two minutes)
	@MAKE='$(MAKE)' Scripts/check-deb.sh

clean: ## Remove what was built
	rm -rf .build

help: ## This list
	@sed -n 's/^\([a-z-]*\):[^#=]*## \(.*\)/  make \1\t\2/p' Makefile | expand -t 18
	@echo
	@echo "Settings (make TARGET NAME=value):"
	@echo "  JOBS=$(JOBS)            compile jobs at once"
	@echo "  SWIFT=swift       the toolchain's driver"
	@echo "  PREFIX=/usr/local install, uninstall: where the program will run from"
	@echo "  DESTDIR=          install, uninstall: in front of every path"
	@echo "  CHAT=FILE.jsonl   demo: a chat history of one's own in place of generated talk"
	@echo "  DEMO_ARGS=...     demo: further arguments, such as --messages 5000"
	@echo "  BENCH_ARGS=...    bench: such as --json"
	@echo "  TEST_ARGS=...     test, prove: such as --filter TidyTests"
	@echo "  HISTORIES=N       test, prove: random histories of the reconciliation property test"
	@echo "  GROUP_HISTORIES=N test, prove: random histories of a group's control records"
	@echo "  SIM_SEEDS=N       test, prove: seeds of the simulator's run"
	@echo "  DAY_SEEDS=N       test, prove: seeds of a person's day under faults"
	@echo "  GROUP_SEEDS=N     test, prove: seeds of groups with members who break the rules"
	@echo "  CHAT_SEEDS=N      test, prove: seeds of one node's chat, and of reading on three devices"
	@echo "                    each of these six: A..B for the seeds from A to B alone"
	@echo "  SEEDS=$(SEEDS) worlds: what is played is drawn from each"
	@echo "  MUTANTS=NAMES     mutants: these alone, such as sync-union"
	@echo "  FUZZ_SECONDS=20   fuzz: how long at each door"
	@echo "  FUZZ_RUNS=N       fuzz: how many inputs at each door instead"
	@echo "  DOORS=NAMES       fuzz: these alone, such as 'message beacon'"
