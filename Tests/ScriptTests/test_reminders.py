import datetime
import os
import stat
import tempfile
import unittest
from pathlib import Path

from widget import is_on, Widget, cells, presses, text

TODAY = datetime.date.today().isoformat()


def edited(answer):
    """The field in the place of a row; None if there is none."""
    listed = next(node for node in answer["view"]["children"] if node["type"] == "list")
    return next((view for view in cells(listed) if view["type"] == "field"), None)


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
            [text(entry) for entry in presses(view)],
            ["A First", "B Second", "Sooner2099-01-01"],
        )

    def test_an_entry_that_is_late_says_so_in_bold_red(self):
        self.file.write_text("Milk due:2020-01-01\n")
        with self.widget() as widget:
            row = presses(widget.initialize()["view"])[0]
        due = row["children"][-2]
        self.assertEqual(due["text"], "2020-01-01")
        self.assertEqual(due["style"], {"foreground": "red", "bold": True})

    def test_a_date_near_is_said_in_words(self):
        day = datetime.date.today() + datetime.timedelta(days=1)
        self.file.write_text(f"Milk due:{day.isoformat()}\nBread due:2099-13-01\n")
        with self.widget() as widget:
            entries = presses(widget.initialize()["view"])
        self.assertEqual([text(e) for e in entries], ["Milktomorrow", "Bread due:2099-13-01"])

    def test_a_press_ticks_the_line_off_and_leaves_the_others(self):
        self.file.write_bytes(b"(A) 2020-01-01 Milk +shop\r\nb\xffd\x0b line\nlast")
        self.file.chmod(0o640)
        with self.widget() as widget:
            press = presses(widget.initialize()["view"])[0]
            answer = widget.call("performAction", action=press["action"], value=True)
            self.assertTrue(is_on(presses(answer["view"])[-1]))
            self.assertEqual(
                self.file.read_bytes(),
                f"x {TODAY} 2020-01-01 Milk +shop pri:A\r\n".encode() + b"b\xffd\x0b line\nlast",
            )
            self.assertEqual(stat.S_IMODE(self.file.stat().st_mode), 0o640)
            press = presses(answer["view"])[-1]
            widget.call("performAction", action=press["action"], value=False)
        self.assertEqual(
            self.file.read_bytes(), b"(A) 2020-01-01 Milk +shop\r\nb\xffd\x0b line\nlast"
        )
        self.assertEqual(os.listdir(self.file.parent), ["todo.txt"])

    def test_a_byte_order_mark_is_no_part_of_the_first_entry_and_stays(self):
        self.file.write_bytes(b"\xef\xbb\xbf(A) Milk\nBread\n")
        with self.widget() as widget:
            view = widget.initialize()["view"]
            self.assertNotIn("(A)", text(view))
            widget.call("performAction", action=presses(view)[0]["action"], value=True)
            self.assertEqual(self.file.read_bytes(), f"\ufeffx {TODAY} Milk pri:A\nBread\n".encode())

    def test_a_nul_costs_itself_and_stays_in_the_file(self):
        self.file.write_bytes(b"good one\nbad\0one\n")
        with self.widget() as widget:
            begun = widget.initialize()
            self.assertEqual([text(row["view"]) for row in self.rows(begun)], ["good one", "badone"])
            widget.call("performAction", action=presses(begun["view"])[0]["action"], value=True)
        self.assertEqual(self.file.read_bytes(), f"x {TODAY} good one\nbad\0one\n".encode())

    def test_a_file_in_utf_16_stays_one(self):
        for name, mark in (("utf-16-le", b"\xff\xfe"), ("utf-16-be", b"\xfe\xff")):
            with self.subTest(name):
                self.file.write_bytes(mark + "(A) Grüße\r\nMilch\r\n".encode(name))
                with self.widget() as widget:
                    begun = widget.initialize()
                    self.assertEqual([text(row["view"]) for row in self.rows(begun)], ["A Grüße", "Milch"])
                    widget.call("performAction", action="add", value="Käse")
                self.assertEqual(self.file.read_bytes(), mark + "(A) Grüße\r\nMilch\r\nKäse\r\n".encode(name))
        self.file.write_bytes(b"\xff\xfeabc")
        with self.widget() as widget:
            self.assertIn("cannot be read: it is not a text", text(widget.initialize()["view"]))

    def test_what_somebody_else_wrote_meanwhile_is_kept(self):
        self.file.write_text("Milk\nBread\n")
        with self.widget() as widget:
            press = presses(widget.initialize()["view"])[1]
            self.file.write_text("New\nMilk\nBread\n")
            widget.call("performAction", action=press["action"], value=True)
            self.assertEqual(self.file.read_text(), f"New\nMilk\nx {TODAY} Bread\n")
            self.file.write_text("Nothing of it\n")
            answer = widget.call("performAction", action=press["action"], value=True)
        self.assertIn("changed by somebody else", text(answer["view"]))
        self.assertEqual(self.file.read_text(), "Nothing of it\n")

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

    def rows(self, answer):
        return answer["view"]["children"][0]["rows"]

    def test_a_moved_row_moves_its_line(self):
        self.file.write_bytes(b"One\r\nTwo\nx 2020-01-01 Done\nThree")
        with self.widget() as widget:
            answer = widget.initialize()
            self.assertTrue(answer["allowsEditing"])
            names = [row["id"] for row in self.rows(answer)]
            answer = widget.call("listDidMoveRow", list="entries", row=names[0], before=names[2])
            self.assertEqual(
                self.file.read_bytes(), b"Two\nx 2020-01-01 Done\nOne\r\nThree"
            )
            order = [row["id"] for row in self.rows(answer)]
            self.assertEqual(order, [names[1], names[0], names[2]])
            widget.call("listDidMoveRow", list="entries", row=names[1], before=None)
            self.assertEqual(
                self.file.read_bytes(), b"x 2020-01-01 Done\nOne\r\nThree\nTwo"
            )
            widget.call("listDidMoveRow", list="entries", row=names[1], before=names[0])
            self.assertEqual(
                self.file.read_bytes(), b"x 2020-01-01 Done\nTwo\nOne\r\nThree"
            )

    def test_a_row_is_not_moved_against_its_priority(self):
        self.file.write_text("(A) First\nSecond\n")
        with self.widget() as widget:
            names = [row["id"] for row in self.rows(widget.initialize())]
            error = widget.fail("listDidMoveRow", list="entries", row=names[1], before=names[0])
            self.assertIn("sorted by priority", error["message"])
            error = widget.fail("listDidMoveRow", list="entries", row="nothing", before=None)
            self.assertIn("changed by somebody else", error["message"])
        self.assertEqual(self.file.read_text(), "(A) First\nSecond\n")

    def test_an_added_row_is_typed_into_a_field_and_written(self):
        self.file.write_bytes(b"Milk\r\nlast")
        with self.widget() as widget:
            widget.initialize()
            answer = widget.call("widgetListPerformAddAction", list="entries")
            field = answer["view"]["children"][-1]
            self.assertEqual((field["type"], field["action"]), ("field", "add"))
            answer = widget.call("performAction", action="add", value=" x (B)  Buy\nbread ")
            self.assertEqual(self.file.read_bytes(), b"Milk\r\nlast\r\n(B) Buy bread\r\n")
            self.assertEqual(answer["view"]["children"][-1]["text"], "")
            answer = widget.call("performAction", action="add", value=" ")
            self.assertEqual(answer["view"]["children"][-1]["text"], "")
            self.assertEqual(len(self.file.read_bytes().splitlines()), 3)
            widget.call("widgetListPerformAddAction", list="entries")
            pushed = widget.send('{"jsonrpc":"2.0","method":"widgetDidEndEditing","params":{}}')
        self.assertEqual(pushed["method"], "setView")
        self.assertEqual(pushed["params"]["view"]["children"][-1]["type"], "field")

    def test_the_field_for_a_new_row_goes_when_something_else_is_done(self):
        self.file.write_text("Milk\nBread\n")
        with self.widget() as widget:
            widget.initialize()
            pushed = widget.send('{"jsonrpc":"2.0","method":"widgetDidBeginEditing","params":{}}')
            row = self.rows(pushed["params"])[0]
            for method, params in (
                ("performAction", {"action": row["view"]["action"], "value": True}),
                ("performAction", {"action": self.rows(pushed["params"])[1]["action"]}),
                ("performAction", {"action": "add", "value": ""}),
                ("listDidRemoveRow", {"list": "entries", "row": self.rows(pushed["params"])[1]["id"]}),
            ):
                with self.subTest(method, **params):
                    view = widget.call("widgetListPerformAddAction", list="entries")["view"]
                    self.assertEqual(view["children"][-1]["type"], "field")
                    view = widget.call(method, **params)["view"]
                    self.assertNotEqual(view["children"][-1]["type"], "field")

    def test_a_pressed_row_is_edited_while_the_widget_is(self):
        self.file.write_bytes(b"Milk\r\nBread\nb\xffd\n")
        with self.widget() as widget:
            self.assertNotIn("action", self.rows(widget.initialize())[0])
            pushed = widget.send('{"jsonrpc":"2.0","method":"widgetDidBeginEditing","params":{}}')
            presses = [row["action"] for row in self.rows(pushed["params"])]
            field = edited(widget.call("performAction", action=presses[0]))
            self.assertEqual((field["type"], field["text"]), ("field", "Milk"))
            answer = widget.call("performAction", action=field["action"], value="(A) Oat  milk\n")
            self.assertIsNone(edited(answer))
            self.assertEqual(self.file.read_bytes(), b"(A) Oat milk\r\nBread\nb\xffd\n")
            answer = widget.call("performAction", action=presses[0])
            self.assertIn("changed by somebody else", text(answer["view"]))
            answer = widget.call("performAction", action=presses[2])
            self.assertIn("it is not edited here", text(answer["view"]))
            field = edited(widget.call("performAction", action=presses[1]))
            widget.call("performAction", action=field["action"], value="")
            widget.call("performAction", action=field["action"], value="Twice")
            field = edited(widget.call("performAction", action=presses[1]))
            answer = widget.call("performAction", action=field["action"], value="y" * 501)
            self.assertIn("at most 500 characters", text(answer["view"]))
        self.assertEqual(self.file.read_bytes(), b"(A) Oat milk\r\nBread\nb\xffd\n")

    def test_the_first_row_makes_the_file(self):
        with self.widget() as widget:
            widget.initialize()
            widget.call("widgetListPerformAddAction", list="entries")
            answer = widget.call("performAction", action="add", value="Milk")
        self.assertEqual(self.file.read_text(), "Milk\n")
        self.assertEqual(stat.S_IMODE(self.file.stat().st_mode), 0o600)
        self.assertEqual(len(self.rows(answer)), 1)

    def test_without_open_entries_a_field_for_one_is_offered(self):
        for content in (None, "", "x 2020-01-01 Done\n"):
            with self.subTest(content), self.widget() as widget:
                self.file.unlink(missing_ok=True)
                if content is not None:
                    self.file.write_text(content)
                fields = [node for node in widget.initialize()["view"]["children"] if node["type"] == "field"]
                self.assertEqual([(field["placeholder"], field["action"]) for field in fields], [("Add a reminder", "add")])
                view = widget.call("performAction", action="add", value="Milk")["view"]
                # It stays for the next one.
                self.assertEqual([node["type"] for node in view["children"]], ["list", "field"])
                view = widget.call("performAction", action="add", value="Bread")["view"]
                self.assertEqual([node["type"] for node in view["children"]], ["list", "field"])
                self.assertTrue(self.file.read_text().endswith("Milk\nBread\n"))
                for number in range(5):
                    view = widget.call("performAction", action="add", value=f"More {number}")["view"]
                self.assertEqual([node["type"] for node in view["children"]], ["list", "hstack"])
                self.assertEqual(len(view["children"][0]["rows"]), 3)
                self.assertEqual([node["type"] for node in view["children"][1]["children"]], ["field", "text"])
                self.assertIn("more", text(view["children"][1]))

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
            self.assertEqual(answer["result"], "noData")
            # The file is watched, so that only the words for days change by themselves.
            self.assertTrue(0 < answer["refreshAfter"] <= 86401)
            self.file.write_text("Milk\nBread\n")
            answer = widget.call("widgetPerformUpdate", reason="schedule")
        self.assertEqual(answer["result"], "newData")

    def test_no_file_and_a_bad_one_are_said(self):
        with self.widget() as widget:
            said = text(widget.initialize()["view"])
        self.assertEqual(said, f"No reminders yet.The first one makes {self.file}.")
        os.mkfifo(self.file)
        with self.widget() as widget:
            said = text(widget.initialize()["view"])
        self.assertEqual(said, f"{self.file} cannot be read: it is not a regular file")

    def test_under_test_nothing_is_written(self):
        self.file.write_text("Milk\n")
        with self.widget() as widget:
            press = presses(widget.initialize(reason="test")["view"])[0]
            answer = widget.call("performAction", action=press["action"], value=True)
        self.assertTrue(is_on(presses(answer["view"])[0]))
        self.assertEqual(self.file.read_text(), "Milk\n")

    def test_the_field_keeps_what_is_typed_when_the_file_changes(self):
        self.file.write_text("Milk\n")
        with self.widget() as widget:
            self.assertNotIn("text", widget.initialize()["view"]["children"][-1])
            self.file.write_text("Milk\nBread\n")
            view = widget.call("widgetPerformUpdate", reason="event").get("view") or {}
            self.assertNotIn("text", (view.get("children") or [{}])[-1])

    def test_a_press_on_the_pencil_edits_the_row_in_its_place(self):
        self.file.write_bytes(b"Milk\r\nb\xffd\n")
        with self.widget() as widget:
            row = self.rows(widget.initialize())[0]["view"]
            pencil = row["children"][-1]
            self.assertEqual((pencil["accessibilityLabel"], row["children"][0]["type"]), ("Edit", "toggle"))
            field = edited(widget.call("performAction", action=pencil["action"]))
            self.assertEqual((field["type"], field["text"]), ("field", "Milk"))
            self.assertIsNone(edited(widget.call("performAction", action=field["action"], value="Oat milk +shop")))
        self.assertEqual(self.file.read_bytes(), b"Oat milk +shop\r\nb\xffd\n")


if __name__ == "__main__":
    unittest.main()
