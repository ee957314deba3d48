import datetime
import os
import stat
import tempfile
import unittest
from pathlib import Path

from widget import Widget, pressable, text

TODAY = datetime.date.today().isoformat()


class Reminders(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.file = Path(folder.name, "todo.txt")

    def widget(self, **environment):
        configuration = {"file": str(self.file)}
        return Widget("Reminders/reminders.py", configuration=configuration, **environment)

    def test_open_entries_are_listed_by_priority_and_date(self):
        self.file.write_text(
            "Later due:2099-01-02\nSooner due:2099-01-01\nx 2020-01-01 Done\n\n"
            "(B) Second\n(A) First\n"
        )
        with self.widget() as widget:
            view = widget.initialize()["view"]
        self.assertEqual(
            [text(entry) for entry in pressable(view)],
            ["A First", "B Second", "Sooner2099-01-01", "Later2099-01-02"],
        )

    def test_an_entry_that_is_late_says_so_in_bold_red(self):
        self.file.write_text("Milk due:2020-01-01\n")
        with self.widget() as widget:
            label = pressable(widget.initialize()["view"])[0]["label"]
        due = label["children"][-1]
        self.assertEqual(due["text"], "2020-01-01")
        self.assertEqual(due["style"], {"foreground": "red", "bold": True})

    def test_a_date_near_is_said_in_words(self):
        day = datetime.date.today() + datetime.timedelta(days=1)
        self.file.write_text(f"Milk due:{day.isoformat()}\nBread due:2099-13-01\n")
        with self.widget() as widget:
            entries = pressable(widget.initialize()["view"])
        self.assertEqual([text(e) for e in entries], ["Milktomorrow", "Bread due:2099-13-01"])

    def test_a_press_ticks_the_line_off_and_leaves_the_others(self):
        self.file.write_bytes(b"(A) 2020-01-01 Milk +shop\r\nb\xffd\x0b line\nlast")
        self.file.chmod(0o640)
        with self.widget() as widget:
            press = pressable(widget.initialize()["view"])[0]
            answer = widget.call("performAction", action=press["action"], value=True)
            self.assertTrue(pressable(answer["view"])[0]["isOn"])
            self.assertEqual(
                self.file.read_bytes(),
                f"x {TODAY} 2020-01-01 Milk +shop pri:A\r\n".encode() + b"b\xffd\x0b line\nlast",
            )
            self.assertEqual(stat.S_IMODE(self.file.stat().st_mode), 0o640)
            press = pressable(answer["view"])[0]
            widget.call("performAction", action=press["action"], value=False)
        self.assertEqual(
            self.file.read_bytes(), b"(A) 2020-01-01 Milk +shop\r\nb\xffd\x0b line\nlast"
        )
        self.assertEqual(os.listdir(self.file.parent), ["todo.txt"])

    def test_what_somebody_else_wrote_meanwhile_is_kept(self):
        self.file.write_text("Milk\nBread\n")
        with self.widget() as widget:
            press = pressable(widget.initialize()["view"])[1]
            self.file.write_text("New\nMilk\nBread\n")
            widget.call("performAction", action=press["action"], value=True)
            self.assertEqual(self.file.read_text(), f"New\nMilk\nx {TODAY} Bread\n")
            self.file.write_text("Nothing of it\n")
            answer = widget.call("performAction", action=press["action"], value=True)
        self.assertIn("changed by somebody else", text(answer["view"]))
        self.assertEqual(self.file.read_text(), "Nothing of it\n")

    def test_eight_are_shown_until_the_user_asks_for_more(self):
        self.file.write_text("".join(f"Entry {number}\n" for number in range(11)))
        with self.widget() as widget:
            listed = widget.initialize()["view"]["children"][0]
        self.assertEqual((len(listed["rows"]), listed["minimumVisibleRowCount"]), (11, 8))

    def test_a_removed_row_removes_its_line_and_leaves_the_others(self):
        self.file.write_bytes(b"Milk\r\nb\xffd\nMilk\nlast")
        with self.widget() as widget:
            rows = widget.initialize()["view"]["children"][0]["rows"]
            answer = widget.call("listDidRemoveRow", list="entries", row=rows[2]["id"])
            self.assertEqual(len(answer["view"]["children"][0]["rows"]), 3)
            self.assertEqual(self.file.read_bytes(), b"Milk\r\nb\xffd\nlast")
            self.file.write_text("Other\n")
            error = widget.fail("listDidRemoveRow", list="entries", row=rows[1]["id"])
        self.assertIn("changed by somebody else", error["message"])
        self.assertEqual(self.file.read_text(), "Other\n")

    def test_without_open_entries_it_says_so(self):
        self.file.write_text("x 2020-01-01 Done\n")
        with self.widget() as widget:
            listed = widget.initialize()["view"]["children"][0]
        self.assertEqual((listed["rows"], listed["emptyText"]), ([], "All done."))

    def test_nothing_new_is_no_data(self):
        self.file.write_text("Milk\n")
        with self.widget() as widget:
            widget.initialize()
            answer = widget.call("widgetPerformUpdate", reason="schedule")
            self.assertEqual(answer, {"result": "noData", "refreshAfter": 60})
            self.file.write_text("Milk\nBread\n")
            answer = widget.call("widgetPerformUpdate", reason="schedule")
        self.assertEqual(answer["result"], "newData")

    def test_no_file_and_a_bad_one_are_said(self):
        with self.widget() as widget:
            said = text(widget.initialize()["view"])
        self.assertEqual(said, f"No reminders yet.Make some:  echo Buy milk >> {self.file}")
        os.mkfifo(self.file)
        with self.widget() as widget:
            said = text(widget.initialize()["view"])
        self.assertEqual(said, f"{self.file} cannot be read: it is not a regular file")

    def test_under_test_nothing_is_written(self):
        self.file.write_text("Milk\n")
        with self.widget() as widget:
            press = pressable(widget.initialize(reason="test")["view"])[0]
            answer = widget.call("performAction", action=press["action"], value=True)
        self.assertTrue(pressable(answer["view"])[0]["isOn"])
        self.assertEqual(self.file.read_text(), "Milk\n")


if __name__ == "__main__":
    unittest.main()
