"""Reminders that repeat (`rec:`) or begin on a day (`t:`), and filters."""

import datetime
import sys
import tempfile
import unittest
from pathlib import Path

from widget import ROOT, Widget, is_on, presses, text

TODAY = datetime.date.today()


class Recurrence(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.path = str(ROOT / "Widgets" / "Reminders")
        sys.path.insert(0, cls.path)
        import recurrence

        cls.following = staticmethod(recurrence.following)

    @classmethod
    def tearDownClass(cls):
        sys.path.remove(cls.path)

    def test_the_next_line_counts_from_the_tick_or_with_a_plus_from_its_own_date(self):
        done = datetime.date(2031, 1, 31)  # a Friday
        for line, next_line in (
            ("Milk", None),
            ("Milk rec:0d", None),
            ("Milk rec:w", None),
            ("Milk xrec:1w", None),
            ("Milk rec:1w due:2031-01-01", "Milk rec:1w due:2031-02-07"),
            ("Milk rec:+1w due:2031-01-01 +shop", "Milk rec:+1w due:2031-01-08 +shop"),
            ("Rent rec:1m due:2031-01-30", "Rent rec:1m due:2031-02-28"),
            ("Leap rec:+1y due:2028-02-29", "Leap rec:+1y due:2029-02-28"),
            ("Work rec:1b due:2031-01-31", "Work rec:1b due:2031-02-03"),
            ("Milk rec:3d", "Milk rec:3d due:2031-02-03"),
            ("Bill t:2031-01-05 due:2031-01-10 rec:+1m", "Bill t:2031-02-05 due:2031-02-10 rec:+1m"),
            ("Bill t:2031-01-05 rec:+1m", "Bill t:2031-02-05 rec:+1m"),
            ("(A) 2030-12-01 Milk due:2031-01-01 rec:1d", "(A) 2031-01-31 Milk due:2031-02-01 rec:1d"),
            ("Odd due:2031-99-01 due:2031-01-02 rec:+1d", "Odd due:2031-99-01 due:2031-01-03 rec:+1d"),
            ("Call rec:+1w due:2031-01-01T10:30", "Call rec:+1w due:2031-01-08T10:30"),
            ("Far rec:9999y", None),
            ("Far rec:+9999d due:9999-12-30", None),
            ("b\udcffd  two  blanks rec:1d due:2031-01-31", "b\udcffd  two  blanks rec:1d due:2031-02-01"),
        ):
            with self.subTest(line):
                self.assertEqual(self.following(line, done), next_line)


class Later(unittest.TestCase):
    def test_a_day_that_is_typed_in_words_is_stored_as_its_date(self):
        with self.widget() as widget:
            # A Friday.
            widget.initialize(now="2031-01-31T12:00:00Z")
            for typed, line in (
                ("Milk due:tomorrow", "Milk due:2031-02-01"),
                ("Milk Due:FRI +shop", "Milk due:2031-02-07 +shop"),
                ("Milk due:sunday t:today", "Milk due:2031-02-02 t:2031-01-31"),
                ("Milk due:2w", "Milk due:2031-02-14"),
                ("Milk due:1m", "Milk due:2031-02-28"),
                ("Milk due:2031-03-04", "Milk due:2031-03-04"),
                ("Milk due:someday due:999y due: overdue:fri t:shirt", "Milk due:someday due:3030-01-31 due: overdue:fri t:shirt"),
                ("Milk due:fridge", "Milk due:fridge"),
            ):
                with self.subTest(typed):
                    self.file.write_text("")
                    answer = widget.call("performAction", action="add", value=typed)
                    self.assertEqual(self.file.read_text(), line + "\n")
            self.file.write_text("")
            answer = widget.call("performAction", action="add", value="Milk due:tomorrow")
            self.assertIn("Added: due tomorrow", text(answer["view"]))
            self.assertIn("Milktomorrow", text(answer["view"]))

    def test_how_the_dates_of_a_typed_entry_were_read_is_said_until_the_next_press(self):
        self.file.write_text("Bread\n")
        with self.widget(TODAY_UNDO_SECONDS="2") as widget:
            widget.initialize(now="2031-01-31T12:00:00Z", activeDisplayMode="expanded")
            for typed, words in (
                ("Milk due:fri", "Added: due 7 Feb"),
                ("Tax t:2w due:2031-03-04", "Added: due 4 Mar, listed from 14 Feb"),
                ("Milk due:someday", "Added: “due:someday” is not a day"),
            ):
                view = widget.call("performAction", action="add", value=typed)["view"]
                self.assertIn(words, text(view))
            # What needs no reading is not repeated.
            self.assertNotIn("Added", text(widget.call("performAction", action="add", value="Eggs")["view"]))
            pencil = next(one for one in presses(view) if "Bread" in text(one))["children"][-1]
            widget.call("performAction", action=pencil["action"])
            answer = widget.call("performAction", action=pencil["action"].replace("edit", "change"), value="Bread due:tomorrow")
            self.assertIn("Changed: due tomorrow", text(answer["view"]))
            # After a while it goes by itself.
            self.assertNotIn("Changed", text(widget.read()["params"]["view"]))

    def test_what_is_done_is_dim_as_a_whole(self):
        self.file.write_text("x 2031-01-31 2031-01-30 (A) Milk +shop due:2031-01-31\n(B) Bread +shop\n")
        with self.widget() as widget:
            view = widget.initialize(now="2031-01-31T12:00:00Z", activeDisplayMode="expanded")["view"]
        done = next(node for node in view["children"] if node["type"] == "fold")["children"][0]["rows"][0]["view"]
        words = done["label"]
        self.assertEqual(words["style"], {"dim": True, "strikethrough": True})
        self.assertEqual([span.get("style") for span in words["text"]], [None] * len(words["text"]))

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.file = Path(folder.name, "todo.txt")

    def widget(self, **environment):
        return Widget("Reminders/reminders.py", configuration={"file": str(self.file)}, **environment)

    def test_a_tick_makes_the_next_entry_and_a_slip_takes_it_back(self):
        before = b"(A) Rent due:2031-01-31 rec:+1m\r\nb\xffd\n"
        after = f"x {TODAY} Rent due:2031-01-31 rec:+1m pri:A\r\n".encode() + b"b\xffd\n(A) Rent due:2031-02-28 rec:+1m\n"
        self.file.write_bytes(before)
        with self.widget() as widget:
            press = presses(widget.initialize()["view"])[0]
            view = widget.call("performAction", action=press["action"], value=True)["view"]
            self.assertEqual(self.file.read_bytes(), after)
            done = next(row for row in presses(view) if "rec:" in text(row) and is_on(row))
            widget.call("performAction", action=done["action"], value=False)
            self.assertEqual(self.file.read_bytes(), before)

    def test_a_slip_takes_nothing_back_that_was_changed_meanwhile(self):
        self.file.write_text("Rent due:2031-01-31 rec:+1m\n")
        with self.widget() as widget:
            press = presses(widget.initialize()["view"])[0]
            widget.call("performAction", action=press["action"], value=True)
            changed = self.file.read_text().replace("Rent due:2031-02-28", "Rent and more due:2031-02-28")
            self.file.write_text(changed)
            view = widget.call("viewWillAppear", size={"width": 40, "height": 9})["view"]
            self.assertIn("Rent and more", text(view))
            widget.notify("widgetActiveDisplayModeDidChange", activeDisplayMode="expanded")
            view = widget.call("viewWillAppear", size={"width": 40, "height": 9})["view"]
            fold = next(node for node in view["children"] if node["type"] == "fold")
            widget.call("performAction", action=presses(fold)[0]["action"], value=False)
        self.assertEqual(self.file.read_text(), "Rent due:2031-01-31 rec:+1m\nRent and more due:2031-02-28 rec:+1m\n")

    def test_an_entry_is_not_listed_before_its_day(self):
        tomorrow = TODAY + datetime.timedelta(days=1)
        self.file.write_text(f"Milk\nTax t:{tomorrow} due:2099-01-01\nNow t:{TODAY}\nOdd t:2031-77-77\n")
        with self.widget() as widget:
            self.assertEqual([text(row) for row in presses(widget.initialize()["view"])], ["Milk", "Now", "Odd t:2031-77-77"])
            shown = widget.notify("widgetActiveDisplayModeDidChange", activeDisplayMode="expanded")["params"]["view"]
            fold = next(node for node in shown["children"] if node.get("id") == "waiting")
            self.assertEqual(text(fold), "Scheduled (1)Taxfrom tomorrow")

    def test_projects_and_contexts_are_filters(self):
        self.file.write_text("Milk +home @shop\nBread @shop\nReport +work\nCall Ida\n+home x:+y mail\n")
        with self.widget() as widget:
            widget.initialize(activeDisplayMode="expanded")
            view = widget.call("viewWillAppear", size={"width": 40, "height": 9})["view"]
            self.assertEqual(text(view["children"][0]), "+home 2   +work 1   @shop 2")
            view = widget.call("performAction", action="filter @shop")["view"]
            self.assertEqual(text(view["children"][0]), "+home 2   +work 1   @shop ×")
            self.assertEqual([text(row) for row in presses(view)], ["Milk +home @shop", "Bread @shop"])
            # In the compact card the filter is said too, and a press shows everything.
            view = widget.notify("widgetActiveDisplayModeDidChange", activeDisplayMode="compact")["params"]["view"]
            self.assertEqual([text(row) for row in presses(view)], ["Milk +home @shop", "Bread @shop"])
            self.assertIn("@shop ×", text(view["children"][-1]))
            view = widget.call("performAction", action="filter @shop")["view"]
            self.assertIn("2 more", text(view["children"][-1]))

    def test_a_filter_without_entries_says_so(self):
        self.file.write_text("Milk @shop\nBread +home\n")
        with self.widget() as widget:
            widget.initialize(activeDisplayMode="expanded")
            view = widget.call("performAction", action="filter @gone")["view"]
            self.assertEqual(next(node for node in view["children"] if node["type"] == "list")["emptyText"], "Nothing for @gone.")


if __name__ == "__main__":
    unittest.main()
