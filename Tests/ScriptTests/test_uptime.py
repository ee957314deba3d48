import tempfile
import unittest
from pathlib import Path

from widget import KitWidget, text


class Uptime(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.write("uptime", "97445.20 1000.00\n")
        self.write("loadavg", "0.42 0.36 0.30 1/200 4711\n")
        self.write("stat", "cpu 1 2 3\nbtime 1709208000\nprocesses 12\n")
        (self.folder / "users").mkdir()
        self.write("users/1000", "NAME=ida\nSTATE=active\n")
        self.write("users/1001", "NAME=otto\nSTATE=lingering\n")

    def write(self, name, content):
        (self.folder / name).write_text(content)

    def widget(self):
        return KitWidget(
            "Uptime/uptime.sh", TODAY_PROC=str(self.folder), TODAY_SESSIONS=f"{self.folder}/users"
        )

    def test_a_row_tells_one_thing(self):
        with self.widget() as widget:
            rows = widget.initialize()["view"]["rows"]
        self.assertEqual([text(row[0]) for row in rows], ["Up", "Since", "Load", "Users"])
        self.assertEqual(text(rows[0][1]), "1 day 3 h")
        since = rows[1][1]["children"][0]
        self.assertEqual(since["date"], "2024-02-29T12:00:00Z")
        self.assertEqual(since["timeZone"], "Europe/Copenhagen")
        self.assertEqual(text(rows[2][1]), "0.42  0.36  0.30")
        self.assertEqual(text(rows[3][1]), "1")

    def test_more_says_what_runs_how_busy_it_was_and_which_machine_it_is(self):
        self.write("uptime", "1000.20 1500.00\n")
        self.write("stat", "cpu 1 2 3\ncpu0 1 2\ncpu1 1 2\nbtime 1709208000\nprocesses 12\n")
        (self.folder / "sys/kernel").mkdir(parents=True)
        self.write("sys/kernel/hostname", 'cl"own\n')
        self.write("sys/kernel/osrelease", "6.12.1-amd64\n")
        with self.widget() as widget:
            widget.initialize()
            self.assertEqual(widget.mode, "expanded")
            size = {"width": 60, "height": 40}
            shown = widget.notify("widgetActiveDisplayModeDidChange", activeDisplayMode="expanded", maximumSize=size)
            rows = {text(row[0]): text(row[1]) for row in shown["params"]["view"]["rows"]}
            self.assertEqual(list(rows)[:4], ["Up", "Since", "Load", "Users"])
            self.assertEqual(rows["Tasks"], "1 of 200 run")
            self.assertEqual(rows["Begun"], "12 processes since the start")
            self.assertEqual(rows["Busy"], "25 % of 2 processors since the start")
            self.assertEqual(rows["Machine"], 'cl"own  6.12.1-amd64')
            for odd in ("0.1 0.1 0.1 1/x 5\n", "0.1 0.1 0.1 /2 5\n", "0.1 0.1 0.1\n"):
                self.write("loadavg", odd)
                self.assertNotIn("Tasks", text(widget.call("viewWillAppear")["view"]))

    def test_nothing_new_is_no_data(self):
        with self.widget() as widget:
            widget.initialize()
            answer = widget.call("widgetPerformUpdate", reason="schedule")
            self.assertEqual(answer, {"result": "noData", "refreshAfter": 60})
            self.write("loadavg", "1.42 0.36 0.30 1/200 4711\n")
            answer = widget.call("widgetPerformUpdate", reason="schedule")
        self.assertEqual(answer["result"], "newData")

    def test_a_missing_source_is_said(self):
        (self.folder / "loadavg").unlink()
        (self.folder / "stat").unlink()
        with self.widget() as widget:
            rows = widget.initialize()["view"]["rows"]
            self.assertEqual(text(rows[1][1]), f"{self.folder}/loadavg cannot be read here.")
            (self.folder / "uptime").unlink()
            view = widget.call("viewWillAppear")["view"]
        self.assertEqual(text(view), f"{self.folder}/uptime cannot be read here.")

    def test_a_source_of_another_form_is_said_and_does_no_harm(self):
        for odd in ("", "\n", ".5 1\n", "1.2.3 1\n", "08.5 1\n", "-1 1\n", "9" * 30 + " 1\n", "x", "\x00\n", "5"):
            with self.subTest(odd), self.widget() as widget:
                widget.initialize()
                self.write("uptime", odd)
                self.assertEqual(text(widget.call("viewWillAppear")["view"]), f"{self.folder}/uptime cannot be read here.")
                self.write("uptime", "97445.20 1000.00\n")
                self.write("loadavg", odd)
                self.assertIn("loadavg cannot be read here.", text(widget.call("viewWillAppear")["view"]))
                self.write("loadavg", "0.42 0.36 0.30 1/200 4711\n")
        for odd in ("btime x\n", "btime 09\n", "btime\n", "btime " + "9" * 30 + "\n", "btime .5\n"):
            self.write("stat", odd)
            with self.subTest(odd), self.widget() as widget:
                self.assertEqual([text(row[0]) for row in widget.initialize()["view"]["rows"]], ["Up", "Load", "Users"])

    def test_members_may_come_in_any_order_and_be_anything_inside(self):
        lines = [
            '{"params":{"configuration":{"id":9,"method":"shutdown"}},"method":"nope","id":7}',
            '{"method":"nope","params":{"id":[{"a":"}"}]},"id":7,"jsonrpc":"2.0"}',
            '{ "id": 7, "method": "nope", "params": {} }',
            '{"jsonrpc":"2.0","method":"nope","id":7}',
        ]
        with self.widget() as widget:
            for line in lines:
                error = widget.send(line)
                self.assertEqual((error["id"], error["error"]["code"]), (7, -32601), line)
            self.assertEqual(widget.send("[1")["error"]["code"], -32700)
            self.assertEqual(widget.send('{"jsonrpc":"2.0"}')["error"]["code"], -32600)


if __name__ == "__main__":
    unittest.main()
