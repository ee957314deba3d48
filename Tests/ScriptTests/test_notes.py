import os
import tempfile
import unittest
from pathlib import Path

from widget import KitWidget, text


class NotesTests(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = Path(folder.name) / "notes.txt"

    def widget(self):
        return KitWidget("Notes/notes.py", configuration={"file": str(self.path)})

    def test_without_a_file_there_are_no_notes_and_the_first_line_makes_it(self):
        with self.widget() as widget:
            self.assertIn("No notes yet", text(widget.initialize()["view"]))
            answer = widget.call("performAction", action="add", value="  buy\tmilk ")
            self.assertIn("buy milk", text(answer["view"]))
        self.assertEqual(self.path.read_text(), "buy milk\n")
        self.assertEqual(self.path.stat().st_mode & 0o777, 0o600)

    def test_the_last_lines_are_shown_and_more_of_them_when_it_is_expanded(self):
        self.path.write_text("# Plan\n" + "".join(f"line {number}\n" for number in range(40)))
        with self.widget() as widget:
            words = text(widget.initialize()["view"])
            self.assertIn("line 39", words)
            self.assertNotIn("line 36", words)
            shown = widget.notify("widgetActiveDisplayModeDidChange", activeDisplayMode="expanded")
            words = text(shown["params"]["view"])
            self.assertIn("line 10", words)
            self.assertIn("… 11 more lines", words)

    def test_a_line_is_added_behind_a_last_line_without_a_line_feed(self):
        self.path.write_text("one")
        with self.widget() as widget:
            widget.initialize()
            widget.call("performAction", action="add", value="two")
            self.assertEqual(self.path.read_text(), "one\ntwo\n")
            widget.call("performAction", action="add", value="   ")
            self.assertEqual(self.path.read_text(), "one\ntwo\n")

    def test_an_update_without_a_change_is_no_data(self):
        self.path.write_text("one\n")
        with self.widget() as widget:
            widget.initialize()
            self.assertEqual(widget.call("widgetPerformUpdate", reason="schedule")["result"], "noData")
            self.path.write_text("two\n")
            answer = widget.call("widgetPerformUpdate", reason="schedule")
            self.assertEqual(answer["result"], "newData")
            self.assertIn("two", text(answer["view"]))

    def test_what_is_no_file_is_said_and_does_not_block(self):
        for make, words in ((os.mkfifo, "is no file"), (os.mkdir, "cannot be read: is a directory")):
            with self.subTest(words=words), self.widget() as widget:
                make(self.path)
                self.assertIn(words, text(widget.initialize()["view"]))
                if make is os.mkdir:
                    self.assertIn("cannot be read", text(widget.request_of("performAction", {"action": "add", "value": "x"})["params"]["view"]))
                    self.assertIn("not written: is a directory", widget.read()["error"]["message"])
                os.rmdir(self.path) if self.path.is_dir() else self.path.unlink()

    def test_what_was_typed_stays_if_it_cannot_be_written(self):
        self.path = self.path.parent / "missing" / "notes.txt"
        with self.widget() as widget:
            widget.initialize()
            view = widget.request_of("performAction", {"action": "add", "value": "Buy milk"})["params"]["view"]
            self.assertEqual(view["children"][-1]["text"], "Buy milk")
            self.assertIn("not written: no such file", widget.read()["error"]["message"])
            self.path.parent.mkdir()
            view = widget.call("performAction", action="add", value="Buy milk")["view"]
            self.assertEqual(view["children"][-1]["text"], "")
            self.assertEqual(self.path.read_text(), "Buy milk\n")

    def test_a_file_of_windows_keeps_its_line_ends(self):
        self.path.write_bytes(b"one\r\ntwo")
        with self.widget() as widget:
            widget.initialize()
            widget.call("performAction", action="add", value="three")
            self.assertEqual(self.path.read_bytes(), b"one\r\ntwo\r\nthree\r\n")

    def test_bytes_that_are_no_text_and_headings_are_shown(self):
        self.path.write_bytes(b"# Head\n\xff\x1b[2J\nlast\n")
        with self.widget() as widget:
            view = widget.initialize()["view"]
            self.assertIn("Head", text(view))
            self.assertEqual(view["children"][0]["style"], {"bold": True})


if __name__ == "__main__":
    unittest.main()
