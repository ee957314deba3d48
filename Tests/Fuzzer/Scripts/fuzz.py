#!/usr/bin/python3 -B
"""Passes random bytes to the parsers of the widgets in Python, and finds exceptions and what takes long.

    fuzz.py [--seconds S] [--seed N] [--found DIR] [FILE…]

With files, only those are run: DIR/feed-1 is for the target `feed`. Otherwise it runs for a share of S seconds, 600 by
default; the rest is for the parsers of the program. An input with a fault is stored in --found and ends the run with 1.
"""

import argparse
import random
import signal
import sys
import time
import traceback
from pathlib import Path

from mutation import mutated
from targets import TARGETS

SHARE = 0.2
# Of processor time, for one input.
LIMIT_SECONDS = 1


class TooSlow(BaseException):
    """An input has taken longer than one may; no parser catches it."""


def too_slow(*_):
    raise TooSlow(f"more than {LIMIT_SECONDS} s of processor time")


def fault(target, content):
    """What is wrong with an input, as a traceback; None if nothing is."""
    signal.setitimer(signal.ITIMER_VIRTUAL, LIMIT_SECONDS)
    try:
        target.run(content)
    except (Exception, TooSlow):
        return traceback.format_exc(limit=-6)
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    return None


def replay(files):
    """Runs files; those of other targets are for the other fuzzer."""
    count = 0
    for file in files:
        target = next((one for one in TARGETS if Path(file).name.startswith(one.name + "-")), None)
        if target and (words := fault(target, Path(file).read_bytes())):
            print(f"{file}\n{words}")
            count += 1
    return count


def search(seconds, seed, found):
    """Runs random inputs for some seconds."""
    print(f"seed {seed}, {int(seconds)} s for widgets in Python, inputs are kept in {found}", flush=True)
    generator = random.Random(seed)
    end, count = time.monotonic() + seconds, 0
    while time.monotonic() < end:
        target = generator.choice(TARGETS)
        content = mutated(generator, target)
        count += 1
        if words := fault(target, content):
            Path(found).mkdir(parents=True, exist_ok=True)
            path = Path(found, f"{target.name}-{seed}-{count}")
            path.write_bytes(content)
            print(f"a fault after {count} inputs of seed {seed}: {path}\n{words}")
            return 1
    print(f"{count} inputs in {int(seconds)} s, {int(count / max(1, seconds))}/s, 0 faults")
    return 0


def main():
    parser = argparse.ArgumentParser(description="Finds faults of the parsers of widgets in Python.")
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--corpus", help="of the other fuzzer")
    parser.add_argument("--target", help="of the other fuzzer, which then is alone")
    parser.add_argument("--found", default="Tests/Fuzzer/Found")
    parser.add_argument("files", nargs="*")
    options = parser.parse_args()
    signal.signal(signal.SIGVTALRM, too_slow)
    if options.files:
        sys.exit(1 if replay(options.files) else 0)
    sys.exit(0 if options.target else search(options.seconds * SHARE, options.seed, options.found))


if __name__ == "__main__":
    main()
