import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from widget import ROOT, KitWidget, pressable, text

LINE = "{pid} ({name}) S 1 1 1 0 -1 0 0 0 0 0 {user} {system} 0 0 20 0 1 0 {start} 1000 {pages} 0\n"


class ParsingTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.paths = [str(ROOT / "Widgets" / name) for name in ("Shared", "Processes")]
        sys.path[:0] = cls.paths
        import processes

        cls.module = processes

    @classmethod
    def tearDownClass(cls):
        for path in cls.paths:
            sys.path.remove(path)

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def write(self, pid, line):
        Path(self.folder, str(pid)).mkdir(exist_ok=True)
        Path(self.folder, str(pid), "stat").write_text(line)

    def test_names_can_have_blanks_and_parentheses_and_odd_files_are_left_out(self):
        values = {"user": 5, "system": 7, "start": 99, "pages": 3}
        self.write(12, LINE.format(pid=12, name="a (b) c) d", **values))
        self.write(13, "13 (broken")
        self.write(14, LINE.format(pid=14, name="kernel", **{**values, "pages": 0}))
        Path(self.folder, "15").mkdir()
        Path(self.folder, "self").mkdir()
        found = self.module.processes(self.folder)
        self.assertEqual(list(found), [12])
        process = found[12]
        self.assertEqual((process.name, process.ticks, process.start), ("a (b) c) d", 12, 99))
        self.assertEqual(process.memory, 3 * os.sysconf("SC_PAGE_SIZE"))

    def test_the_share_is_of_the_time_since_the_last_sample(self):
        make = self.module.Process
        rate = os.sysconf("SC_CLK_TCK")
        before = {1: make(1, "a", 10, 0, 1), 2: make(2, "b", 10, 0, 1), 3: make(3, "c", 5, 900, 1)}
        after = {1: make(1, "a", 10, rate, 1), 2: make(2, "b", 11, rate, 1), 3: make(3, "c", 5, 800, 1)}
        after[4] = make(4, "d", 12, rate // 2, 1)
        self.module.shares(before, after, 2)
        # The second is another process than before, and the fourth has begun since then.
        self.assertEqual([one.share for one in after.values()], [50, 50, 0, 25])

    def test_a_process_that_is_not_among_the_shown_ones_has_not_ended(self):
        for pid in range(1, 31):
            self.write(pid, LINE.format(pid=pid, name=f"p{pid}", user=pid, system=0, start=pid, pages=3))
        widget = self.module.Processes()
        widget.initialize()
        widget.folder = self.folder
        widget.sample()
        self.assertNotIn(1, [one.pid for one in widget.shown])
        self.assertIn("End p1 (1)?", text(widget.perform_action("ask 1 1", None)))
        # The number is that of another process now.
        self.assertIn("That process has ended.", text(widget.perform_action("ask 1 5", None)))
        self.assertIn("That process has ended.", text(widget.perform_action("ask x", None)))

    def test_a_folder_that_cannot_be_read_is_said(self):
        widget = self.module.Processes()
        widget.initialize()
        widget.folder = self.folder + "/gone"
        with self.assertRaisesRegex(Exception, "gone cannot be read: no such file or directory"):
            widget.sample()
        widget.folder = self.folder
        with self.assertRaisesRegex(Exception, "other processes are not shown"):
            widget.sample()


class ProcessesTests(unittest.TestCase):
    def test_it_shows_processes_asks_before_a_signal_and_sends_it_through_the_host(self):
        busy = subprocess.Popen([sys.executable, "-c", "while True: pass"])
        self.addCleanup(busy.wait)
        self.addCleanup(busy.kill)
        with KitWidget("Processes/processes.py") as widget:
            widget.initialize()
            view = widget.call("widgetPerformUpdate", reason="user")["view"]
            self.assertIn("CPU", text(view))
            asks = [span["action"] for span in spans(view) if "action" in span]
            # On a busy machine other processes may be the ones that are shown.
            self.assertRegex(asks[0], r"^ask \d+ \d+$")
            question = widget.call("performAction", action=f"ask {busy.pid} {start_time(busy.pid)}")["view"]
            self.assertIn(f"({busy.pid})?", text(question))
            actions = [node["action"] for node in pressable(question)]
            end = next(action for action in actions if action.startswith("end "))
            cancelled = widget.call("performAction", action="cancel")["view"]
            self.assertNotIn("?", text(cancelled))
            request = widget.request_of("performAction", {"action": end})
            self.assertEqual(request["method"], "sendSignal")
            self.assertEqual(request["params"]["process"], busy.pid)
            self.assertEqual(request["params"]["signal"], 15)
            widget.answer(request, {"error": {"code": -32001, "message": "is not granted"}})
            self.assertEqual(widget.read()["error"]["message"], "is not granted")

    def test_a_process_that_has_ended_is_not_asked_about(self):
        with KitWidget("Processes/processes.py") as widget:
            widget.initialize()
            widget.call("widgetPerformUpdate", reason="user")
            view = widget.call("performAction", action="ask 1999999 5")["view"]
            self.assertIn("That process has ended.", text(view))


def start_time(pid):
    """When a process began, in ticks since the machine did: field 22 of proc(5), after a name that may have spaces."""
    stat = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
    return int(stat.rpartition(")")[2].split()[19])


def spans(node):
    """All spans of texts in a view."""
    if isinstance(node, list):
        return [found for one in node for found in spans(one)]
    if not isinstance(node, dict):
        return []
    own = node["text"] if isinstance(node.get("text"), list) else []
    return own + spans(node.get("children", [])) + spans(node.get("rows", []))


if __name__ == "__main__":
    unittest.main()
