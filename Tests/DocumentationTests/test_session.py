"""The session in Docs/Protocol.md is that of its example; RECORD=1 writes it anew."""

import json
import os
import re
import sys
import unittest
from pathlib import Path

from pages import ROOT
from program import Home

sys.path.insert(0, str(ROOT / "Tests/ScriptTests"))
from protocol_schema import Exchange, ProtocolSchema  # noqa: E402

PAGE = ROOT / "Docs/Protocol.md"
BUNDLE = ROOT / "Docs/Examples/Tea.app"
SECTION = re.compile(r"(?<=\n## A complete session\n)(.*?\n```\n)(.*?)(?=^```)", flags=re.M | re.S)
FOLDERS = {"cache": "/home/ida/.cache", "data": "/home/ida/.local/share"}


def messages(home, *words, file="trace"):
    """The messages in a trace of a command, with their direction; `file` is its name, as a test has several."""
    done = home.run(f"today {' '.join(words)} --trace trace")
    [path] = Path(home.work).glob(file)
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    return done, [(line["widget"], line["direction"], line["message"]) for line in lines if "message" in line]


class SessionTests(unittest.TestCase):
    maxDiff = None

    def played(self):
        with Home() as home:
            _, found = messages(home, "test", str(BUNDLE), file="trace-*-session")
        lines = []
        for _, direction, message in found:
            text = json.dumps(message, ensure_ascii=False, separators=(",", ":"))
            text = re.sub(r"/[\w/.-]*?today-test-\w+/(cache|data)", lambda one: FOLDERS[one.group(1)], text)
            lines.append(("→ " if direction == "to" else "← ") + text)
        return lines

    def test_the_session_is_that_of_the_example(self):
        lines = self.played()
        text = PAGE.read_text()
        shown = SECTION.search(text).group(2).splitlines()
        # Of messages that cross each other, either may be the first.
        if shown and sorted(shown) == sorted(lines):
            for mark in "→←":
                self.assertEqual([one for one in shown if one[0] == mark], [one for one in lines if one[0] == mark])
            return
        if os.environ.get("RECORD"):
            PAGE.write_text(SECTION.sub(lambda found: found.group(1) + "\n".join(lines) + "\n", text))
            self.fail("recorded")
        self.assertEqual(shown, lines)

    def test_it_has_everything_that_a_reader_looks_for(self):
        methods = {json.loads(line[2:]).get("method") for line in SECTION.search(PAGE.read_text()).group(2).splitlines()}
        for method in (
            "initialize viewWillAppear viewDidAppear widgetPerformUpdate performAction viewWillTransitionToSize "
            "transitionDidComplete beginExpiringActivity endExpiringActivity expiringActivity openURL defaultsRead "
            "defaultsWrite observeNotification postNotification didReceiveNotification setView setPreferredContentSize "
            "viewWillDisappear shutdown"
        ).split():
            self.assertIn(method, methods)

    def test_the_session_keeps_to_the_schema(self):
        exchange = Exchange(ProtocolSchema())
        for line in SECTION.search(PAGE.read_text()).group(2).splitlines():
            self.assertEqual(exchange.problem("to" if line[0] == "→" else "from", json.loads(line[2:])), "", line)
        self.assertEqual(exchange.open, {"to": {}, "from": {}}, "requests without an answer")


class TraceTests(unittest.TestCase):
    """What the program and the widgets that come with it say to each other keeps to the schema."""

    def test_a_page_with_all_widgets(self):
        with Home() as home:
            names = home.run("today list | awk '{ print $1 }'").stdout.split()
            widgets = [name for name in names if name.startswith("org.today.")]
            self.assertGreater(len(widgets), 15)
            for name in widgets:
                home.run(f"today add {name}")
            # It exits with 1 where a widget finds nothing to show on this machine.
            _, found = messages(home, "snapshot")
        exchanges, count = {}, 0
        for widget, direction, message in found:
            exchange = exchanges.setdefault(widget, Exchange(ProtocolSchema()))
            with self.subTest(f"{widget}: {json.dumps(message)[:300]}"):
                self.assertEqual(exchange.problem(direction, message), "")
            count += 1
        self.assertGreater(len(exchanges), 15)
        self.assertGreater(count, 100)

    def test_the_scenarios_of_templates(self):
        for language in ("python", "sh"):
            with Home() as home, self.subTest(language):
                home.run(f"today new Cups --language {language}")
                done, found = messages(home, "test", "Cups.widget", file="trace-*-counts")
                self.assertEqual(done.returncode, 0, done.stdout)
                exchange = Exchange(ProtocolSchema())
                self.assertGreater(len(found), 8)
                for _, direction, message in found:
                    self.assertEqual(exchange.problem(direction, message), "", message)

    def test_the_requests_of_templates(self):
        for language in ("python", "sh"):
            for kind, command in (("share", "share --yes"), ("filter", "act")):
                with Home() as home, self.subTest(f"{kind} in {language}"):
                    home.run(f"today new Shelf --kind {kind} --language {language}")
                    home.write("words.txt", "one\ntwo\n")
                    words = f"--widgets Shelf.appex {command} --with Shelf words.txt".split()
                    done, found = messages(home, *words)
                    self.assertEqual(done.returncode, 0, done.stdout)
                    exchange = Exchange(ProtocolSchema())
                    for _, direction, message in found:
                        self.assertEqual(exchange.problem(direction, message), "", message)
                    methods = {message.get("method") for _, _, message in found}
                    self.assertLessEqual({"initialize", "loadItem", "completeRequest"}, methods)
                    initialize = next(message["params"] for _, _, message in found if "method" in message)
                    self.assertEqual(initialize["reason"], "request")
                    self.assertEqual(exchange.open, {"to": {}, "from": {}}, "requests without an answer")


if __name__ == "__main__":
    unittest.main()
