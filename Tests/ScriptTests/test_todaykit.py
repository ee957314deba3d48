import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from protocol_schema import Exchange, ProtocolSchema
from server import Server

SCHEMA = ProtocolSchema()
SHARED = Path(__file__).resolve().parents[2] / "Widgets/Shared"
PROGRAM = """
import sys
from todaykit import *

class Probe(Widget):
    def initialize(self):
        self.count = self.load("count", 0)

    def views(self):  # no hook, as "view" is there
        pass

    def view_did_apear(self):
        pass

    def fieldDidChange(self, field, text):
        pass

    def view(self):
        return text(f"{self.count} at {self.width}")

    def widget_perform_update(self, reason):
        self.count += 1
        self.store("count", self.count)
        if reason == "event":
            self.set_view(self.view())
            return None
        if reason == "schedule":
            raise Failure("no luck")
        if reason == "appear":
            self.perform_later(lambda: text("later"))
            self.perform_later(lambda: None)
            raise Failure("no luck", view=text("what is left"))
        return self.view()

    def perform_action(self, action, value):
        if action == "open":
            return text("opened" if self.open_url("https://example.com") else "not opened")
        if action == "fail":
            raise Failure("not now")
        if action == "now":
            return text(self.now().isoformat())
        if action == "leave":
            sys.exit(3)
        return [][1]

Probe().run()
"""


class KitTests(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.exchange = Exchange(SCHEMA)
        program = Path(folder.name) / "probe.py"
        program.write_text(PROGRAM)
        self.process = subprocess.Popen(
            [sys.executable, "-SB", program],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={"PATH": os.environ["PATH"], "PYTHONPATH": str(SHARED)},
        )
        self.addCleanup(self.process.stdout.close)
        self.addCleanup(self.process.stderr.close)
        self.addCleanup(self.process.wait, 10)
        self.addCleanup(self.process.stdin.close)

    def write(self, message):
        line = message if isinstance(message, str) else json.dumps({"jsonrpc": "2.0", **message})
        self.exchange.note(line)
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def read(self):
        message = json.loads(self.process.stdout.readline())
        self.assertEqual(self.exchange.problem("from", message), "", message)
        return message

    def send(self, message):
        self.write(message)
        return self.read()

    def call(self, method, **params):
        return self.send({"id": 7, "method": method, "params": params})

    def begin(self):
        containers = {"data": self.folder, "cache": self.folder, "groups": {}}
        return self.call("initialize", containers=containers, maximumSize={"width": 30, "height": 9})

    def test_it_begins_with_what_it_has_stored(self):
        Path(self.folder, "count.json").write_text("4")
        result = self.begin()["result"]
        self.assertEqual(result["protocolVersion"], 1)
        self.assertEqual(result["view"]["text"], "4 at 30")

    def test_a_stored_value_that_cannot_be_read_is_none(self):
        Path(self.folder, "count.json").write_text("{")
        self.assertEqual(self.begin()["result"]["view"]["text"], "0 at 30")

    def test_an_update_is_new_data_no_data_or_a_failure_in_words(self):
        self.begin()
        update = self.call("widgetPerformUpdate", reason="user")["result"]
        self.assertEqual(update["result"], "newData")
        self.assertEqual(update["view"]["text"], "1 at 30")
        failed = self.call("widgetPerformUpdate", reason="schedule")["result"]
        self.assertEqual(failed, {"result": "failed", "error": "no luck"})
        shown = self.call("widgetPerformUpdate", reason="event")
        self.assertEqual(shown["method"], "setView")
        self.assertEqual(self.read()["result"], {"result": "noData"})
        self.assertEqual(json.loads(Path(self.folder, "count.json").read_text()), 3)

    def test_a_failure_may_have_a_view_and_what_is_performed_later_comes_after_the_answer(self):
        self.begin()
        shown = self.call("widgetPerformUpdate", reason="appear")
        self.assertEqual((shown["method"], shown["params"]["view"]["text"]), ("setView", "what is left"))
        self.assertEqual(self.read()["result"], {"result": "failed", "error": "no luck"})
        self.assertEqual(self.read()["params"]["view"]["text"], "later")
        self.assertEqual(self.call("widgetPerformUpdate", reason="schedule")["result"]["result"], "failed")

    def test_a_press_can_ask_the_host_while_it_answers_other_messages(self):
        self.begin()
        request = self.call("performAction", action="open")
        self.assertEqual(request["method"], "openURL")
        # Nothing waits for the press.
        width = self.send({"id": 8, "method": "viewWillAppear", "params": {"size": {"width": 50}}})
        self.assertEqual(width["result"]["view"]["text"], "0 at 50")
        self.write({"id": request["id"], "result": {"success": True}})
        self.assertEqual(self.read()["result"]["view"]["text"], "opened")
        refused = self.call("performAction", action="open")
        self.write({"id": refused["id"], "error": {"code": -32001, "message": "not permitted"}})
        self.assertEqual(self.read()["result"], {"result": "failed", "error": "not permitted"})

    def test_a_fault_costs_one_answer(self):
        self.begin()
        failed = self.call("performAction", action="fail")["result"]
        self.assertEqual(failed, {"result": "failed", "error": "not now"})
        self.assertIn("IndexError", self.call("performAction", action="x")["error"]["message"])
        self.assertIn("result", self.call("widgetPerformUpdate", reason="user"))
        # Its place is in what is said on standard error, that of a failure is not.
        self.write({"method": "shutdown"})
        said = self.process.stderr.read()
        self.assertRegex(said, r'probe.py", line \d+, in perform_action\n +return \[\]\[1\]')
        self.assertNotIn("not now", said)

    def test_what_is_nearly_a_hook_is_named_and_an_action_is_announced_where_there_is_one(self):
        implemented = self.begin()["result"]["implements"]
        self.assertIn("performAction", implemented)
        self.assertNotIn("fieldDidChange", implemented)
        self.write({"method": "shutdown"})
        self.assertEqual(
            self.process.stderr.read().splitlines(),
            [
                "fieldDidChange is no method that the kit calls; did you mean field_did_change?",
                "view_did_apear is no method that the kit calls; did you mean view_did_appear?",
            ],
        )

    def test_a_widget_that_leaves_ends_with_its_status(self):
        self.begin()
        self.write({"id": 7, "method": "performAction", "params": {"action": "leave"}})
        self.assertEqual(self.process.wait(10), 3)

    def test_another_height_alone_changes_no_view(self):
        self.begin()
        size = {"width": 30, "height": 4}
        self.assertEqual(self.call("viewWillTransitionToSize", size=size)["result"], {})
        wide = self.call("viewWillTransitionToSize", size={"width": 40, "height": 4})["result"]
        self.assertEqual(wide["alongside"]["text"], "0 at 40")

    def test_messages_that_are_none_are_refused_and_unknown_ones_ignored(self):
        self.begin()
        self.assertEqual(self.send("{")["error"]["code"], -32700)
        self.assertEqual(self.send("[1]")["error"]["code"], -32600)
        self.assertEqual(self.call("unknown")["error"]["code"], -32601)
        self.assertEqual(self.send({"id": 1, "method": "performAction", "params": [1]})["error"]["code"], -32602)
        self.write({"method": "unknownNotification"})
        self.write({"id": 99, "result": {}})
        self.assertIn("result", self.call("widgetPerformUpdate", reason="user"))

    def test_the_time_of_a_test_is_the_time_of_the_widget(self):
        self.assertIn("clockDidChange", self.begin()["result"]["implements"])
        self.write({"method": "clockDidChange", "params": {"now": "2031-02-03T04:05:06Z"}})
        self.assertEqual(
            self.call("performAction", action="now")["result"]["view"]["text"],
            "2031-02-03T04:05:06+00:00",
        )

    def test_it_ends_with_its_input_and_at_shutdown(self):
        self.begin()
        self.write({"method": "shutdown"})
        self.assertEqual(self.process.wait(10), 0)


class HelperTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        sys.path.insert(0, str(SHARED))
        import todaykit

        cls.kit = todaykit

    @classmethod
    def tearDownClass(cls):
        sys.path.remove(str(SHARED))

    def failure(self, work, *arguments, **more):
        with self.assertRaises(self.kit.Failure) as caught:
            work(*arguments, **more)
        return str(caught.exception)

    def test_a_command_that_is_missing_slow_or_fails_says_so(self):
        run = self.kit.run
        self.assertEqual(run(["printf", "a\\nb"]), "a\nb")
        missing = self.failure(run, ["nowhere-at-all"], install="somewhere")
        self.assertEqual(missing, "nowhere-at-all is not installed; install it with: apt install somewhere")
        self.assertIn("within 0.1 s", self.failure(run, ["sleep", "60"], seconds=0.1))
        self.assertEqual(self.failure(run, ["sh", "-c", "echo bad >&2; exit 3"]), "sh: bad")
        self.assertEqual(run(["sh", "-c", "exit 3"], codes=(0, 3)), "")

    def test_a_server_that_is_lying_large_or_silent_says_so(self):
        fetch = self.kit.fetch
        with Server(("/ok", b"yes"), ("/large", b"x" * 2000), ("/gone", 410)) as server:
            self.assertEqual(fetch(server.url + "/ok"), b"yes")
            self.assertIn("more than 1 KiB", self.failure(fetch, server.url + "/large", limit=1024))
            self.assertIn("answered 410", self.failure(fetch, server.url + "/gone"))
            self.assertIn("not answer with JSON", self.failure(self.kit.fetch_json, server.url + "/ok"))
        self.assertIn("not the address", self.failure(fetch, "file:///etc/passwd"))

    def test_bytes_of_a_command_that_are_not_utf_8_are_replaced(self):
        self.assertEqual(self.kit.run(["printf", r"Caf\351 Z\303\274rich\377"]), "Caf\ufffd Zürich\ufffd")
        self.assertIn("odd \ufffd", self.failure(self.kit.run, ["sh", "-c", r"printf 'odd \351' >&2; exit 1"]))

    def test_numbers_are_short(self):
        self.assertEqual([self.kit.number(value) for value in (1, 1.25, 0.5)], ["1", "1.2", "0.5"])
        sizes = [self.kit.bytes_words(count) for count in (0, 1023, 1024, 1.5 * 2**30, 2**60)]
        self.assertEqual(sizes, ["0 B", "1023 B", "1 KiB", "1.5 GiB", "1048576 TiB"])


if __name__ == "__main__":
    unittest.main()
