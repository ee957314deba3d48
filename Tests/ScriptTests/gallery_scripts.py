"""Runs scripts of the gallery, and reads the menus that they print."""

import contextlib
import copy
import importlib.util
import io
import itertools
import os
import re
import sys
import time
import unittest
from importlib.machinery import SourceFileLoader
from pathlib import Path
from unittest import mock

from programs import Programs
from server import Server

SCRIPTS = Path(__file__).resolve().parent.parent.parent / "Gallery" / "scripts"
STYLE = re.compile(r"\x1b\[\d*m")
# What no answer may do: each takes the place of each value of a good one.
WRONG = (None, True, -1, 1e308, float("nan"), "", "-", "\x1b]0;x\x07\u202e|a=b\n--- ", "x" * 5000, [], [None], {}, {"a": None}, "9" * 400)


def path_of(name):
    """The file of a script, whatever its interval is."""
    return next(path for path in sorted(SCRIPTS.iterdir()) if path.name.split(".")[0] == name)


def module_of(name):
    """A script as a module that runs nothing."""
    path = path_of(name)
    loader = SourceFileLoader(f"gallery_{name.replace('-', '_')}", str(path))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
    sys.dont_write_bytecode = True
    loader.exec_module(module)
    return module


class Row:
    """A line of a menu."""

    def __init__(self, line):
        text, _, parameters = line.partition(" | ")
        dashes = len(text) - len(text.lstrip("-"))
        self.depth = dashes // 2
        self.styled = text[dashes:]
        self.text = STYLE.sub("", self.styled)
        link = re.search(r'href="([^"]*)"', parameters)
        self.link = link[1] if link else ""


class Printed:
    """What a script has printed: a summary, rows, and the words with which it failed."""

    def __init__(self, status, output, error):
        self.status, self.output, self.error = status, output, error.strip().split("\n")[-1]
        head, separator, body = ("", "", output[4:]) if output.startswith("---\n") else output.partition("\n---\n")
        head = head if separator or output.startswith("---\n") else output
        self.summary = STYLE.sub("", head.partition(" | ")[0]).strip()
        self.rows = [Row(line) for line in body.splitlines() if line]
        for row, next_row in reversed(list(zip(self.rows, self.rows[1:]))):
            # A fold opens what is below it.
            inside = next_row.depth > 0 and next_row.depth >= row.depth
            row.link = row.link or (next_row.link if inside else "")

    @property
    def text(self):
        return "\n".join([self.summary, *(row.text for row in self.rows)])

    @property
    def top(self):
        """The rows that are not in folds."""
        return [row for row in self.rows if row.depth == 0]

    def names(self):
        return [row.text.strip() for row in self.top]


class GalleryTest(unittest.TestCase):
    """A test with stand-ins for servers and programs."""

    @classmethod
    def setUpClass(cls):
        # One for all tests, as each takes a while to end.
        cls.server = Server()
        cls.server.__enter__()
        cls.addClassCleanup(cls.server.__exit__)
        cls.modules = {}

    def setUp(self):
        self.programs = Programs(self)
        self.cache = self.programs.folder / "cache"

    def serve(self, *answers):
        """Makes the server answer so, and forget what it was asked."""
        self.server.answers, self.server.paths, self.server.headers = list(answers), [], []
        return self.server

    def run_script(self, name, columns=60, seconds=None, **settings):
        """What a script prints with these settings."""
        if name not in self.modules:
            self.modules[name] = module_of(name)
        module = self.modules[name]
        environment = {"PATH": self.programs.path, "COLUMNS": str(columns), "XDG_CACHE_HOME": str(self.cache), "TZ": "UTC", **settings}
        output, error, status = io.StringIO(), io.StringIO(), 0
        with mock.patch.dict(os.environ, environment, clear=True), contextlib.ExitStack() as stack:
            for function in ("fetch", "run") if seconds else ():
                if hasattr(module, function):
                    slow = getattr(module, function)
                    stack.callback(setattr, module, function, slow)
                    setattr(module, function, lambda *a, slow=slow, **b: slow(*a, **{**b, "seconds": seconds}))
            stack.enter_context(contextlib.redirect_stdout(output))
            stack.enter_context(contextlib.redirect_stderr(error))
            try:
                module.main(module.show)
            except SystemExit as end:
                status = 1 if end.code else 0
                print(end.code or "", file=sys.stderr)
        return Printed(status, output.getvalue(), error.getvalue())

    def check(self, printed, columns=60, words=""):
        """Whatever an answer says, a card has rows that fit, and a failure is one sentence."""
        self.assertNotIn("Traceback", printed.error, words)
        if printed.status:
            self.assertRegex(printed.error, r"\w+ \w+", words)
            self.assertLess(len(printed.error), 301, words)
        for line in printed.output.splitlines():
            self.assertEqual([one for one in STYLE.sub("", line) if not one.isprintable()], [], words)
        for row in printed.rows:
            if row.depth == 0:
                self.assertLessEqual(len(row.text), columns, f"{words}: {row.text}")
            self.assertRegex(row.link, r"^(https?://[^\s\"'<>\\]+)?$", words)


def mutations(value):
    """Copies of an answer with a wrong value in one place, or without it, and the path of the place.

    Each place gets four of the wrong values, as all of them would take long; the place of the whole answer gets all.
    """
    turn = itertools.cycle(WRONG)

    def places(value, path):
        yield path
        # Of a long list the first ones are as good as all.
        steps = list(value)[:12] if isinstance(value, dict) else range(min(len(value), 2)) if isinstance(value, list) else ()
        for step in steps:
            yield from places(value[step], [*path, step])

    for path in places(value, []):
        if not path:
            yield from ((path, wrong) for wrong in WRONG)
            continue
        for wrong in itertools.islice(turn, 4):
            changed = copy.deepcopy(value)
            inner = changed
            for step in path[:-1]:
                inner = inner[step]
            inner[path[-1]] = wrong
            yield path, changed
        if path and isinstance(path[-1], str):
            changed = copy.deepcopy(value)
            inner = changed
            for step in path[:-1]:
                inner = inner[step]
            del inner[path[-1]]
            yield path, changed


def ago(**units):
    """A date before now: ago(hours=2)."""
    seconds = sum(count * {"minutes": 60, "hours": 3600, "days": 86400}[unit] for unit, count in units.items())
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() - seconds))
