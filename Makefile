# Commands for people and CI. `make run` opens the dashboard; `make test` runs the tests.

PREFIX ?= /usr/local
DESTDIR ?=
ARGS ?=
STAGE = .build/stage
DEBUG_STAGE = .build/stage-debug
SWIFT_FOLDERS = Package.swift Benchmarks Sources Tests Widgets

.PHONY: run build test script-tests build-tests end-to-end documentation-tests terminal-tests lint format record install deb dist apt docs bench order fuzz soak pictures pictures-compare clean

run: $(STAGE)
	@$(STAGE)/bin/today $(ARGS)

build:
	@Scripts/setup run
	@Scripts/build release

.PHONY: $(STAGE) $(DEBUG_STAGE)
$(STAGE): build
	@Scripts/stage $(STAGE) release

$(DEBUG_STAGE):
	@Scripts/setup test
	@Scripts/build debug
	@Scripts/stage $(DEBUG_STAGE) debug

# Two tests at a time: many start real processes with deadlines, and most of them wait.
export SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH = 2

# The tests of the program in a terminal, and of the examples of the documentation, are `make end-to-end`, as
# they need the built program. The system's Python has the modules that Scripts/setup installs.
test:
	@Scripts/setup test
	@# At the same time, as one compiles and the other mostly waits for programs.
	@$(MAKE) --no-print-directory --jobs=2 --output-sync=target script-tests build-tests
	@Scripts/test --processes 3 --skip EndToEndTests $(ARGS)

script-tests:
	cd Tests/ScriptTests && printf '%s\n' test_*.py | sed 's/\.py$$//' | xargs -P 2 -n 1 /usr/bin/python3 -B -m unittest

build-tests:
	nice Scripts/build tests

# Exported, not on the command line, as the tests look for processes with these folders in it.
end-to-end: export TODAY_BINARY = $(CURDIR)/$(DEBUG_STAGE)/bin/today
end-to-end: export TODAY_WIDGETS = $(CURDIR)/$(DEBUG_STAGE)/lib/today/widgets
end-to-end: $(DEBUG_STAGE)
	@# One after the other, as tests of the terminal have deadlines.
	@$(MAKE) --no-print-directory documentation-tests terminal-tests

documentation-tests:
	/usr/bin/python3 -B -m unittest discover -s Tests/DocumentationTests

# Three at a time: most of them wait for a screen, with deadlines.
terminal-tests:
	@Scripts/test --processes 3 --filter EndToEndTests $(ARGS)

lint:
	@Scripts/setup lint
	@Scripts/lint

format:
	swift format --in-place --recursive --parallel $(SWIFT_FOLDERS)

# Rewrites the golden files; the run fails with "recorded", so that it cannot pass by accident.
record:
	@Scripts/setup test
	RECORD=1 swift test --skip EndToEndTests $(ARGS)

install: build
	@Scripts/stage "$(DESTDIR)$(PREFIX)" release

# A package for Debian and Ubuntu, and an archive that runs where it is unpacked, in .build/packages.
deb dist: build
	@Scripts/package $@

# A signed repository of the packages in .build/apt, for any web server: make apt APT_KEY=ID [APT_URL=https://…].
apt: deb
	@APT_KEY="$(APT_KEY)" APT_URL="$(APT_URL)" Scripts/apt

# The documentation as a site in .build/docs; dead links and examples that cannot be run or shown are errors.
docs: export TODAY_BINARY = $(CURDIR)/$(STAGE)/bin/today
docs: export TODAY_BUILD = $(CURDIR)/.build/release
docs: $(STAGE)
	@Scripts/setup docs
	/usr/bin/python3 -B -m unittest discover -s Tests/DocumentationTests
	@Scripts/docs $(STAGE)/bin/today

bench: $(STAGE)
	TODAY_BINARY=$(CURDIR)/$(STAGE)/bin/today Benchmarks/run $(ARGS)

# Lists the functions that a page runs, which the linker puts beside each other; needs valgrind.
order:
	@Scripts/setup run
	Benchmarks/order

# Random input for all parsers: ten minutes, or ARGS="--seconds 60 --seed 7", and a fifth of it for the widgets in Python.
fuzz:
	@Scripts/setup test
	swift build --product Fuzzer
	.build/debug/Fuzzer $(ARGS)
	Tests/Fuzzer/Scripts/fuzz.py $(ARGS)

# Fifty misbehaving widgets, for a week of virtual time and ten minutes of real time, without leaks.
soak: $(STAGE)
	@Scripts/setup test
	TODAY_SOAK_DAYS=7 swift test --filter VirtualWeekTests
	TODAY_BINARY=$(CURDIR)/$(STAGE)/bin/today Benchmarks/soak $(ARGS)

pictures: $(STAGE)
	@Scripts/setup pictures
	@Scripts/pictures $(STAGE)/bin/today

# One page in three sizes and four themes, in Docs/Pictures/compare.
pictures-compare: $(STAGE)
	@Scripts/setup pictures
	@Scripts/pictures --compare $(STAGE)/bin/today

clean:
	rm -rf .build
