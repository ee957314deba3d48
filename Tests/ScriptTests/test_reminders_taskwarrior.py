import datetime
import json
import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

from programs import Programs
from widget import is_on, Widget, cells, presses, text

OPTIONS = "rc.verbose=nothing rc.recurrence.confirmation=off rc.json.array=on rc.color=off rc.gc=off"
MILK = "cefdcb23-72b6-4349-8359-97a84cb1f221"
CALL = "284c7f7c-8f3e-4b81-b759-4971127b708c"
# As Taskwarrior 2.6.2 prints it.
EXPORT = f"""[
{{"id":2,"description":"Call \\"Ida\\" \\/ \u00e6","entry":"20261124T142453Z","modified":"20261124T142453Z","status":"pending","uuid":"{CALL}","urgency":0}},
{{"id":1,"description":"Buy milk","due":"20200105T000000Z","entry":"20261124T142453Z","modified":"20261124T142453Z","priority":"H","project":"Home.Kitchen","status":"pending","uuid":"{MILK}","tags":["shop","next"],"urgency":13.6746}}
]
"""


def rows(answer):
    return next(node for node in answer["view"]["children"] if node["type"] == "list")["rows"]


def edited(answer):
    """The field in the place of a row; None if there is none."""
    listed = next(node for node in answer["view"]["children"] if node["type"] == "list")
    return next((view for view in cells(listed) if view["type"] == "field"), None)


class RecordedTaskwarrior(unittest.TestCase):
    def setUp(self):
        self.programs = Programs(self)

    def widget(self, **configuration):
        configuration = {"source": "taskwarrior", **configuration}
        return Widget("Reminders/reminders.py", configuration=configuration, PATH=self.programs.path)

    def said(self, output, status=0):
        self.programs.add("task", ("*export", output, status))
        with self.widget() as widget:
            return text(widget.initialize()["view"])

    def test_tasks_are_shown_as_the_entries_of_a_file_are(self):
        self.programs.add("task", ("*export", EXPORT))
        with self.widget() as widget:
            answer = widget.initialize()
        entries = presses(answer["view"])
        self.assertEqual(
            [text(entry) for entry in entries],
            ["H Buy milk Home.Kitchen +shop +next2020-01-05", 'Call "Ida" / \u00e6'],
        )
        label, due = entries[0]["label"]["children"][0], entries[0]["label"]["children"][-1]
        self.assertEqual(due["style"], {"foreground": "red", "bold": True})
        self.assertEqual(label["text"][0]["style"], {"foreground": "red", "bold": True})
        self.assertEqual([span["style"]["dim"] for span in label["text"][1:]], [False, False, True, True, True])
        self.assertEqual([row["canMove"] for row in rows(answer)], [False, False])
        calls = [call.removeprefix(OPTIONS + " ") for call in self.programs.calls("task")]
        week = datetime.date.today() - datetime.timedelta(days=7)
        exported = f"( status:pending or ( status:completed end.after:{week} ) ) export"
        self.assertEqual(calls, ["_get rc.data.location", exported])

    def test_a_task_that_is_not_one_is_left_out_and_told(self):
        good = json.loads(EXPORT)[0]
        bad = [
            {**good, "uuid": "1 rc.data.location=/tmp"}, {**good, "description": 3}, {**good, "status": None},
            "task", None,
            {name: value for name, value in good.items() if name != "description"},
        ]
        said = self.said(json.dumps([*bad, good]))
        self.assertEqual(said, f'{len(bad)} tasks cannot be readCall "Ida" / \u00e6')

    def test_a_member_of_another_form_costs_itself(self):
        good = {**json.loads(EXPORT)[0], "description": "Call Ida"}
        for odd in (
            {"tags": [1]}, {"tags": "town,home"}, {"tags": None}, {"due": "tomorrow"}, {"due": "99999999T999999Z"}, {"due": 5}, {"due": ""},
            {"urgency": "high"}, {"urgency": None}, {"priority": ["H"]}, {"project": True}, {"project": None}, {"uuid": good["uuid"].upper()},
            {"end": 5},
        ):
            with self.subTest(odd):
                said = self.said(json.dumps([{**good, **odd}]))
                self.assertIn("Call Ida", said)
                self.assertNotIn("cannot be read", said)
        self.assertIn("+town +home", self.said(json.dumps([{**good, "tags": "town,home"}])))
        self.assertIn("Call Ida", self.said("\ufeff" + json.dumps([good])))

    def test_a_byte_that_is_not_text_costs_itself_and_a_broken_task_its_line(self):
        good, other = json.loads(EXPORT)[0], json.loads(EXPORT)[1]
        for bytes_, shown in (
            (b"caf\xe9", "caf\ufffd"), (b"half \\ud83d!", "half \ufffd!"), (b"\\\\ud83d", "\\ud83d"), (b"crab \\ud83e\\udd80", "crab \U0001f980"),
            (b"halves \\udd80\\uD83E", "halves \ufffd\ufffd"), (b"crab \xed\xa0\xbe\xed\xb6\x80", "crab \U0001f980"), (b"half \xed\xa0\xbe", "half \ufffd\ufffd\ufffd"),
        ):
            export = json.dumps([{**good, "description": "@@"}, other]).encode().replace(b"@@", bytes_)
            said = self.said(export)
            self.assertIn(shown, said)
            self.assertIn(other["description"].split()[0], said)
        lines = [json.dumps(other), '{"id": 1, "uuid": "broken', json.dumps({**good, "urgency": float("nan")})]
        said = self.said(("[\n" + ",\n".join(lines) + "\n]\n").encode())
        self.assertIn("1 task cannot be read", said)
        self.assertIn(other["description"].split()[0], said)

    def test_numbers_that_are_too_large_are_limited(self):
        tasks = [
            {**json.loads(EXPORT)[0], "urgency": 10 ** 400, "description": "First"},
            {**json.loads(EXPORT)[1], "urgency": -1e308, "due": None, "description": "Last"},
        ]
        del tasks[1]["due"]
        self.assertTrue(self.said(json.dumps(tasks)).startswith("First"))

    def test_what_is_no_export_is_told(self):
        cannot = "Taskwarrior cannot be read: "
        self.assertEqual(self.said("{}"), cannot + "task export did not print a list of tasks")
        self.assertEqual(self.said("[NaN]"), "1 task cannot be read")
        for output in ("", "[", "[" * 100_000):
            self.assertEqual(self.said(output), cannot + "task export printed something other than tasks")
        self.assertEqual(self.said("[" + " " * 5_000_000 + "]"), cannot + "task printed more than 4 MiB")
        self.assertEqual(self.said("No such thing.\n", 2), cannot + "No such thing.")
        self.assertEqual(
            self.said("TASKRC override: /x\nCannot proceed without rc file.\n", 2),
            cannot + "Taskwarrior has no configuration yet; enter “task” in a terminal once",
        )

    def test_a_missing_program_is_told(self):
        with self.widget() as widget:
            said = text(widget.initialize()["view"])
        self.assertEqual(
            said, "Taskwarrior cannot be read: task is not installed; install it with: apt install taskwarrior"
        )

    def test_many_tasks_fit_in_a_view(self):
        task = json.loads(EXPORT)[0]
        tasks = [{**task, "uuid": f"{index:08x}{CALL[8:]}"} for index in range(1000)]
        self.programs.add("task", ("*export", json.dumps(tasks)))
        with self.widget() as widget:
            answer = widget.initialize()
            self.assertEqual((len(rows(answer)), widget.mode), (3, "expanded"))
            self.assertTrue(text(answer["view"]).endswith("997 more"))
            answer = widget.notify("widgetActiveDisplayModeDidChange", activeDisplayMode="expanded")["params"]
        self.assertEqual(len(rows(answer)), 200)
        self.assertTrue(text(answer["view"]).endswith("The first 200 of 1000"))

    def test_a_task_that_was_just_done_is_below_the_open_ones(self):
        self.programs.add("task", ("*export", json.dumps(json.loads(EXPORT)[::-1])))
        with self.widget() as widget:
            press = presses(widget.initialize(reason="test")["view"])[0]
            for value, words in ((True, ["Call", "H Buy"]), (False, ["H Buy", "Call"])):
                view = widget.call("performAction", action=press["action"], value=value)["view"]
                self.assertEqual([text(row).startswith(word) for row, word in zip(presses(view), words)], [True, True])

    def test_under_test_nothing_is_changed(self):
        one = f"[{json.dumps(json.loads(EXPORT)[0])}]"
        self.programs.add("task", ("*export", one))
        with self.widget() as widget:
            press = presses(widget.initialize(reason="test")["view"])[0]
            answer = widget.call("performAction", action=press["action"], value=True)
            self.assertTrue(is_on(presses(answer["view"])[0]))
            answer = widget.call("performAction", action=press["action"], value=False)
            self.assertFalse(is_on(presses(answer["view"])[0]))
            widget.call("performAction", action="add", value="New")
            answer = widget.call("listDidRemoveRow", list="entries", row=CALL)
            self.assertEqual(rows(answer), [])
        self.assertTrue(all(call.endswith((" export", "location")) for call in self.programs.calls("task")))


@unittest.skipUnless(shutil.which("task"), "task is not installed: apt install taskwarrior")
class RealTaskwarrior(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.environment = {"HOME": folder.name}  # without one, task crashes
        self.configuration = Path(folder.name, "taskrc")
        self.configuration.write_text(f"data.location={folder.name}/tasks\n")
        os.mkdir(f"{folder.name}/tasks")

    def task(self, *words):
        environment = {**self.environment, "PATH": os.environ["PATH"], "TASKRC": str(self.configuration), "TZ": "UTC"}
        done = subprocess.run(
            ["task", "rc.verbose=nothing", "rc.confirmation=off", *words],
            env=environment, stdin=subprocess.DEVNULL, capture_output=True, check=True, text=True,
        )
        return done.stdout

    def tasks(self):
        return json.loads(self.task("export"))

    def widget(self):
        configuration = {"source": "taskwarrior", "taskrc": str(self.configuration)}
        return Widget("Reminders/reminders.py", configuration=configuration, **self.environment)

    def test_pending_tasks_are_listed_by_urgency(self):
        day = datetime.date.today() + datetime.timedelta(days=1)
        self.task("add", "Later")
        self.task("add", "priority:M", f"due:{day}", "Sooner")
        self.task("add", "wait:2099-01-01", "Hidden")
        self.task("add", "recur:weekly", "due:2099-01-01", "Weekly")
        with self.widget() as widget:
            view = widget.initialize()["view"]
        said = [text(entry) for entry in presses(view)]
        self.assertEqual(said[0], "M Soonertomorrow")
        self.assertEqual(sorted(said[1:]), ["Later", "Weekly2099-01-01"])

    def test_a_press_completes_a_task_and_another_opens_it_again(self):
        self.task("add", "Milk")
        self.task("add", "Bread")
        with self.widget() as widget:
            press = next(e for e in presses(widget.initialize()["view"]) if text(e) == "Bread")
            answer = widget.call("performAction", action=press["action"], value=True)
            self.assertEqual(sorted((text(e), is_on(e)) for e in presses(answer["view"])), [("Bread", True), ("Milk", False)])
            self.assertEqual({t["description"]: t["status"] for t in self.tasks()}, {"Milk": "pending", "Bread": "completed"})
            widget.call("performAction", action=press["action"], value=False)
            bread = next(t for t in self.tasks() if t["description"] == "Bread")
            self.assertEqual((bread["status"], "end" in bread), ("pending", False))
            widget.call("performAction", action=press["action"], value=True)
            answer = widget.call("viewWillAppear")
        self.assertEqual([text(e) for e in presses(answer["view"])], ["Milk"])

    def test_what_is_typed_is_added_with_its_attributes_and_never_as_an_option(self):
        with self.widget() as widget:
            widget.initialize()
            for typed in ("Buy milk project:Home due:2099-12-24 pri:H +shop", "-- rc.data.location=/nowhere 'x' (a or b) /c/d/"):
                answer = widget.call("performAction", action="add", value=typed)
                self.assertNotIn("Not written", text(answer["view"]))
            answer = widget.call("performAction", action="add", value="Never due:no-date")
            self.assertIn("Not written: 'no-date' is not a valid date", text(answer["view"]))
            answer = widget.call("performAction", action="add", value="due:2099-01-01")
            self.assertIn("A task needs a description.", text(answer["view"]))
        milk, other = sorted(self.tasks(), key=lambda task: task["id"])
        self.assertEqual(
            (milk["description"], milk["project"], milk["due"], milk["priority"], milk["tags"]),
            ("Buy milk", "Home", "20991224T000000Z", "H", ["shop"]),
        )
        self.assertEqual(other["description"], "-- rc.data.location=/nowhere 'x' (a or b) /c/d/")

    def test_a_row_is_edited_where_it_was_changed_only(self):
        self.task("add", "Milk", "project:Home", "due:2099-12-24T17:30", "priority:L", "+shop", "wait:2020-01-01")
        uuid = self.tasks()[0]["uuid"]
        with self.widget() as widget:
            widget.initialize()
            pushed = widget.send('{"jsonrpc":"2.0","method":"widgetDidBeginEditing","params":{}}')
            press = rows(pushed["params"])[0]["action"]
            field = edited(widget.call("performAction", action=press))
            self.assertEqual(field["text"], "Milk project:Home due:2099-12-24T17:30 priority:L +shop")
            typed = "Oat milk due:2099-12-24T17:30 priority:M +cold"
            answer = widget.call("performAction", action=field["action"], value=typed)
            self.assertIsNone(edited(answer))
            task = self.tasks()[0]
            self.assertEqual(
                (task["uuid"], task["description"], task["due"], task["priority"], task["tags"], task.get("project")),
                (uuid, "Oat milk", "20991224T173000Z", "M", ["cold"], None),
            )
            self.assertIn("wait", task)
            field = edited(widget.call("performAction", action=press))
            self.task(f"uuid:{uuid}", "modify", "Soy milk")
            answer = widget.call("performAction", action=field["action"], value="Rice milk")
        self.assertIn("changed by somebody else", text(answer["view"]))
        self.assertEqual(self.tasks()[0]["description"], "Soy milk")

    def test_a_removed_row_is_deleted_and_a_task_that_is_gone_is_told(self):
        self.task("add", "Milk")
        with self.widget() as widget:
            row = rows(widget.initialize())[0]["id"]
            answer = widget.call("listDidRemoveRow", list="entries", row=row)
            self.assertEqual(rows(answer), [])
            self.assertEqual(self.tasks()[0]["status"], "deleted")
            self.assertIn("changed by somebody else", widget.fail("listDidRemoveRow", list="entries", row=row)["message"])
            self.assertIn("changed by somebody else", widget.fail("listDidRemoveRow", list="entries", row="1")["message"])
            self.assertIn("by their urgency", widget.fail("listDidMoveRow", list="entries", row=row, before=None)["message"])

    def test_without_a_configuration_nothing_waits_for_an_answer(self):
        self.configuration.unlink()
        with self.widget() as widget:
            said = text(widget.initialize()["view"])
        self.assertEqual(said, f"Taskwarrior cannot be read: there is no {self.configuration}")
        self.assertFalse(self.configuration.exists())


if __name__ == "__main__":
    unittest.main()
