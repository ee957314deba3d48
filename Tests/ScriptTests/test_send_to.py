import os
import tempfile
import unittest

from extensions import Extension


class SendToTests(unittest.TestCase):
    def setUp(self):
        self.send = Extension(self, "send-to.sh")
        for name in ("mktemp", "rm", "grep", "sed"):
            self.send.programs.add_real(name)
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.variables = {"TMPDIR": self.folder}

    def run_alone(self, content, type="public.plain-text", **options):
        return self.send.run(content, type, self.variables, self.send.programs.path, **options)

    def calls(self):
        return self.send.programs.calls("apprise")

    def test_text_is_the_message(self):
        self.send.programs.add("apprise", ("*", ""))
        self.assertEqual(self.run_alone("hé").stdout, b"sent\n")
        self.run_alone("hello", tag="team", title="Look")
        self.assertEqual(self.calls(), ["--title=content", "--title=Look --tag=team"])

    def test_other_content_is_attached_under_its_name(self):
        self.send.programs.add("apprise", ("*", ""))
        self.variables["TODAY_NAME"] = "a b.png"
        self.assertEqual(self.run_alone(b"\x89PNG\xff", "public.png").returncode, 0)
        self.assertTrue(self.calls()[0].startswith(f"--title=a b.png --body=a b.png --attach={self.folder}/"))
        self.assertTrue(self.calls()[0].endswith("/a b.png"))
        self.assertEqual(os.listdir(self.folder), [])

    def test_a_missing_program_and_a_failure_are_named(self):
        self.assertIn(b"apt install apprise", self.run_alone("a").stderr)
        for words, reason in (
            ("2026-11-26 15:30:28,232 - ERROR - no services\nUsage: apprise\n  --help  Show this", b"no services\n"),
            ("it is broken", b"it is broken\n"),
        ):
            self.send.programs.add("apprise", ("*", words, 3))
            done = self.run_alone("a")
            self.assertEqual((done.stdout, done.stderr, done.returncode), (b"", reason, 1))


if __name__ == "__main__":
    unittest.main()
