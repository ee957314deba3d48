"""A change of a todo.txt file changes one line, and every other byte stays."""

import os
import random
import subprocess
import sys
import tempfile
import threading
import unittest
from pathlib import Path

from widget import ROOT

PATHS = [str(ROOT / "Widgets" / "Reminders")]
sys.path[:0] = PATHS
try:
    import file_change
    from entries import Refusal
    from todo_file import TodoFile, entries_of
finally:
    for path in PATHS:
        sys.path.remove(path)

SEED = 20310203
PARTS = [
    b"Water plants", b"(A) Bill", b"(C) 2026-11-10 Water", b"x 2026-11-20 2026-11-10 Water", b"x (C) 2026-11-20 2026-11-10 Water",
    b"x 2026-11-20 Bread pri:B", b"x Old", b"  indented", b"blanks behind  \t", b"due:2031-02-03 +project @home", b"caf\xe9", b"\xf0\x9f\xa5\x9b milk",
    b"", b" ", b"x", b"x ", b"(A) ", b"a\x0bb\x0cc\x1cd\x85e", b"twin", b"twin", b"\xc2\xa0", b"pri:A", b"x pri:D", b"2026-11-10", b"\xef\xbb\xbf",
]


def content(dice):
    mark = dice.choice([b"", b"", b"\xef\xbb\xbf"])
    lines = [dice.choice(PARTS) + dice.choice([b"\n", b"\n", b"\r\n"]) for _ in range(dice.randrange(1, 12))]
    if dice.random() < 0.3:
        lines[-1] = lines[-1].rstrip(b"\r\n") or b"last"
    if dice.random() < 0.1:
        lines *= 3_000  # about 256 KiB and more
    return mark + b"".join(lines)


def lines_of(data):
    return data.removeprefix(b"\xef\xbb\xbf").split(b"\n")


class Changes(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = Path(folder.name, "todo.txt")
        self.source = TodoFile(str(self.path))

    def differing(self, before, after):
        """The lines before and after without those that are the same at the beginning and the end."""
        self.assertEqual(before.startswith(b"\xef\xbb\xbf"), after.startswith(b"\xef\xbb\xbf"))
        old, new = lines_of(before), lines_of(after)
        while old and new and old[0] == new[0]:
            del old[0], new[0]
        while old and new and old[-1] == new[-1]:
            del old[-1], new[-1]
        return old, new

    def cases(self, count=150):
        dice = random.Random(SEED)
        for _ in range(count):
            self.path.write_bytes(content(dice))
            self.source.read()
            found = entries_of(self.source.read())
            if found:
                yield dice, self.path.read_bytes(), dice.choice(found)

    def test_a_tick_changes_its_line_and_two_ticks_change_nothing_of_an_open_one(self):
        for _, before, entry in self.cases():
            self.source.toggle(entry.action)
            after = self.path.read_bytes()
            old, new = self.differing(before, after)
            self.assertEqual((len(old), len(new)), (1, 1))
            again = entries_of(self.source.read())[[e.number for e in entries_of(self.source.read())].index(entry.number)]
            self.assertNotEqual(again.is_done, entry.is_done)
            # A priority is kept as pri:, so that one that was there before cannot be told from it.
            if not entry.is_done and not entry.line.startswith("(") and "pri:" not in entry.line:
                self.source.toggle(again.action)
                self.assertEqual(self.path.read_bytes(), before)

    def test_an_edit_or_a_removal_changes_its_line(self):
        for dice, before, entry in self.cases():
            if dice.random() < 0.5:
                self.source.edit(entry.name, entry.line, "typed words")
                old, new = self.differing(before, self.path.read_bytes())
                self.assertLessEqual(len(old), 1)
                self.assertLessEqual(len(new), 1)
            else:
                self.source.remove(entry.name)
                after = self.path.read_bytes()
                line = self.source_line(before, entry.number)
                self.assertEqual(len(after), len(before) - len(line))

    @staticmethod
    def source_line(data, number):
        parts = data.removeprefix(b"\xef\xbb\xbf").split(b"\n")
        return parts[number - 1] + (b"\n" if number < len(parts) else b"")

    def test_what_is_added_is_behind_everything_else(self):
        for _, before, _ in self.cases(60):
            self.source.add("new words")
            after = self.path.read_bytes()
            self.assertTrue(after.startswith(before))
            self.assertEqual(after[len(before):].strip(), b"new words")
            self.assertTrue(after.endswith(b"\n"))

    def test_a_move_keeps_every_line(self):
        for dice, before, entry in self.cases():
            others = [e for e in entries_of(self.source.read()) if e.name != entry.name]
            try:
                self.source.move(entry.name, dice.choice([None, *(e.name for e in others)]))
            except Refusal:
                self.assertEqual(self.path.read_bytes(), before)
                continue
            ends = [sorted(line.rstrip(b"\r") for line in lines_of(data)) for data in (before, self.path.read_bytes())]
            self.assertEqual(*ends)

    def test_done_lines_are_opened_again_without_the_date_when_they_were_done(self):
        for line, opened in (
            ("x (C) 2026-11-20 2026-11-10 Water plants", "(C) 2026-11-10 Water plants"),
            ("x (C) 2026-11-20 Water", "(C) Water"), ("x (C) Water", "(C) Water"),
            ("x 2026-11-20 2026-11-10 Water pri:C", "(C) 2026-11-10 Water"), ("x 2026-11-20 Water", "Water"), ("x Water", "Water"),
            ("x 2026-11-20 pri:B", "(B) "), ("x 2026-11-20 pri:B Water", "(B) Water"), ("x (C) 2026-11-20 Water pri:A", "(C) Water pri:A"),
            ("x 2026-11-20 Water pri:Cc", "Water pri:Cc"),
        ):
            self.path.write_text(line + "\nopen\n")
            self.source.toggle(entries_of(self.source.read())[0].action)
            self.assertEqual(self.path.read_text(), opened + "\nopen\n")

    def test_what_another_program_writes_meanwhile_is_kept(self):
        self.path.write_text("".join(f"entry {number}\n" for number in range(40)))
        count = 300
        script = f'i=0; while [ $i -lt {count} ]; do echo "added $i" >>"$0"; i=$((i+1)); done'
        writer = subprocess.Popen(["/bin/sh", "-c", script, str(self.path)])
        ticked = set()
        try:
            while writer.poll() is None:
                entry = next((e for e in entries_of(self.source.read()) if not e.is_done and e.line.startswith("entry")), None)
                if not entry:
                    break
                try:
                    self.source.toggle(entry.action)
                    ticked.add(entry.line)
                except Refusal:
                    continue
        finally:
            writer.wait(timeout=30)
        lines = self.path.read_text().splitlines()
        self.assertEqual({line for line in lines if line.startswith("added")}, {f"added {number}" for number in range(count)})
        done = {line[len("x 2026-11-25 "):] for line in lines if line.startswith("x ")}
        self.assertEqual(done, ticked)

    def test_a_change_between_reading_and_writing_is_seen(self):
        self.path.write_text("one\ntwo\n")
        exchange = file_change.exchange
        self.addCleanup(setattr, file_change, "exchange", exchange)
        calls = []

        def late(temporary, path):
            if not calls:
                self.path.write_text("zero\none\ntwo\n")
            calls.append(path)
            return exchange(temporary, path)

        file_change.exchange = late
        self.source.toggle(entries_of(self.source.read())[1].action)
        self.assertRegex(self.path.read_text(), r"\Azero\none\nx \d{4}-\d\d-\d\d two\n\Z")
        self.assertEqual(os.listdir(self.path.parent), ["todo.txt"])

    def test_links_other_names_modes_and_pipes(self):
        self.path.write_text("one\n")
        self.path.chmod(0o640)
        link, name = self.path.with_name("link.txt"), self.path.with_name("name.txt")
        link.symlink_to(self.path)
        TodoFile(str(link)).add("two")
        self.assertTrue(link.is_symlink())
        os.link(self.path, name)
        self.source.add("three")
        self.assertEqual((name.read_text(), self.path.read_text()), ("one\ntwo\nthree\n",) * 2)
        self.assertEqual(self.path.stat().st_mode & 0o777, 0o640)
        os.mkfifo(self.path.with_name("pipe"))
        with self.assertRaises(OSError):
            TodoFile(str(self.path.with_name("pipe"))).add("words")

    def test_a_file_that_is_read_only_is_not_written(self):
        for mode in (0o400, 0o444, 0o555):
            for make in (None, self.path.with_name("name.txt").hardlink_to, self.path.with_name("link.txt").symlink_to):
                with self.subTest(f"{mode:o}", make=make):
                    self.path.write_text("one\n")
                    self.path.chmod(mode)
                    source = self.source
                    if make:
                        make(self.path)
                        source = TodoFile(str(next(other for other in self.path.parent.iterdir() if other != self.path)))
                    status = self.path.stat()
                    for change in (
                        lambda: source.add("two"),
                        lambda: source.toggle(entries_of(source.read())[0].action),
                        lambda: source.remove(entries_of(source.read())[0].name),
                        lambda: source.edit(entries_of(source.read())[0].name, "one", "three"),
                    ):
                        with self.assertRaisesRegex(OSError, "the file is read-only"):
                            change()
                    self.assertEqual(self.path.read_text(), "one\n")
                    after = self.path.stat()
                    self.assertEqual((after.st_ino, after.st_mtime_ns), (status.st_ino, status.st_mtime_ns))
                for other in self.path.parent.iterdir():
                    other.unlink()

    @unittest.skipUnless(os.getuid() == 0, "needs another user")
    def test_what_another_user_may_not_write_is_said_in_words(self):
        self.path.write_text("one\n")
        self.path.parent.chmod(0o755)
        program = (
            f"import os, sys; sys.path.insert(0, {PATHS[0]!r}); os.setgid(65534); os.setuid(65534)\n"
            f"from todo_file import TodoFile\ntry: TodoFile({str(self.path)!r}).add('two')\nexcept OSError as error: print(error.strerror)"
        )
        for mode, words in ((0o644, "the file is read-only"), (0o666, f"the folder {self.path.parent} is read-only")):
            self.path.chmod(mode)
            done = subprocess.run([sys.executable, "-B", "-c", program], capture_output=True, text=True, check=True)
            self.assertEqual(done.stdout.strip(), words)
            self.assertEqual(self.path.read_text(), "one\n")

    def test_a_new_line_ends_as_the_others_do(self):
        for before, after in (
            (b"(A) a\r\n(B) b", b"(A) a\r\n(B) b\r\nc\r\n"),
            (b"a\nb", b"a\nb\nc\n"), (b"a", b"a\nc\n"), (b"a\nb\r\n", b"a\nb\r\nc\r\n"), (b"a\nb\nd\r\n", b"a\nb\nd\r\nc\n"),
            (b"\xef\xbb\xbfa\r\n\r\nb", b"\xef\xbb\xbfa\r\n\r\nb\r\nc\r\n"),
        ):
            with self.subTest(before):
                self.path.write_bytes(before)
                self.source.add("c")
                self.assertEqual(self.path.read_bytes(), after)

    def test_two_that_make_the_file_at_once_lose_nothing(self):
        sources = [TodoFile(str(self.path)) for _ in range(4)]
        threads = [threading.Thread(target=source.add, args=(f"entry {number}",)) for number, source in enumerate(sources)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(sorted(self.path.read_text().splitlines()), [f"entry {number}" for number in range(4)])


if __name__ == "__main__":
    unittest.main()
