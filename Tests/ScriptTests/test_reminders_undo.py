"""A reminder that was removed can be brought back, byte for byte, by a button of the card."""

import json
import os
import select
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

from widget import Widget, presses, text


def words(answer):
    return text(answer["view"])


def settled(widget, method, **params):
    """The result of a request, before which the widget may show what others have changed."""
    widget.identifier += 1
    message = {"id": widget.identifier, "jsonrpc": "2.0", "method": method, "params": params}
    answer = widget.send(json.dumps(message))
    while answer.get("method") == "setView":
        answer = widget.read()
    return answer["result"]


def offers_undo(answer):
    return any(node["action"] == "undo" for node in presses(answer["view"]))


class Undo(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.file = Path(folder.name, "todo.txt")

    def widget(self, **environment):
        return Widget("Reminders/reminders.py", configuration={"file": str(self.file)}, **environment)

    def remove(self, widget, name):
        """Removes the row of an entry with a word in it."""
        rows = [row for node in widget.call("viewWillAppear", size={"width": 40, "height": 9})["view"]["children"]
                for row in node.get("rows", []) if name in text(row["view"])]
        return widget.call("listDidRemoveRow", list="entries", row=rows[0]["id"])

    def test_a_removed_entry_comes_back_at_its_place_byte_for_byte(self):
        for before in (
            b"one\ntwo\nthree\n", b"one\r\n(B) two  twice \r\n\r\nthree", b"\xef\xbb\xbftwo\n", b"one\ntwo", b"two",
            b"one\n\n\ntwo\n\n\nx done\n", b"caf\xe9\ntwo \xff\nthree\n", b"twin\ntwin\ntwo\ntwin\ntwin\n", b"two\r\n",
        ):
            with self.subTest(before), self.widget() as widget:
                self.file.write_bytes(before)
                widget.initialize()
                answer = self.remove(widget, "two")
                self.assertIn("Removed “", words(answer))
                self.assertTrue(offers_undo(answer))
                self.assertNotEqual(self.file.read_bytes(), before)
                answer = widget.call("performAction", action="undo")
                self.assertEqual(self.file.read_bytes(), before)
                self.assertFalse(offers_undo(answer))
                answer = widget.call("performAction", action="undo")
                self.assertIn("too late", words(answer))
                self.assertEqual(self.file.read_bytes(), before)

    def test_what_others_wrote_meanwhile_stays(self):
        for meanwhile, after in (
            (b"new\none\nthree\n", b"new\none\ntwo\nthree\n"),
            (b"one\nthree\nnew\n", b"one\ntwo\nthree\nnew\n"),
            (b"one\nnew\nthree\n", b"one\nnew\nthree\ntwo\n"),
            (b"x one\nthree", b"x one\nthree\ntwo\n"),
            (b"", b"two\n"),
            (None, b"two\n"),
        ):
            with self.subTest(meanwhile), self.widget() as widget:
                self.file.write_bytes(b"one\ntwo\nthree\n")
                widget.initialize()
                self.remove(widget, "two")
                self.file.write_bytes(meanwhile) if meanwhile is not None else self.file.unlink()
                answer = settled(widget, "performAction", action="undo")
                self.assertEqual(self.file.read_bytes(), after)
                self.assertIn("two", words(answer))

    def test_the_offer_ends_with_the_next_action_or_after_a_while(self):
        self.file.write_text("one\ntwo\nthree\n")
        with self.widget() as widget:
            widget.initialize()
            answer = self.remove(widget, "two")
            press = presses(answer["view"])[0]
            self.assertFalse(offers_undo(widget.call("performAction", action=press["action"], value=True)))
        with self.widget(TODAY_UNDO_SECONDS="0.3") as widget:
            widget.initialize()
            self.assertTrue(offers_undo(self.remove(widget, "three")))
            self.assertTrue(select.select([widget.process.stdout], [], [], 5)[0])
            pushed = widget.read()
            self.assertEqual(pushed["method"], "setView")
            self.assertFalse(offers_undo(pushed["params"]))
            self.assertFalse(select.select([widget.process.stdout], [], [], 0.5)[0])

    def test_an_entry_that_is_done_and_one_in_a_full_card_come_back(self):
        before = "".join(f"entry {number}\n" for number in range(9)) + "x 2031-01-01 bought\n"
        self.file.write_text(before)
        with self.widget() as widget:
            answer = widget.initialize()
            answer = widget.call("listDidRemoveRow", list="entries", row=answer["view"]["children"][0]["rows"][0]["id"])
            rows = sum(len(node.get("rows", [1])) for node in answer["view"]["children"])
            self.assertEqual(rows, 4)
            widget.call("performAction", action="undo")
            self.assertEqual(self.file.read_text(), before)
            widget.notify("widgetActiveDisplayModeDidChange", activeDisplayMode="expanded")
            view = widget.call("viewWillAppear", size={"width": 40, "height": 30})["view"]
            done = view["children"][-2]["children"][0]["rows"][0]["id"]
            self.assertIn("Removed “bought”", words(widget.call("listDidRemoveRow", list="done", row=done)))
            widget.call("performAction", action="undo")
            self.assertEqual(self.file.read_text(), before)

    def test_a_removal_that_cannot_be_undone_says_why(self):
        self.file.write_text("one\ntwo\n")
        with self.widget() as widget:
            widget.initialize()
            self.remove(widget, "two")
            self.file.chmod(0o444)
            self.assertIn("Not written: the file is read-only", words(settled(widget, "performAction", action="undo")))


@unittest.skipUnless(shutil.which("task"), "task is not installed: apt install taskwarrior")
class UndoOfTaskwarrior(unittest.TestCase):
    def test_a_deleted_task_comes_back_as_it_was(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        Path(folder.name, "taskrc").write_text(f"data.location={folder.name}/tasks\n")
        Path(folder.name, "tasks").mkdir()
        environment = {"HOME": folder.name, "TASKRC": f"{folder.name}/taskrc", "PATH": os.environ["PATH"]}

        def task(*arguments):
            return subprocess.run(["task", *arguments], env=environment, capture_output=True, text=True, stdin=subprocess.DEVNULL).stdout

        task("add", "Milk", "due:2031-01-02", "+shop")
        uuid = task("_get", "1.uuid").strip()
        wanted = ["_get", *(f"{uuid}.{name}" for name in ("description", "due", "tags", "status"))]
        before = task(*wanted)
        self.assertIn("Milk", before)
        configuration = {"source": "taskwarrior", "taskrc": environment["TASKRC"]}
        with Widget("Reminders/reminders.py", configuration=configuration, **environment) as widget:
            row = widget.initialize()["view"]["children"][0]["rows"][0]["id"]
            answer = settled(widget, "listDidRemoveRow", list="entries", row=row)
            self.assertIn("Removed “Milk", words(answer))
            self.assertEqual(task("rc.verbose=nothing", "status:pending", "export").strip(), "[\n]")
            self.assertIn("Milk", words(settled(widget, "performAction", action="undo")))
        self.assertEqual(task(*wanted), before)


if __name__ == "__main__":
    unittest.main()
