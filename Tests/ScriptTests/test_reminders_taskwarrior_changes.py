"""Changes of tasks of Taskwarrior, with its real program: what was changed is changed, and nothing else of any task."""

import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import unittest
import uuid
from pathlib import Path
from unittest import mock

from widget import ROOT

SEED = int(os.environ.get("SEED", 20261125))
ROUNDS = int(os.environ.get("ROUNDS", 12))
# What `task` itself keeps of a change.
OWN = {"id", "modified", "urgency"}
# Without &open; and &close;, which the files of Taskwarrior 2 have for brackets.
WORDS = ["milk", "Brot", "日本語", "🦀", "e\u0301te\u0301", "שלום", "a:b", "due", "due:", "+1", "/a/b/", "(or)", "it's", '"q"', "100%", "\\n", "\\u0041", "U+0041", "[x]", "&amp;", "rc.gc=on", "--", "-tag", "uuid:1", "1-3", "2026-01-01", "x=y", "$HOME", "`id`", ";", "{a}", "*"]


@unittest.skipUnless(shutil.which("task"), "task is not installed: apt install taskwarrior")
class TaskwarriorChangeTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.path = str(ROOT / "Widgets" / "Reminders")
        sys.path.insert(0, cls.path)
        import entries
        import taskwarrior

        cls.entries, cls.module = entries, taskwarrior

    @classmethod
    def tearDownClass(cls):
        sys.path.remove(cls.path)
        for name in ("entries", "taskwarrior"):
            sys.modules.pop(name, None)

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.data = self.folder / "tasks"
        self.data.mkdir()
        self.configuration = self.folder / "taskrc"
        self.configuration.write_text(
            f"data.location={self.data}\nuda.size.type=numeric\nuda.size.label=Size\nuda.place.type=string\nuda.seen.type=date\nuda.span.type=duration\n"
            "uda.priority.values=H,M,L,\nhooks=off\n"
        )
        environment = {"HOME": folder.name, "TASKRC": str(self.configuration), "TZ": "UTC"}
        patch = mock.patch.dict(os.environ, environment)
        patch.start()
        self.addCleanup(patch.stop)
        self.source = self.module.Taskwarrior(str(self.configuration))
        self.random = random.Random(SEED)

    def task(self, *words, given=b""):
        done = subprocess.run(
            ["task", "rc.verbose=nothing", "rc.confirmation=off", "rc.gc=off", "rc.json.array=on", *words],
            input=given, capture_output=True, check=False, env={**os.environ, "LC_ALL": "C.UTF-8"},
        )
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def exported(self):
        """All tasks by their identifiers, without what `task` itself keeps."""
        text = self.task("export").decode("utf-8", "surrogateescape")
        return {one["uuid"]: {name: one[name] for name in one if name not in OWN} for one in json.JSONDecoder(strict=False).decode(text)}

    def words(self, count=4):
        return " ".join(self.random.choices(WORDS, k=self.random.randint(1, count)))

    def tasks(self, count):
        """Random tasks with all kinds of attributes, some of which the widget does not know."""
        choice, chance = self.random.choice, lambda: self.random.random() < 0.4
        found = []
        for _ in range(count):
            one = {"uuid": str(uuid.UUID(int=self.random.getrandbits(128), version=4)), "description": self.words(6), "status": "pending", "entry": "20260101T000000Z"}
            optional = {
                "priority": choice("HML"), "project": choice(["Home", "Home.Kitchen", "Büro", "two words", "日本"]),
                "due": choice(["20301231T000000Z", "20301231T173000Z", "20301231T173059Z", "20200101T000000Z"]),
                "scheduled": "20290101T000000Z", "until": "20990101T000000Z", "tags": self.random.sample(["next", "a1", "büro", "日本", "x_y"], 2),
                "annotations": [{"entry": f"2026010{day}T000000Z", "description": self.words(6)} for day in range(1, 4)],
                "size": choice([3, 1.5, -7]), "place": choice(["attic", "two words", "日本"]), "seen": "20260101T120000Z", "span": "P3D",
                "orphan": choice(["kept", "two words"]), "start": "20260201T000000Z",
            }
            one.update((name, value) for name, value in optional.items() if chance())
            if chance():
                one.update(status="waiting", wait="20990101T000000Z")
            if found and chance():
                one["depends"] = [choice(found)["uuid"]]
            if chance() and "due" in one and "wait" not in one:
                one.update(status="recurring", recur=choice(["weekly", "monthly"]), mask="-", due="20990101T000000Z")
                child = {**one, "uuid": str(uuid.UUID(int=self.random.getrandbits(128), version=4)), "status": "pending", "parent": one["uuid"], "imask": 0}
                child.pop("mask")
                child.pop("depends", None)
                found.append(child)
            found.append(one)
        return found

    def changed(self, before, name, *attributes):
        """That of all tasks only some attributes of one were changed."""
        after = self.exported()
        self.assertEqual(before.keys(), after.keys())
        for key in before:
            allowed = attributes if key == name else ()
            kept = [{name: value for name, value in one[key].items() if name not in allowed} for one in (before, after)]
            self.assertEqual(*kept, (SEED, key, before[key]))
        return after[name]

    def test_each_edit_changes_its_attribute_alone(self):
        self.task("import", given=json.dumps(self.tasks(12)).encode())
        editable = [key for key, one in self.exported().items() if one["status"] in ("pending", "waiting") and self.source.task(key).text]
        self.assertTrue(editable)
        for _ in range(ROUNDS):
            name = self.random.choice(editable)
            old, before = self.source.task(name), self.exported()
            words, given = old.description.split(), dict(old.attributes)
            tags = [tag for tag in old.tags if self.module.TAG.fullmatch(f"+{tag}")]
            kind = self.random.choice(["nothing", "description", "priority", "due", "project", "tags"])
            if kind == "description":
                words = ["new", *self.random.choices([word for word in WORDS if not self.is_special(word)], k=3)]
            elif kind == "priority":
                given["priority"] = next(one for one in "HML" if one != given.get("priority"))
            elif kind == "due":
                given["due"] = "2031-05-06"
            elif kind == "project":
                given["project"] = "Garden"
            elif kind == "tags":
                tags = [*tags[1:], "fresh"]
            if any(map(self.is_special, words)):
                continue  # What was typed would be an attribute or a tag.
            typed = " ".join([*words, *(f"{key}:{value}" for key, value in given.items()), *(f"+{tag}" for tag in tags)])
            with self.subTest(kind=kind, before=before[name], typed=typed):
                self.source.edit(name, old.text, typed)
                after = self.changed(before, name, *([kind] if kind != "nothing" else []))
                if kind == "description":
                    self.assertEqual(after["description"], " ".join(words))
                elif kind == "tags":
                    self.assertIn("fresh", after["tags"])
                elif kind != "nothing":
                    self.assertEqual(after[kind], {"priority": given.get("priority"), "due": "20310506T000000Z", "project": "Garden"}[kind])

    def is_special(self, word):
        return self.module.ATTRIBUTE.fullmatch(word) is not None or self.module.TAG.fullmatch(word) is not None

    def test_a_description_is_what_was_typed(self):
        for words in ("a \\n b", "\\u0041 x", "C:\\\\temp\\new now", "end \\", "an U+0041 U+00e9x", "U+0041", "\\n", "a\\tb", "it's \"q\" 'z'", "(or) /a/b/ -tag"):
            with self.subTest(words):
                self.source.add(words)
                self.assertIn(words, [one["description"] for one in self.exported().values()])
                name = next(key for key, one in self.exported().items() if one["description"] == words)
                self.source.edit(name, words, f"new {words}")
                self.assertEqual(self.exported()[name]["description"], f"new {words}")

    def test_a_press_and_another_leave_a_task_as_it_was(self):
        self.task("import", given=json.dumps(self.tasks(8)).encode())
        open_ones = [key for key, one in self.exported().items() if one["status"] in ("pending", "waiting") and "depends" not in one]
        for name in open_ones[:5]:
            before = self.exported()
            with self.subTest(before[name]):
                self.source.toggle(name)
                done = self.changed(before, name, "status", "end", "start")
                self.assertEqual(done["status"], "completed")
                self.source.toggle(name)
                self.changed(before, name, "start")

    def test_a_removed_task_is_the_only_one_that_changes(self):
        self.task("import", given=json.dumps(self.tasks(6)).encode())
        before = self.exported()
        name = next(key for key, one in before.items() if one["status"] == "pending" and not any(key in other.get("depends", []) for other in before.values()))
        self.source.remove(name)
        self.assertEqual(self.changed(before, name, "status", "end", "start")["status"], "deleted")

    def test_bytes_that_are_no_text_stay_in_a_task_that_is_changed(self):
        self.task("add", "caf@", "place:x@y", "priority:H")
        self.task("add", "other@")
        file = self.data / "pending.data"
        file.write_bytes(file.read_bytes().replace(b"@", b"\xe9"))
        names = {one["description"]: key for key, one in self.exported().items()}
        for words, name in names.items():
            before = self.exported()
            self.assertIsNone(self.source.task(name).text)
            self.source.toggle(name)
            self.changed(before, name, "status", "end")
            self.source.toggle(name)
            self.changed(before, name)


if __name__ == "__main__":
    unittest.main()
