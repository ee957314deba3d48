"""Reminders shows what other programs change within a second, and asks for nothing until then."""

import datetime
import os
import select
import shutil
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

from widget import ROOT, Widget, presses, text

sys.path.insert(0, str(ROOT / "Widgets/Reminders"))
sys.dont_write_bytecode = True
from file_watch import FileWatch, places  # noqa: E402

SECONDS = 1.0


def pushed(widget, seconds=SECONDS):
    """The words of a view that comes without being asked for; None if none does."""
    if not select.select([widget.process.stdout], [], [], seconds)[0]:
        return None
    message = widget.read()
    assert message["method"] == "setView", message
    return text(message["params"]["view"])


def processor_seconds(process):
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Watch(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name).resolve()
        self.file = self.folder / "deep/er/todo.txt"
        self.file.parent.mkdir(parents=True)

    def widget(self, file=None):
        return Widget("Reminders/reminders.py", configuration={"file": str(file or self.file)})

    def put(self, words, file=None):
        """As editors do it: another file takes the name."""
        file = file or self.file
        new = file.with_name("new~")
        new.write_text(words + "\n")
        new.replace(file)

    def test_a_file_that_is_written_to_replaced_removed_and_made_again(self):
        self.file.write_text("Milk\n")
        with self.widget() as widget:
            self.assertEqual(text(widget.initialize()["view"]), "Milk")
            for _ in range(2):
                with self.file.open("a") as file:
                    file.write("Bread\n")
                self.assertEqual(pushed(widget), "MilkBread")
                self.put("Shoes")
                self.assertEqual(pushed(widget), "Shoes")
                self.file.unlink()
                self.assertTrue(pushed(widget).startswith("No reminders yet."))
                self.file.write_text("Milk\n")
                self.assertEqual(pushed(widget), "Milk")

    def test_a_file_that_is_kept_open_and_one_with_two_names(self):
        self.file.write_text("Milk\n")
        other = self.folder / "other.txt"
        os.link(self.file, other)
        with self.widget() as widget, self.file.open("a") as file:
            widget.initialize()
            file.write("Bread\n")
            file.flush()
            self.assertEqual(pushed(widget), "MilkBread")
            with other.open("a") as second:
                second.write("Shoes\n")
            self.assertIn("Shoes", pushed(widget))

    @unittest.skipUnless(os.getuid() == 0, "needs another user")
    def test_a_file_that_may_not_be_read_for_a_while_is_an_update_that_failed_and_comes_back_by_itself(self):
        for folder in (self.folder, self.folder / "deep", self.file.parent):
            folder.chmod(0o755)
        # The files of the widget are not for everybody to read.
        source = self.folder / "widget"
        shutil.copytree(ROOT / "Widgets/Reminders", source)
        for place in (self.file, self.file.parent, self.folder / "deep"):
            for starts_unreadable in (False, True):
                self.file.write_text("Milk\n")
                with self.subTest(place=place.name, starts_unreadable=starts_unreadable):
                    place.chmod(0 if starts_unreadable else 0o755)
                    with Widget(source / "reminders.py", configuration={"file": str(self.file)}, user=65534) as widget:
                        said = text(widget.initialize()["view"])
                        self.assertEqual("cannot be read: permission denied" in said, starts_unreadable)
                        if not starts_unreadable:
                            place.chmod(0)
                            self.assertIn("cannot be read: permission denied", pushed(widget))
                        answer = widget.call("widgetPerformUpdate", reason="schedule")
                        self.assertEqual(answer, {"result": "failed", "error": f"{self.file} cannot be read: permission denied"})
                        place.chmod(0o755)
                        self.assertIn("Milk", pushed(widget, 5))
                        self.assertEqual(widget.call("widgetPerformUpdate", reason="schedule")["result"], "noData")

    def test_folders_that_come_later_go_and_are_moved(self):
        shutil.rmtree(self.folder / "deep")
        with self.widget() as widget:
            self.assertIn("No reminders yet.", text(widget.initialize()["view"]))
            self.file.parent.mkdir(parents=True)
            self.file.write_text("Milk\n")
            self.assertEqual(pushed(widget), "Milk")
            (self.folder / "deep").rename(self.folder / "away")
            self.assertIn("No reminders yet.", pushed(widget))
            (self.folder / "away").rename(self.folder / "deep")
            self.assertEqual(pushed(widget), "Milk")
            shutil.rmtree(self.folder / "deep")
            self.assertIn("No reminders yet.", pushed(widget))
            self.file.parent.mkdir(parents=True)
            self.put("Bread")
            self.assertEqual(pushed(widget), "Bread")

    def test_links_that_lead_elsewhere_and_nowhere(self):
        self.file.write_text("Milk\n")
        other = self.folder / "sync/other.txt"
        folder, link = self.folder / "linked", self.folder / "link.txt"
        folder.symlink_to("deep/../deep/er")
        link.symlink_to(folder / "todo.txt")
        with self.widget(link) as widget:
            self.assertEqual(text(widget.initialize()["view"]), "Milk")
            self.put("Bread")
            self.assertEqual(pushed(widget), "Bread")
            link.unlink()
            self.assertIn("No reminders yet.", pushed(widget))
            link.symlink_to("sync/other.txt")
            self.assertIsNone(pushed(widget, 0.2))
            other.parent.mkdir()
            other.write_text("Shoes\n")
            self.assertEqual(pushed(widget), "Shoes")
            link.unlink()
            link.symlink_to("link.txt")
            self.assertIn("cannot be read: too many levels", pushed(widget))
            link.unlink()
            self.put("Ida", link)
            self.assertEqual(pushed(widget), "Ida")

    def test_a_press_is_answered_once_and_what_it_says_stays(self):
        self.file.write_text("Milk\nBread\n")
        with self.widget() as widget:
            press = presses(widget.initialize()["view"])[0]
            widget.call("performAction", action=press["action"], value=True)
            self.assertIsNone(pushed(widget, 0.3))
            self.put("Shoes")
            self.assertEqual(pushed(widget), "Shoes")
            answer = widget.call("performAction", action=press["action"], value=True)
            self.assertIn("changed by somebody else", text(answer["view"]))
            self.put("Shoes\nIda")
            self.assertIn("changed by somebody else", pushed(widget))

    def test_a_file_that_never_rests_is_shown_nevertheless(self):
        self.file.write_text("Milk\n")
        with self.widget() as widget:
            widget.initialize()
            end = time.monotonic() + 2
            number = 0
            while not select.select([widget.process.stdout], [], [], 0.01)[0]:
                self.assertLess(time.monotonic(), end, "nothing was shown")
                number += 1
                self.put(f"Entry {number}")
            self.assertIn("Entry", pushed(widget))

    def test_what_happens_beside_the_file_is_not_shown_and_rest_costs_nothing(self):
        self.file.write_text("Milk\n")
        with self.widget() as widget:
            widget.initialize()
            before = processor_seconds(widget.process.pid)
            (self.file.parent / "todo.txt~").write_text("Bread\n")
            (self.folder / "new").mkdir()
            self.assertIsNone(pushed(widget, 0.5))
            self.assertLessEqual(processor_seconds(widget.process.pid) - before, 0.02)
            self.assertTrue(widget.call("widgetPerformUpdate", reason="schedule")["refreshAfter"] > 0)

    def test_the_folders_above_are_watched_for_themselves_only(self):
        self.file.write_text("Milk\n")
        found = places(str(self.file))
        self.assertEqual(found[str(self.folder)][1], frozenset())
        self.assertEqual(found[str(self.file.parent)][1], {"todo.txt"})
        watch = FileWatch()
        self.addCleanup(os.close, watch.fileno())
        watch.follow([str(self.file)])
        (self.folder / "new").mkdir()
        (self.folder / "deep/new").mkdir()
        self.assertFalse(select.select([watch.fileno()], [], [], 0)[0])
        self.assertTrue(watch.is_complete)

    def test_lines_of_the_host_are_read_whole_and_in_order(self):
        self.file.write_text("Milk\n")
        with self.widget() as widget:
            widget.initialize()
            message = '{"id":7,"jsonrpc":"2.0","method":"viewWillAppear","params":{"size":{"height":1,"width":40}}}'
            stream = widget.process.stdin
            for part in (message[:10], message[10:] + "\n" + message.replace("7", "8", 1) + "\n\r\n"):
                stream.write(part)
                stream.flush()
            widget.exchange.note(message)
            widget.exchange.note(message.replace("7", "8", 1))
            self.assertEqual([widget.read()["id"], widget.read()["id"]], [7, 8])


@unittest.skipUnless(shutil.which("task"), "task is not installed: apt install taskwarrior")
class WatchOfTaskwarrior(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        (self.folder / "taskrc").write_text(f"data.location={folder.name}/tasks\n")
        self.environment = {"HOME": folder.name, "TASKRC": f"{folder.name}/taskrc", "TZ": "UTC"}
        # Its calls are counted.
        (self.folder / "programs").mkdir()
        stand_in = self.folder / "programs/task"
        stand_in.write_text(f'#!/bin/sh\necho >>"{folder.name}/calls"\nexec {shutil.which("task")} "$@"\n')
        stand_in.chmod(0o755)

    def task(self, *words):
        subprocess.run(
            ["task", "rc.confirmation=off", *words], check=True, capture_output=True,
            env={**self.environment, "PATH": os.environ["PATH"]}, stdin=subprocess.DEVNULL,
        )

    def calls(self):
        return len((self.folder / "calls").read_text().splitlines())

    def test_tasks_that_are_added_and_done_in_a_terminal(self):
        (self.folder / "tasks").mkdir()
        path = f"{self.folder}/programs:{os.environ['PATH']}"
        configuration = {"source": "taskwarrior", "taskrc": self.environment["TASKRC"]}
        with Widget("Reminders/reminders.py", configuration=configuration, HOME=str(self.folder), PATH=path) as widget:
            self.assertEqual(text(widget.initialize()["view"]), "")
            self.task("add", "Milk")
            self.assertEqual(pushed(widget, 2), "Milk")
            self.task("1", "done")
            self.assertEqual(pushed(widget, 2), "")
            # Reading is not a change: it must not ask for the next one.
            calls = self.calls()
            self.assertIsNone(pushed(widget, 0.5))
            self.assertEqual(self.calls(), calls)
            answer = widget.call("widgetPerformUpdate", reason="schedule")
            tomorrow = datetime.timedelta(days=1).total_seconds()
            self.assertTrue(60 < answer["refreshAfter"] <= tomorrow + 1 or datetime.datetime.now().hour == 23)


if __name__ == "__main__":
    unittest.main()
