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
CHAT_SEEDS ?=

PREFIX ?= /usr/local
DESTDIR ?=

# On Linux the Swift library goes into the programs, which then run where there is no toolchain.
STATIC := $(if $(filter Linux,$(shell uname)),--static-swift-stdlib)

# The compiler's driver leaves its temporary folders behind: here they go with the next build.
BUILD := rm -rf .build/tmp && mkdir -p .build/tmp && TMPDIR='$(CURDIR)/.build/tmp' $(SWIFT) build -j $(JOBS)

SOURCES := Sources Tests Fuzz Examples Package.swift
# `swift format` opens all files that it is given at once, and a login may have 1024 in all: 200 at a time.
EACH_SOURCE := find $(SOURCES) -name '*.swift' -type f -print0 | xargs -0 -n 200

# The backtracer lingers after a crash and would hold up tests that kill processes on purpose.
export SWIFT_BACKTRACE := enable=no
# The tests read these from the environment; empty means the default that the test itself names.
export HISTORIES GROUP_HISTORIES SIM_SEEDS DAY_SEEDS GROUP_SEEDS CHAT_SEEDS
export PREFIX DESTDIR SWIFT

# Real processes are tested when nothing else runs, and suites of thousands of random runs after that: each would starve
# the others.
PROCESS_TESTS := ProcessTests\.
LONG_TESTS := HistoryTests|AccountNodeTests|GroupNodeTests|SimulationDayTests|GroupStateTests

# Optimised, and in a folder of its own: @testable imports need flags that the release binaries must not have.
NIGHTLY := -c release -Xswiftc -enable-testing --scratch-path .build/nightly

.DEFAULT_GOAL := build
.PHONY: man build setup test fuzz lint format bench demo nightly install uninstall deb check-deb clean help

build: setup ## Release build: .build/release/kachat-node
	$(BUILD) -c release $(STATIC)

setup: ## Install what is missing (silent when nothing is)
	@Scripts/setup.sh $(SETUP_FOR)

# Nobody else needs the browser in which the dashboard is tried, or what makes the manual page.
test nightly: SETUP_FOR := test
man: SETUP_FOR := man
deb: SETUP_FOR := deb
test: setup lint ## Lint, debug build and all tests
	$(BUILD) --build-tests
ifeq ($(TEST_ARGS),)
	@Scripts/test.sh "--skip '$(PROCESS_TESTS)|$(LONG_TESTS)'" "--filter '$(PROCESS_TESTS)'" "--filter '$(LONG_TESTS)'"
	$(MAKE) fuzz
else
	@Scripts/test.sh '$(subst ','\'',$(TEST_ARGS))'
endif

lint: setup ## Formatting and style, strict
	$(EACH_SOURCE) $(SWIFT) format lint --strict --parallel

format: setup ## Rewrite the sources in the project's format
	$(EACH_SOURCE) $(SWIFT) format --in-place --parallel

man: build ## The manual page: .build/kachat-node.1
	.build/release/kachat-node help --man | scdoc > .build/kachat-node.1

fuzz: setup ## Changed bytes into the decoders of groups, from the kept corpus
	export KACHAT_FUZZ=1 && $(BUILD) -c release --sanitize=fuzzer --scratch-path .build/fuzz --product fuzz-groups
	mkdir -p .build/fuzz/found
	.build/fuzz/release/fuzz-groups -max_total_time=$(FUZZ_SECONDS) -max_len=4096 -timeout=5 -print_final_stats=1 \
	    -artifact_prefix=.build/fuzz/ .build/fuzz/found Fuzz/Groups/Corpus

bench: build ## Measurements, each beside this machine's limit
	@.build/release/kachat-node bench $(BENCH_ARGS)

demo: build ## Three nodes find each other and share a chat history; a fourth is restored
	@.build/release/demo --node .build/release/kachat-node $(if $(CHAT),--chat "$(CHAT)") $(DEMO_ARGS)

nightly: HISTORIES := 100000
nightly: GROUP_HISTORIES := 100000
nightly: SIM_SEEDS := 20000
nightly: DAY_SEEDS := 8000
nightly: GROUP_SEEDS := 8000
nightly: CHAT_SEEDS := 1600
nightly: setup ## The tests with ten times the random histories and forty times the simulated seeds (hours)
	$(BUILD) $(NIGHTLY) --build-tests
	@Scripts/test.sh '$(NIGHTLY) $(subst ','\'',$(TEST_ARGS))'

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
	@echo "  TEST_ARGS=...     test, nightly: such as --filter TidyTests"
	@echo "  HISTORIES=N       test: random histories of the reconciliation property test"
	@echo "  GROUP_HISTORIES=N test: random histories of a group's control records"
	@echo "  SIM_SEEDS=N       test: seeds of the simulator's run"
	@echo "  DAY_SEEDS=N       test: seeds of a person's day under faults"
	@echo "  GROUP_SEEDS=N     test: seeds of groups with members who break the rules"
	@echo "  FUZZ_SECONDS=20   fuzz: how long"
	@echo "  CHAT_SEEDS=N      test: seeds of one node's chat, and of reading on three devices"
