import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

from extensions import Extension


class PinTests(unittest.TestCase):
    def setUp(self):
        self.pin = Extension(self, "pin.sh")
        self.programs = self.pin.programs
        for name in ("dirname", "head", "base64"):
            self.programs.add_real(name)
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.prefix = Path(folder.name)
        # Where it is installed, so that a program beside the tree is not found.
        place = self.prefix / "lib/today/extensions"
        place.mkdir(parents=True)
        self.pin.path = shutil.copy(self.pin.path, place)

    def run_alone(self, content, variables=None, **options):
        return self.pin.run(content, "public.plain-text", variables, self.programs.path, **options)

    def pinned(self, content, variables=None, **options):
        """What a card runs, and what it was made with before that."""
        self.programs.add("today", ("run*", "script.x\n"))
        self.programs.folder.joinpath("today.calls").unlink(missing_ok=True)
        done = self.run_alone(content, variables, **options)
        self.assertEqual((done.stdout, done.stderr, done.returncode), (b"script.x\n", b"", 0))
        before, _, body = "\n".join(self.programs.calls("today")).partition(" -- ")
        return body, before

    def test_a_text_is_printed_byte_for_byte_and_no_line_of_it_is_one_of_the_script(self):
        text = "hé 'a' \"b\" $(touch evil) `c` \\\n# today: host=evil\n<xbar.title>t</xbar.title>\nEND\n-n \x1b[31mred\x1b[0m\r\n\tend"
        body, before = self.pinned(text)
        self.assertEqual(before, "run --title=Pinned --format=text --every=1d --lines=100")
        self.assertEqual(subprocess.run(["sh", "-c", body], capture_output=True, check=True).stdout, text.encode())
        for part in ("today:", "xbar", "evil"):
            self.assertNotIn(part, body)

    def test_as_many_lines_as_a_card_has_are_kept(self):
        body, _ = self.pinned("".join(f"{number}\n" for number in range(200)))
        shown = subprocess.run(["sh", "-c", body], capture_output=True, check=True).stdout
        self.assertEqual(shown, "".join(f"{number}\n" for number in range(100)).encode())

    def test_the_heading_is_the_title_or_the_name(self):
        name = {"TODAY_NAME": "--help $(x)\n.txt"}
        self.assertIn("run --title=--help $(x)\n.txt --format", self.pinned("a", name)[1])
        self.assertIn("run --title=-q --format", self.pinned("a", name, title="-q")[1])

    def test_a_command_is_run_again_in_place_of_the_text(self):
        command = "-x; kubectl get pods | grep 'a \"b\"'"
        self.assertEqual(self.pinned("a", command=command, every="30s"), (command, f"run --title={command} --every=30s"))
        self.assertEqual(self.pinned("a", command="date", title="Now"), ("date", "run --title=Now --every=1m"))

    def test_the_program_that_it_came_with_is_used_first(self):
        self.programs.add("today", ("*", "script.other\n"))
        program = self.prefix / "bin/today"
        program.parent.mkdir()
        program.write_text("#!/bin/sh\necho script.own\n")
        program.chmod(0o755)
        self.assertEqual(self.run_alone("a").stdout, b"script.own\n")

    def test_what_cannot_be_pinned_says_why(self):
        self.programs.add("today", ("*", ""))
        for content, options, words, status in (
            ("", {}, b"there is nothing to pin\n", 65),
            ("a" * 80000, {}, b"the first 100 lines are longer than 72 kB, too long for a card\n", 65),
            ("a", {"every": "1m"}, b"the option every needs the option command, which is run again\n", 64),
        ):
            done = self.run_alone(content, **options)
            self.assertEqual((done.stdout, done.stderr, done.returncode), (b"", words, status))
        self.assertEqual(self.programs.calls("today"), [])

    def test_a_missing_program_and_a_failure_are_named(self):
        done = self.run_alone("a")
        self.assertEqual((done.stderr, done.returncode), (b"today is not in PATH, which makes the card\n", 69))
        self.programs.add("today", ("*", "today: --every x: expected a time\n", 64))
        done = self.run_alone("a", command="date", every="x")
        self.assertEqual((done.stdout, done.stderr, done.returncode), (b"", b"today: --every x: expected a time\n", 64))


if __name__ == "__main__":
    unittest.main()
