import datetime
import json
import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

from extensions import Extension
from protocol_schema import ROOT


class RememberTests(unittest.TestCase):
    def setUp(self):
        self.remember = Extension(self, "remember.py")
        self.programs = self.remember.programs
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.home = Path(folder.name)
        # Where it is installed, so that a program beside the tree is not found.
        self.place = self.home / "lib/today/extensions"
        self.place.mkdir(parents=True)
        (self.place.parent / "Widgets").symlink_to(ROOT / "Widgets")
        self.remember.path = shutil.copy(self.remember.path, self.place)
        self.set({})

    def set(self, values, name="today"):
        """Lets the program answer with settings of a widget."""
        answer = [{"name": key, "value": value, "isSet": True} for key, value in values.items()]
        self.programs.add(name, ("'settings org.today.'*' --json'", json.dumps([*answer, {"name": "other", "isSet": False}])))

    def run_alone(self, content, **options):
        variables = {"HOME": str(self.home), "XDG_DATA_HOME": str(self.home / "data")}
        return self.remember.run(content, "public.plain-text", variables, self.programs.path, **options)

    def kept(self, content, **options):
        """What it prints."""
        done = self.run_alone(content, **options)
        self.assertEqual((done.stderr, done.returncode), (b"", 0))
        return done.stdout.decode().rstrip("\n")

    def refused(self, content, status, **options):
        """The reason why nothing was kept."""
        done = self.run_alone(content, **options)
        self.assertEqual((done.stdout, done.returncode), (b"", status))
        return done.stderr.decode().rstrip("\n")

    def test_a_reminder_is_a_line_at_the_end_of_the_file(self):
        path = self.home / "todo.txt"
        path.write_bytes(b"one\r\ntwo\xff")
        path.chmod(0o640)
        self.assertEqual(self.kept("buy milk\nand 'bread' $(x)\0\n"), "~/todo.txt")
        self.kept("https://a.test/", title='-q "Read"', when="2031-02-03 14:00")
        self.assertEqual(
            path.read_bytes(),
            b"one\r\ntwo\xff\r\nbuy milk and 'bread' $(x)\r\n-q \"Read\" https://a.test/ due:2031-02-03\r\n",
        )
        self.assertEqual(path.stat().st_mode & 0o777, 0o640)
        self.assertEqual(self.programs.calls("today")[0], "settings org.today.Reminders --json")

    def test_the_file_of_the_settings_is_made(self):
        path = self.home / "my list.txt"
        self.set({"file": str(path)})
        self.assertEqual(self.kept("x done already?", when="today"), "~/my list.txt")
        self.assertEqual(path.read_text(), f"done already? due:{datetime.date.today()}\n")

    def test_a_reminder_that_is_too_long_is_refused_whole(self):
        self.assertEqual(self.refused("a " * 400, 1), "An entry has at most 500 characters.")
        self.assertFalse((self.home / "todo.txt").exists())

    @unittest.skipUnless(shutil.which("task"), "Taskwarrior is not installed")
    def test_a_reminder_is_a_task_whose_words_are_no_attributes(self):
        self.programs.add_real("task")
        taskrc = self.home / "taskrc"
        taskrc.write_text(f"data.location={self.home}/tasks\n")
        (self.home / "tasks").mkdir()
        self.set({"source": "taskwarrior", "taskrc": str(taskrc)})
        words = "project:x +tag rc.confirmation=on 'a' \"b\" $(x) -- /a/b/"
        self.assertEqual(self.kept(words, when="2031-02-03"), "Taskwarrior")
        shown = subprocess.run(
            ["task", f"rc:{taskrc}", "rc.verbose=nothing", "rc.json.array=on", "export"],
            env={"PATH": os.environ["PATH"], "HOME": str(self.home), "TZ": "UTC"}, capture_output=True, check=True,
        )
        task, = json.loads(shown.stdout)
        self.assertEqual(task["description"], words)
        self.assertIn("due", task)
        self.assertNotIn("project", task)

    def test_without_taskwarrior_it_is_named(self):
        self.set({"source": "taskwarrior"})
        self.assertEqual(
            self.refused("a", 1), "not remembered: task is not installed; install it with: apt install taskwarrior"
        )

    def test_notes_are_lines_at_the_end_below_their_title(self):
        path = self.home / "notes.txt"
        path.write_text("one")
        self.assertEqual(self.kept("  two\x1b[31m\n\n\tthree'\0\n\n", to="notes", title="A\tb\x07", when="2031-02-03 14:00"), str(path))
        self.assertEqual(path.read_text(), "one\n# A b 2031-02-03 14:00\n  two [31m\n\n\tthree'\n")
        self.kept("four", to="notes")
        self.assertEqual(path.read_text().splitlines()[-1], "four")
        path.chmod(0o400)
        self.assertEqual(self.refused("a", 1, to="notes"), "not remembered: the file is read-only")

    def entry(self, path):
        """The lines of an entry of a calendar, without those that differ each time."""
        data = Path(path).read_bytes()
        self.assertTrue(all(len(line) <= 75 for line in data.split(b"\r\n")), data)
        lines = data.replace(b"\r\n ", b"").decode().split("\r\n")
        self.assertEqual(lines[4], f"UID:{Path(path).stem}")
        self.assertEqual(lines[:4], ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//today//Remember//EN", "BEGIN:VEVENT"])
        self.assertEqual(lines[-3:], ["END:VEVENT", "END:VCALENDAR", ""])
        return lines[6:-3]

    def test_an_entry_of_the_calendar_is_a_file(self):
        folder = self.home / "data/today/calendars"
        path = self.kept("Dinner; at 8, “Zur Post”\\\n" + "é" * 60 + "\nEND:VEVENT\n", to="calendar", when="2031-02-03")
        words = "Dinner\\; at 8\\, “Zur Post”\\\\"
        self.assertEqual(self.entry(path), [
            "DTSTART;VALUE=DATE:20310203", f"SUMMARY:{words}", f"DESCRIPTION:{words}\\n{'é' * 60}\\nEND:VEVENT",
        ])
        self.assertEqual(os.listdir(folder), [Path(path).name])

    def test_an_entry_of_the_calendar_has_a_time(self):
        self.set({"folder": str(self.home / "mine")})
        for when, start in (("2031-02-03 14:00", "20310203T140000"), ("2031-02-03T14:00+02:00", "20310203T120000Z")):
            path = self.kept("x", to="calendar", title="Call\nSUMMARY:y", when=when)
            self.assertEqual(
                self.entry(path), [f"DTSTART:{start}", "DURATION:PT1H", "SUMMARY:Call SUMMARY:y", "DESCRIPTION:x"]
            )
            self.assertEqual(Path(path).parent, self.home / "mine")

    def test_what_cannot_be_kept_says_why(self):
        self.assertEqual(self.refused(" \n", 65), "there is nothing to remember")
        self.assertIn("“soon” is no day: expected today, tomorrow", self.refused("a", 64, when="soon"))
        (self.home / "data").write_text("")
        self.assertEqual(self.refused("a", 1, to="calendar"), "not remembered: Not a directory")

    def test_a_missing_program_and_a_failure_are_named(self):
        self.programs.add("today", ("*", "today: no widget\n", 66))
        self.assertEqual(self.refused("a", 1, to="notes"), "today: no widget")
        self.programs.add("today", ("*", "no JSON"))
        self.assertIn("not remembered: ", self.refused("a", 1, to="notes"))
        (self.programs.folder / "today").unlink()
        self.assertEqual(
            self.refused("a", 69, to="notes"), "today is not in PATH, which knows the settings of the widgets"
        )
        (self.place.parent / "Widgets").unlink()
        self.assertEqual(self.refused("a", 69, to="notes"), "the widget Notes is not installed with today")

    def test_the_modules_are_those_of_the_program_where_it_is_a_copy(self):
        (self.place.parent / "Widgets").unlink()
        prefix = self.home / "prefix"
        for folder in ("bin", "lib/today/widgets"):
            (prefix / folder).mkdir(parents=True)
        (prefix / "lib/today/widgets/Notes.widget").symlink_to(ROOT / "Widgets/Notes")
        (self.programs.folder / "today").rename(prefix / "bin/today")
        (self.programs.folder / "today").symlink_to(prefix / "bin/today")
        self.assertEqual(self.kept("a", to="notes"), str(self.home / "notes.txt"))


if __name__ == "__main__":
    unittest.main()
