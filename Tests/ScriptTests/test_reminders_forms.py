"""The compact and the expanded form of Reminders."""

import datetime
import tempfile
import unittest
from pathlib import Path

from widget import is_on, Widget, cells, presses, text

TODAY = datetime.date.today()


def day(number):
    return (TODAY + datetime.timedelta(days=number)).isoformat()


class Forms(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.file = Path(folder.name, "todo.txt")

    def widget(self, **configuration):
        return Widget("Reminders/reminders.py", configuration={"file": str(self.file), **configuration})

    def expanded(self, widget):
        answer = widget.notify("widgetActiveDisplayModeDidChange", activeDisplayMode="expanded")
        return answer["params"]["view"]["children"]

    def said(self, nodes):
        """Headings, rows and what else there is, in order."""
        words = []
        for node in nodes:
            inside = node["children"] if node["type"] == "fold" else [node]
            words += [text(node["label"])] if node["type"] == "fold" else []
            for one in inside:
                words += [text(cell) for cell in cells(one)] if one["type"] == "list" else [text(one)]
        return words

    def test_four_entries_need_no_more(self):
        self.file.write_text("One\nTwo\nThree\nFour\n")
        with self.widget() as widget:
            view = widget.initialize()["view"]
        self.assertEqual((self.said(view["children"]), widget.mode), (["One", "Two", "Three", "Four", ""], "compact"))

    def test_the_next_three_and_how_many_more_and_how_many_are_late(self):
        self.file.write_text(f"(A) One\n(B) Two\n(C) Three\nFour due:{day(-1)}\nFive\n")
        with self.widget() as widget:
            view = widget.initialize()["view"]
        self.assertEqual(self.said(view["children"]), ["A One", "B Two", "C Three", "2 more, 1 late"])
        self.assertEqual(widget.mode, "expanded")

    def test_there_is_more_where_entries_are_of_several_days_or_done(self):
        for lines, mode in (
            (f"One due:{day(0)}\nTwo\n", "expanded"),
            (f"One due:{day(0)}\nTwo due:{day(0)}\n", "compact"),
            ("One\nx 2020-01-01 Two\n", "expanded"),
            ("x 2020-01-01 Two\n", "expanded"),
            ("", "compact"),
        ):
            self.file.write_text(lines)
            with self.subTest(lines), self.widget() as widget:
                widget.initialize()
                self.assertEqual(widget.mode, mode)

    def test_expanded_entries_are_grouped_by_their_days_and_the_done_ones_are_folded(self):
        self.file.write_text(
            f"Letter due:{day(-40)}\n(A) Bill due:{day(-1)}\n(A) Ida\nMilk due:{day(0)}\nBread due:{day(1)}\n"
            f"Shoes due:{day(7)}\nBand due:{day(8)}\nx {day(-3)} {day(-9)} Old\nx {day(-1)} New\n"
        )
        with self.widget() as widget:
            widget.initialize()
            nodes = self.expanded(widget)
        said = self.said(nodes)
        self.assertEqual([words for words in said if words.partition(" ")[0] in ("Late", "Today", "Tomorrow", "Next", "Later", "No")], [
            "Late", "Today", "Tomorrow", "Next 7 days", "Later", "No date",
        ])
        self.assertEqual(said[-4:-1], ["Done (2)", "New", "Old"])
        self.assertTrue(said[1].startswith("Letter"))
        self.assertEqual(said[2], "A Billyesterday")
        # What the heading says is not said again.
        self.assertEqual(said[said.index("Today") + 1], "Milk")
        self.assertEqual([node["type"] for node in nodes][-2:], ["fold", "field"])

    def test_expanded_entries_are_grouped_by_their_projects(self):
        self.file.write_text("Milk\n(A) Ida +town\n(B) Bill +office +town\n(C) Band +town\n")
        with self.widget(groups="project") as widget:
            widget.initialize()
            said = self.said(self.expanded(widget))
        self.assertEqual(said[0], "+office 1   +town 3")
        self.assertEqual(said[1:-1], ["town", "A Ida +town", "C Band +town", "office", "B Bill +office +town", "No project", "Milk"])

    def test_without_groups_it_is_one_list(self):
        self.file.write_text(f"One due:{day(0)}\nTwo\n(A) Three +town\nFour\nFive\n")
        with self.widget(groups="none") as widget:
            widget.initialize()
            nodes = self.expanded(widget)
        self.assertEqual([node["id"] for node in nodes], ["entries", "draft"])
        self.assertEqual(len(cells(nodes[0])), 5)

    def test_a_press_opens_what_is_done_again(self):
        self.file.write_text("Milk\nx 2020-01-02 Bread pri:B\n")
        with self.widget() as widget:
            widget.initialize()
            press = presses(self.expanded(widget)[-2])[0]
            self.assertTrue(is_on(press))
            view = widget.call("performAction", action=press["action"], value=False)["view"]
            self.assertEqual(self.file.read_text(), "Milk\n(B) Bread\n")
            self.assertEqual(self.said(view["children"]), ["B Bread", "Milk", ""])

    def test_open_entries_come_first_and_none_is_hidden_by_one_that_was_just_done(self):
        self.file.write_text("One\nTwo\nThree\nFour\nFive\n")
        with self.widget() as widget:
            view = widget.initialize()["view"]

            def press(word):
                nonlocal view
                row = next(row for row in presses(view) if text(row) == word)
                view = widget.call("performAction", action=row["action"], value=not is_on(row))["view"]
                return self.said(view["children"])

            self.assertEqual(press("One"), ["Two", "Three", "Four", "1 more"])
            self.assertEqual(press("Two"), ["Three", "Four", "Five", ""])
            # What was done last is the first that there is room for, so that a slip can be taken back.
            self.assertEqual(press("Three"), ["Four", "Five", "Three", ""])
            self.assertEqual(press("Three"), ["Three", "Four", "Five", ""])
            self.assertEqual(press("Three"), ["Four", "Five", "Three", ""])
            self.assertEqual(press("Four"), ["Five", "Four", "Three", ""])
            self.assertEqual([is_on(row) for row in presses(view)], [False, True, True])
            view = widget.call("viewWillAppear", size={"width": 40, "height": 9})["view"]
            self.assertEqual(self.said(view["children"]), ["Five", ""])

    def test_what_was_just_done_is_below_the_open_entries_of_its_group(self):
        self.file.write_text(f"One due:{day(-9)}\nTwo due:{day(-5)}\nMilk due:{day(0)}\nBread due:{day(0)}\n")
        with self.widget() as widget:
            widget.initialize()
            for word in ("One", "Milk"):
                row = next(row for row in presses({"children": self.expanded(widget)}) if text(row).startswith(word))
                widget.call("performAction", action=row["action"], value=True)
            said = self.said(self.expanded(widget))
        self.assertEqual([words.split()[0][:3] for words in said[:-1]], ["Lat", "Two", "One", "Tod", "Bre", "Mil"])

    def test_a_row_is_moved_to_the_end_of_the_open_ones_and_one_that_was_just_done_is_not_moved(self):
        self.file.write_text("One\nTwo\nThree\n")
        with self.widget() as widget:
            row = presses(widget.initialize()["view"])[1]
            rows = widget.call("performAction", action=row["action"], value=True)["view"]["children"][0]["rows"]
            self.assertEqual([(text(row["view"]), row.get("canMove", True)) for row in rows], [("One", True), ("Three", True), ("Two", False)])
            for other in (rows[2]["id"], None):
                self.file.write_text(f"One\nx {TODAY} Two\nThree\n")
                widget.call("listDidMoveRow", list="entries", row=rows[0]["id"], before=other)
                self.assertEqual(self.file.read_text(), f"x {TODAY} Two\nThree\nOne\n")
            error = widget.fail("listDidMoveRow", list="entries", row=rows[2]["id"], before=rows[0]["id"])
            self.assertIn("cannot be moved there", error["message"])

    def test_rows_are_moved_inside_of_their_group(self):
        self.file.write_text(f"One due:{day(0)}\nTwo\nThree due:{day(0)}\nFour\nFive\n")
        with self.widget() as widget:
            widget.initialize()
            nodes = self.expanded(widget)
            lists = {node["id"]: [row["id"] for row in node["rows"]] for node in nodes if node["type"] == "list"}
            self.assertEqual(list(lists), ["entries today", "entries undated"])
            first, second = lists["entries today"]
            widget.call("listDidMoveRow", list="entries today", row=first, before=None)
            self.assertEqual([line.split()[0] for line in self.file.read_text().splitlines()], ["Two", "Three", "Four", "Five", "One"])
            rows = lists["entries undated"]
            widget.call("listDidMoveRow", list="entries undated", row=rows[2], before=rows[0])
            self.assertEqual([line.split()[0] for line in self.file.read_text().splitlines()], ["Five", "Two", "Three", "Four", "One"])

    def test_the_end_of_the_compact_list_is_before_the_next_entry(self):
        self.file.write_text("One\nTwo\nThree\nFour\nFive\n")
        with self.widget() as widget:
            names = [row["id"] for row in widget.initialize()["view"]["children"][0]["rows"]]
            widget.call("listDidMoveRow", list="entries", row=names[0], before=None)
            self.assertEqual(self.file.read_text(), "Two\nThree\nOne\nFour\nFive\n")

    def test_while_it_is_edited_all_entries_are_shown_and_a_new_one_is_below_them(self):
        for count in (4, 5):
            self.file.write_text("".join(f"Entry {number}\n" for number in range(count)))
            with self.subTest(count), self.widget() as widget:
                widget.initialize()
                nodes = widget.notify("widgetDidBeginEditing")["params"]["view"]["children"]
                self.assertEqual([len(node["rows"]) for node in nodes], [count])
                self.assertEqual(widget.mode, "expanded" if count > 4 else "compact")
                nodes = widget.call("widgetListPerformAddAction", list="entries")["view"]["children"]
                self.assertEqual((len(nodes[0]["rows"]), nodes[1]["type"]), (count, "field"))

    def test_one_list_takes_new_entries(self):
        self.file.write_text(f"One due:{day(0)}\nTwo\nx 2020-01-01 Three\n")
        with self.widget() as widget:
            widget.initialize()
            nodes = self.expanded(widget)
        lists = [inside for node in nodes for inside in (node["children"] if node["type"] == "fold" else [node]) if inside["type"] == "list"]
        self.assertEqual([one.get("allowsAdding", True) for one in lists], [False, True, False])

    def test_a_time_behind_a_day_is_no_hindrance_and_hidden_entries_are_not_listed(self):
        self.file.write_text("Milk due:2031-02-04T10:30\nBread DUE:2031-02-03\nEggs due:2031-02-04Tx\nh:1 +garden\nx 2031-02-02 h:1 Old\n")
        with self.widget() as widget:
            view = widget.initialize(now="2031-02-03T12:00:00Z", activeDisplayMode="expanded")["view"]
        said = " ".join(self.said(view["children"]))
        for part in ("Today Bread Tomorrow Milk No date", "Eggs due:2031-02-04Tx"):
            self.assertIn(part, said)
        for part in ("garden", "Old"):
            self.assertNotIn(part, said)

    def test_what_is_behind_the_words_that_are_shown_of_a_long_line_counts(self):
        self.file.write_text(f"Milk {'and ' * 400}due:2031-02-04\n{'Long ' * 200}h:1\nBread t:2031-02-09 {'x' * 900}\n")
        with self.widget() as widget:
            view = widget.initialize(now="2031-02-03T12:00:00Z", activeDisplayMode="expanded")["view"]
        said = " ".join(self.said(view["children"]))
        self.assertRegex(said, r"^Tomorrow Milk (and )+")
        self.assertNotIn("Long", said)
        self.assertNotIn("x" * 501, said)

    def test_under_test_days_are_those_of_the_test(self):
        self.file.write_text("Milk due:2031-02-04\nBread\n")
        with self.widget() as widget:
            view = widget.initialize(now="2031-02-03T12:00:00Z")["view"]
            self.assertIn("Milktomorrow", self.said(view["children"]))
            widget.write('{"jsonrpc":"2.0","method":"clockDidChange","params":{"now":"2031-02-04T23:59:30Z"}}')
            answer = widget.call("widgetPerformUpdate", reason="schedule")
            self.assertIn("Milktoday", self.said(answer["view"]["children"]))
            self.assertEqual(answer["refreshAfter"], 31)


if __name__ == "__main__":
    unittest.main()
