import os
import pwd
import subprocess
import sys
import tempfile
import unittest
import unittest.mock
from pathlib import Path

from widget import ROOT, KitWidget, pressable, text

LINE = "{pid} ({name}) S 1 1 1 0 -1 0 0 0 0 0 {user} {system} 0 0 20 0 1 0 {start} 1000 {pages} 0\n"


class ParsingTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.paths = [str(ROOT / "Widgets" / name) for name in ("Shared", "Processes")]
        sys.path[:0] = cls.paths
        import process_table
        import processes

        cls.widgets, cls.module = processes, process_table

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
        for pid in range(1, 61):
            self.write(pid, LINE.format(pid=pid, name=f"p{pid}", user=pid, system=0, start=pid, pages=2 + pid))
        widget = self.widgets.Processes()
        widget.initialize()
        widget.folder = self.folder
        widget.sample()
        self.assertNotIn(1, [one.pid for one in widget.shown])
        self.assertIn("End p1 (1)?", text(widget.perform_action("ask 1 1", None)))
        # The number is that of another process now.
        self.assertIn("That process has ended.", text(widget.perform_action("ask 1 5", None)))
        self.assertIn("That process has ended.", text(widget.perform_action("ask x", None)))

    def table(self, *lines):
        return {pid: self.module.Process(pid, name, 1, 0, memory, parent) for pid, name, parent, memory in lines}

    def test_processes_are_in_the_order_that_is_chosen(self):
        found = self.table((3, "b", 1, 5), (2, "A", 1, 9), (9, "c", 2, 7))
        for order, pids in (("memory", [2, 9, 3]), ("name", [2, 3, 9]), ("pid", [2, 3, 9]), ("processor", [2, 9, 3]), ("odd", [2, 9, 3])):
            with self.subTest(order):
                self.assertEqual([one.pid for one in self.module.ordered(found, order, 9)], pids)

    def test_the_tree_has_each_process_below_the_one_that_started_it(self):
        found = self.table((1, "init", 0, 1), (2, "shell", 1, 2), (3, "make", 2, 3), (4, "cc", 3, 9), (5, "other", 1, 8))
        rows = self.module.tree(found, "memory", 9)
        self.assertEqual([(one.name, one.depth) for one in rows], [("init", 0), ("other", 1), ("shell", 1), ("make", 2), ("cc", 3)])
        # Numbers that are used again can make a circle, and chains that are too long have no room.
        circle = self.table((1, "a", 2, 1), (2, "b", 1, 2))
        self.assertEqual(sorted(one.name for one in self.module.tree(circle, "pid", 9)), ["a", "b"])
        chain = self.table(*((pid, str(pid), pid - 1, pid) for pid in range(1, 3000)))
        self.assertLessEqual(len(self.module.tree(chain, "pid", 40)), 40)

    def test_nothing_moves_while_a_question_is_open(self):
        widget = self.widgets.Processes()
        widget.initialize()
        widget.load = lambda name, standard=None: standard
        widget.before = self.table((1, "a", 0, 9), (2, "b", 1, 5), (3, "c", 1, 1))
        widget.arrange()
        widget.asked = "2 1"
        widget.before = self.table((2, "b", 1, 5), (3, "c", 1, 99))
        widget.arrange()
        self.assertEqual([one.pid for one in widget.shown], [2, 3])
        widget.asked = None
        widget.arrange()
        self.assertEqual([one.pid for one in widget.shown], [3, 2])

    def test_the_compact_card_has_those_with_the_most_also_while_a_tree_is_chosen(self):
        widget = self.widgets.Processes()
        widget.initialize()
        widget.load = lambda name, standard=None: standard
        widget.before = self.table((1, "init", 0, 1), (2, "shell", 1, 5), (3, "busy", 2, 9))
        widget.is_tree = widget.is_expanded = True
        widget.arrange()
        self.assertEqual([one.name for one in widget.shown], ["init", "shell", "busy"])
        widget.is_expanded = False
        widget.view()
        self.assertEqual([one.name for one in widget.shown], ["busy", "shell", "init"])

    def looked_at(self):
        """A widget that has looked at two processes, and is on the screen."""
        for pid in (1, 2):
            self.write(pid, LINE.format(pid=pid, name=f"p{pid}", user=0, system=0, start=pid, pages=2))
        widget = self.widgets.Processes()
        widget.folder = self.folder
        widget.load = lambda name, standard=None: standard
        widget.initialize()
        widget.sample()
        widget.draw()
        widget.is_visible.set()
        widget.time -= 2
        return widget

    def test_an_update_right_after_a_look_measures_over_a_while(self):
        widget, clock, rate = self.looked_at(), [1000.0], os.sysconf("SC_CLK_TCK")

        def wait(seconds):
            clock[0] += seconds
            self.write(1, LINE.format(pid=1, name="p1", user=int(clock[0] * rate / 2), system=0, start=1, pages=2))

        wait(0)
        widget.before, widget.shown = {}, []
        with unittest.mock.patch.multiple(self.widgets.time, monotonic=lambda: clock[0], sleep=wait):
            for _ in range(3):
                # The process with half of a processor is first each time, also without an earlier sample.
                rows = [text(row["view"]) for row in widget.widget_perform_update("user")["children"][-1]["rows"]]
                self.assertEqual(rows, ["1p150 %8 KiB", "2p20 %8 KiB"])
        self.assertLess(clock[0], 1003)

    def test_before_there_is_an_earlier_sample_the_share_is_a_dash_and_memory_sorts(self):
        widget = self.widgets.Processes()
        widget.load = lambda name, standard=None: standard
        widget.initialize()
        widget.width = 70
        widget.before = self.table((1, "a", 0, 5), (2, "b", 1, 9))
        widget.arrange()
        views = [row["view"] for row in widget.draw()["children"][-1]["rows"]]
        self.assertEqual([text(view) for view in views], ["2b–9 B", "1a–5 B"])
        self.assertNotIn("gauge", [child["type"] for view in views for child in view["children"]])
        # The columns stay where they will be.
        widths = [[child.get("frame", {}).get("width") for child in view["children"]] for view in views]
        self.module.shares({}, widget.before, 1)
        measured = widget.draw()["children"][-1]["rows"][0]["view"]["children"]
        self.assertEqual([child.get("frame", {}).get("width") for child in measured], widths[0])

    def test_a_question_has_a_cancel_button_for_the_host_and_goes_without_an_answer(self):
        widget = self.looked_at()
        question = widget.perform_action("ask 2 2", None)
        cancel = next(node for node in pressable(question) if node["action"] == "cancel")
        self.assertEqual((cancel["id"], cancel["label"]), ("cancel", "Cancel"))
        widget.time -= 2
        widget.asked_time -= 50
        widget.look()
        self.assertIn("End p2 (2)?", text(widget.latest))
        widget.time -= 2
        widget.asked_time -= 11
        self.assertNotIn("End p2 (2)?", text(widget.look()))
        self.assertIsNone(widget.asked)

    def test_a_look_has_a_view_only_where_something_has_changed_and_the_card_is_on_the_screen(self):
        widget = self.looked_at()
        self.assertIsNone(widget.look())
        self.write(3, LINE.format(pid=3, name="new", user=0, system=0, start=3, pages=2))
        # Right after another look there is none.
        self.assertIsNone(widget.look())
        widget.time -= 2
        widget.is_visible.clear()
        self.assertIsNone(widget.look())
        widget.is_visible.set()
        self.assertIn("new", text(widget.look()))
        # What a look costs says when the next one is.
        self.assertGreater(widget.look_cost, 0)

    def test_a_message_has_a_line_of_its_own_for_a_while(self):
        widget = self.looked_at()
        view = widget.perform_action("ask 9 9", None)
        self.assertEqual([child["type"] for child in view["children"]], ["hstack", "text", "list"])
        self.assertIn("PID", text(view))
        self.assertIsNone(widget.look())
        widget.note_end = 0
        widget.time -= 2
        self.assertNotIn("has ended", text(widget.look()))

    def test_a_process_that_ends_at_once_is_gone_from_the_list(self):
        widget = self.looked_at()
        asked = []

        def request(method, params, seconds=30):
            asked.append(params)
            Path(self.folder, "2", "stat").unlink()
            return {}

        widget.request = request
        view = widget.perform_action("end 2 2", None)
        self.assertEqual(asked, [{"process": 2, "startTime": 2, "signal": 15}])
        self.assertEqual([row["id"] for row in view["children"][-1]["rows"]], ["1 1"])
        self.assertIn("End: sent to p2.", text(view))

    def test_on_a_wide_card_processes_of_one_name_are_told_apart(self):
        line = "{pid} (bash) S 1 1 1 {terminal} -1 0 0 0 0 0 0 0 0 0 20 0 {pid} 0 {pid} 1000 2 0\n"
        commands = {1: (0, b"/bin/bash\0-c\0make all\0"), 2: (34818, b"-bash\0"), 3: (0, b"bash\0backup.sh\xff\0"), 4: (1025, b"")}
        for pid, (terminal, command) in commands.items():
            self.write(pid, line.format(pid=pid, terminal=terminal))
            Path(self.folder, str(pid), "cmdline").write_bytes(command)
        widget = self.widgets.Processes()
        widget.folder = self.folder
        widget.load = lambda name, standard=None: standard
        widget.initialize()
        widget.is_expanded, widget.width = True, 120
        widget.sample()
        user = os.environ.get("USER") or pwd.getpwuid(os.getuid()).pw_name
        view = widget.draw()
        self.assertIn("UserThreads", text(view["children"][0]))
        rows = [text(row["view"]) for row in view["children"][-1]["rows"]]
        words = ["bash -c make all", "bash pts/2", "bash backup.sh\ufffd", "bash tty1"]
        self.assertEqual([row[:-len("0 %8 KiB")] for row in rows], [f"{pid}{one}{user}{pid}" for pid, one in enumerate(words, 1)])

    def test_a_process_of_another_user_is_not_asked_about(self):
        widget = self.looked_at()
        widget.details_of(widget.before[2]).user = 65534
        with unittest.mock.patch("os.getuid", return_value=1000):
            widget.details_of(widget.before[1]).user = 1000
            view = widget.perform_action("ask 2 2", None)
            self.assertIn("p2 (2) belongs to another user; it cannot be ended.", text(view))
            self.assertNotIn("?", text(view))
            self.assertIn("End p1 (1)?", text(widget.perform_action("ask 1 1", None)))

    def test_a_folder_that_cannot_be_read_is_said(self):
        widget = self.widgets.Processes()
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
            rows = view["children"][1]["rows"]
            asks = [row["action"] for row in rows]
            # On a busy machine other processes may be the ones that are shown.
            self.assertRegex(asks[0], r"^ask \d+ \d+$")
            question = widget.call("performAction", action=f"ask {busy.pid} {start_time(busy.pid)}")["view"]
            self.assertIn(f"({busy.pid})?", text(question))
            self.assertEqual(len(question["children"][1]["rows"]), 3)
            actions = [node["action"] for node in pressable(question)]
            end = next(action for action in actions if action.startswith("end "))
            cancelled = widget.call("performAction", action="cancel")["view"]
            self.assertNotIn("?", text(cancelled))
            request = widget.request_of("performAction", {"action": end})
            self.assertEqual(request["method"], "sendSignal")
            self.assertEqual(request["params"]["process"], busy.pid)
            self.assertEqual(request["params"]["signal"], 15)
            widget.answer(request, {"error": {"code": -32001, "message": "is not granted"}})
            self.assertEqual(widget.read()["result"], {"result": "failed", "error": "is not granted"})

    def test_a_process_that_has_ended_is_not_asked_about(self):
        with KitWidget("Processes/processes.py") as widget:
            widget.initialize()
            widget.call("widgetPerformUpdate", reason="user")
            view = widget.call("performAction", action="ask 1999999 5")["view"]
            self.assertIn("That process has ended.", text(view))

    def test_the_key_that_removes_a_row_asks_and_a_press_on_a_head_sorts(self):
        with KitWidget("Processes/processes.py") as widget:
            widget.initialize(activeDisplayMode="expanded", maximumSize={"width": 76, "height": 30})
            view = widget.call("widgetPerformUpdate", reason="user")["view"]
            key = view["children"][1]["rows"][0]["id"]
            pushed = widget.request_of("listShouldRemoveRow", {"list": "processes", "row": key})
            self.assertIn(f"({key.split()[0]})?", text(pushed["params"]["view"]))
            self.assertEqual(widget.read()["result"], {"allowed": False})
            widget.call("performAction", action="cancel")
            actions = [span["action"] for span in spans(view) if isinstance(span, dict) and "action" in span]
            self.assertEqual(actions, ["order pid", "order name", "tree", "order processor", "order memory"])
            view = widget.call("performAction", action="order pid")["view"]
            pids = [int(row["id"].split()[0]) for row in view["children"][1]["rows"]]
            self.assertEqual(pids, sorted(pids))
            view = widget.call("performAction", action="tree")["view"]
            self.assertIn("1 ", view["children"][1]["rows"][0]["id"])
            data = widget.data
        # The order is kept.
        with KitWidget("Processes/processes.py", data=data) as again:
            again.initialize()
            again.call("performAction", action="tree")
            view = again.call("widgetPerformUpdate", reason="user")["view"]
            pids = [int(row["id"].split()[0]) for row in view["children"][1]["rows"]]
            self.assertEqual(pids, sorted(pids))


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
