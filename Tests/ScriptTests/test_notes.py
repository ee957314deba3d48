import os
import select
import subprocess
import tempfile
import unittest
from pathlib import Path

from widget import KitWidget, pressable, presses, text


def words_of(row):
    """The text of a line, without what changes it."""
    return row["children"][0] if row["type"] == "hstack" else row


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

    def test_alone_on_the_screen_there_are_as_many_lines_as_it_has_room_for(self):
        self.path.write_text("".join(f"line {number}\n" for number in range(90)))
        with self.widget() as widget:
            widget.initialize()
            for height, count in ((50, 48), (20, 30), (100, 30)):
                size = {"width": 80, "height": height}
                shown = widget.notify("widgetActiveDisplayModeDidChange", activeDisplayMode="expanded", maximumSize=size)
                words = text(shown["params"]["view"])
                self.assertEqual(words.count("line "), count, height)
                self.assertIn(f"… {90 - count} more lines", words)

    def test_a_line_is_added_behind_a_last_line_without_a_line_feed(self):
        self.path.write_text("one")
        with self.widget() as widget:
            widget.initialize()
            widget.call("performAction", action="add", value="two")
            self.assertEqual(self.path.read_text(), "one\ntwo\n")
            widget.call("performAction", action="add", value="   ")
            self.assertEqual(self.path.read_text(), "one\ntwo\n")

    def test_a_line_is_changed_in_its_place_and_all_other_bytes_stay(self):
        before = b"\xef\xbb\xbf# Plan\r\nb\xffd\r\n  two  \rthree\n\n \n"
        self.path.write_bytes(before)
        with self.widget() as widget:
            view = widget.initialize(activeDisplayMode="expanded")["view"]
            # What is not text as it is shown is not changed here.
            actions = [one["action"] for one in presses(view)]
            self.assertEqual(actions, ["edit 4", "edit 2", "edit 1"])
            view = widget.call("performAction", action="edit 2")["view"]
            field = next(one for one in pressable(view) if one["action"] == "change 2")
            self.assertEqual(field["text"], "  two  ")
            view = widget.call("performAction", action="change 2", value="  2 and a half")["view"]
            self.assertEqual(self.path.read_bytes(), before.replace(b"  two  ", b"  2 and a half"))
            self.assertIn("2 and a half", text(view))
            for action, value in (("change 2", "gone"), ("edit 9", None), ("edit x", None)):
                widget.call("performAction", action=action, **({"value": value} if value else {}))
            widget.call("performAction", action="edit 1")
            widget.call("performAction", action="change 1", value="  ")
            self.assertEqual(self.path.read_bytes(), before.replace(b"  two  ", b"  2 and a half"))

    def test_a_line_that_another_program_has_changed_is_not_written_over(self):
        self.path.write_text("one\ntwo\n")
        with self.widget() as widget:
            widget.initialize()
            widget.call("performAction", action="edit 1")
            self.path.write_text("one\nother\n")
            result = widget.call("performAction", action="change 1", value="mine")
            self.assertIn("another program has changed that line", result["error"])
            self.assertIn("other", text(result["view"]))
        self.assertEqual(self.path.read_text(), "one\nother\n")

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
        for make, words in ((os.mkfifo, "is not a file"), (os.mkdir, "cannot be read: is a directory")):
            with self.subTest(words=words), self.widget() as widget:
                make(self.path)
                self.assertIn(words, text(widget.initialize()["view"]))
                if make is os.mkdir:
                    self.assertIn("cannot be read", text(widget.request_of("performAction", {"action": "add", "value": "x"})["params"]["view"]))
                    self.assertIn("not written: is a directory", widget.read()["result"]["error"])
                os.rmdir(self.path) if self.path.is_dir() else self.path.unlink()

    def test_a_file_that_cannot_be_read_is_an_update_that_failed(self):
        os.mkfifo(self.path)
        with self.widget() as widget:
            widget.initialize()
            failed = {"result": "failed", "error": f"{self.path} is not a file"}
            self.assertEqual(widget.call("widgetPerformUpdate", reason="schedule"), failed)
            self.path.unlink()
            self.path.write_text("one\n")
            self.assertIn("one", text(widget.call("widgetPerformUpdate", reason="schedule")["view"]))
            self.path.unlink()
            self.path.mkdir()
            self.assertIn("cannot be read", text(widget.request_of("widgetPerformUpdate", {"reason": "schedule"})["params"]["view"]))
            self.assertEqual(widget.read()["result"]["result"], "failed")

    def test_a_file_that_is_read_only_is_not_written(self):
        for mode in (0o400, 0o444):
            self.path.write_text("one\n")
            self.path.chmod(mode)
            with self.subTest(f"{mode:o}"), self.widget() as widget:
                widget.initialize()
                widget.request_of("performAction", {"action": "add", "value": "two"})
                self.assertIn("not written: the file is read-only", widget.read()["result"]["error"])
                self.assertEqual(self.path.read_text(), "one\n")
                self.path.chmod(0o600)

    def test_a_link_stays_and_every_name_has_the_new_line(self):
        target, name = self.path.with_name("target.txt"), self.path.with_name("name.txt")
        target.write_text("one\n")
        name.hardlink_to(target)
        self.path.symlink_to(target)
        with self.widget() as widget:
            widget.initialize()
            widget.call("performAction", action="add", value="two")
        self.assertTrue(self.path.is_symlink())
        self.assertEqual((target.read_text(), name.read_text()), ("one\ntwo\n",) * 2)

    def pushed(self, widget, seconds=2):
        """The words of a view that comes without being asked for; None if none does."""
        if not select.select([widget.process.stdout], [], [], seconds)[0]:
            return None
        return text(widget.read()["params"]["view"])

    def appear(self, widget):
        words = text(widget.initialize()["view"])
        widget.write('{"jsonrpc":"2.0","method":"viewDidAppear","params":{}}')
        return words

    def test_what_other_programs_do_with_the_file_is_shown_at_once(self):
        with self.widget() as widget:
            self.assertIn("No notes yet", self.appear(widget))
            self.path.write_text("one\n")
            self.assertIn("one", self.pushed(widget))
            with self.path.open("a") as file:
                file.write("two\n")
            self.assertIn("two", self.pushed(widget))
            subprocess.run(["sed", "-i", "s/two/three/", str(self.path)], check=True)
            self.assertIn("onethree", self.pushed(widget))
            new = self.path.with_name("new")
            new.write_text("four\n")
            new.rename(self.path)
            self.assertIn("four", self.pushed(widget))
            self.path.rename(new)
            self.assertIn("No notes yet", self.pushed(widget))
            self.path.symlink_to(new)
            self.assertIn("four", self.pushed(widget))
            new.write_text("five\n")
            self.assertIn("five", self.pushed(widget))
            self.path.unlink()
            self.assertIn("No notes yet", self.pushed(widget))
            self.path.mkdir()
            self.assertIn("cannot be read", self.pushed(widget))
            self.path.rmdir()
            self.assertIn("No notes yet", self.pushed(widget))

    def test_what_it_writes_itself_and_files_beside_it_show_nothing_more(self):
        self.path.write_text("one\n")
        with self.widget() as widget:
            self.appear(widget)
            self.assertIn("two", text(widget.call("performAction", action="add", value="two")["view"]))
            self.path.with_name("other.txt").write_text("three\n")
            self.assertIsNone(self.pushed(widget, 0.5))

    def test_what_was_typed_stays_if_it_cannot_be_written(self):
        self.path = self.path.parent / "missing" / "notes.txt"
        with self.widget() as widget:
            widget.initialize()
            view = widget.request_of("performAction", {"action": "add", "value": "Buy milk"})["params"]["view"]
            self.assertEqual(view["children"][-1]["text"], "Buy milk")
            self.assertIn("not written: no such file", widget.read()["result"]["error"])
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
            self.assertEqual(words_of(view["children"][0])["style"], {"bold": True})

    def test_only_a_heading_of_markdown_loses_its_signs(self):
        cases = {
            "# Plan": ("Plan", True), "###\tPlan B": ("Plan B", True), "  ## Plan ##": ("Plan", True), "# C#": ("C#", True), "#": (" ", True),
            "# # two": ("# two", True), "#errands milk": ("#errands milk", False), "#12 is open": ("#12 is open", False),
            "#!/bin/sh": ("#!/bin/sh", False), "####### seven": ("####### seven", False), "    # code": ("    # code", False),
        }
        for line, expected in cases.items():
            self.path.write_text(f"first\n{line}\n")
            with self.widget() as widget:
                row = words_of(widget.initialize()["view"]["children"][1])
                self.assertEqual((row["text"], row.get("style") == {"bold": True}), expected, line)

    def test_a_comment_in_a_block_of_code_is_no_heading(self):
        for lines, is_bold in (
            ("```\n# a", False), ("~~~ sh\nmake\n# a", False), ("```\n```\n# a", True), ("````\n```\n# a", False), ("```\n~~~\n# a", False),
            ("```\n``` sh\n# a", False), ("    ```\n# a", True), ("```make``` it\n# a", True), ("~~~\n  ~~~~ \n# a", True),
        ):
            self.path.write_text("\n" * 30 + lines)
            with self.widget() as widget:
                row = widget.initialize()["view"]["children"][-2]
                self.assertEqual((row["text"], row.get("style") == {"bold": True}), ("a", True) if is_bold else ("# a", False), lines)

    def test_the_newest_lines_of_a_long_file_are_shown_and_what_is_added_is_seen(self):
        self.path.write_text("".join(f"note {number} of a long file of notes\n" for number in range(20_000)) + "the newest\n")
        with self.widget() as widget:
            self.assertIn("the newest", text(widget.initialize()["view"]))
            self.assertIn("added now", text(widget.call("performAction", action="add", value="added now")["view"]))
            words = text(widget.notify("widgetActiveDisplayModeDidChange", activeDisplayMode="expanded")["params"]["view"])
            self.assertRegex(words, r"… more than \d+ more lines")
        self.assertTrue(self.path.read_bytes().endswith(b"the newest\nadded now\n"))

    def test_a_byte_order_mark_is_no_part_of_the_first_line_and_stays(self):
        self.path.write_bytes(b"\xef\xbb\xbf# Shopping\r\nmilk\r\n")
        with self.widget() as widget:
            widget.initialize()
            view = widget.call("performAction", action="add", value="bread")["view"]
            self.assertEqual([text(node) for node in view["children"][:3]], ["Shopping", "milk", "bread"])
        self.assertEqual(self.path.read_bytes(), b"\xef\xbb\xbf# Shopping\r\nmilk\r\nbread\r\n")

    def test_every_byte_before_an_added_line_stays(self):
        for before in (b"", b"one", b"one\r\ntwo", b"x" * 5000 + b"\r\ny", b"caf\xe9\n", b"a\x0cb\x85c\n", b"\xef\xbb\xbf", b"\n\n", b"a\rb\r", b"x" * 300_000, b"\xff\xfe\xfd"):
            with self.subTest(before[:20]), self.widget() as widget:
                self.path.write_bytes(before)
                widget.initialize()
                answer = widget.request_of("performAction", {"action": "add", "value": "new"})
                after = self.path.read_bytes()
                self.assertTrue(after.startswith(before))
                if before.startswith(b"\xff\xfe"):
                    # UTF-16, in which a line of UTF-8 would be other characters.
                    self.assertEqual(after, before)
                    self.assertIn("not a text in UTF-8", widget.read()["result"]["error"])
                else:
                    self.assertEqual(after[len(before):].strip(), b"new", answer)

    def test_what_another_program_adds_at_the_same_time_stays(self):
        self.path.write_text("begin\n")
        script = 'i=0; while [ $i -lt 300 ]; do echo "other $i" >>"$0"; i=$((i+1)); done'
        writer = subprocess.Popen(["/bin/sh", "-c", script, str(self.path)])
        added = 0
        with self.widget() as widget:
            widget.initialize()
            while writer.poll() is None or not added:
                widget.call("performAction", action="add", value=f"mine {added}")
                added += 1
        lines = self.path.read_text().splitlines()
        self.assertEqual([line for line in lines if line.startswith("other")], [f"other {number}" for number in range(300)])
        self.assertEqual([line for line in lines if line.startswith("mine")], [f"mine {number}" for number in range(added)])


if __name__ == "__main__":
    unittest.main()
