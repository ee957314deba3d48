import shutil
import tempfile
import unittest

from extensions import Extension

# A stand-in that notes its words, each with its length before it, and then what it reads.
STAND_IN = """#!/bin/sh
for word; do printf '%s %s\\n' "${#word}" "$word"; done >>"$0.words"
cat >>"$0.read"
printf '\\033[1mCreating issue\\033[m\\n#7 Title\\n https://hub.test/a/b/issues/7\\n'
"""


class FileIssueTests(unittest.TestCase):
    def setUp(self):
        self.file = Extension(self, "file-issue.py")
        self.programs = self.file.programs

    def stand_in(self, name):
        path = self.programs.folder / name
        path.write_text(STAND_IN)
        path.chmod(0o755)

    def run_alone(self, content, type="public.plain-text", **options):
        return self.file.run(content, type, None, self.programs.path, **{"repository": "a/b", **options})

    def issue(self, content, type="public.plain-text", **options):
        """The title and the body of an issue at GitHub."""
        self.stand_in("gh")
        for part in ("gh.words", "gh.read"):
            (self.programs.folder / part).unlink(missing_ok=True)
        done = self.run_alone(content, type, **options)
        self.assertEqual((done.stdout, done.stderr, done.returncode), (b"https://hub.test/a/b/issues/7\n", b"", 0))
        words = (self.programs.folder / "gh.words").read_text()
        before, after = words.split("--title=")
        self.assertEqual(before.split("\n")[:3], ["5 issue", "6 create", "10 --repo=a/b"])
        title, _, rest = after.partition("\n")
        self.rest = rest.splitlines()
        self.assertEqual(self.rest[0], "13 --body-file=-")
        return title, (self.programs.folder / "gh.read").read_text()

    def test_the_first_line_is_the_title(self):
        text = "\n  --help 'It' \"is\"\t$(x)\x07\n\nWhen I press\n  `q`\n/close\n"
        self.assertEqual(self.issue(text), ("--help 'It' \"is\" $(x)", "When I press\n  `q`\n/close"))
        self.assertEqual(self.issue("one"), ("one", ""))
        self.assertEqual(self.issue("one\ntwo\n", title=" A\nb "), ("A b", "one\ntwo"))
        self.assertEqual(self.issue("é" * 300)[0], "é" * 249 + "…")

    def test_what_a_command_has_printed_is_code_below_it(self):
        self.assertEqual(
            self.issue("error: x\n```\n\n\tat main\r\n", command="make `all` && a", status="2", host="build-1"),
            ("error: x", "`` make `all` && a `` on `build-1` has ended with exit status `2`\n\n    error: x\n    ```\n\n    \tat main"),
        )

    def test_text_that_is_no_prose_is_code(self):
        for type, body in (
            ("public.patch-file", "    diff\n    + a"), ("public.plain-text", "+ a"), ("net.daringfireball.markdown", "+ a"),
        ):
            self.assertEqual(self.issue("diff\n+ a", type), ("diff", body))

    def test_labels_are_words_of_their_own(self):
        self.issue("a", labels="bug, -x y,,")
        self.assertEqual(self.rest[1:], ["11 --label=bug", "12 --label=-x y"])

    def test_at_gitlab_no_line_is_a_command(self):
        self.stand_in("glab")
        done = self.run_alone("one\n\n/close\n  /label ~x\na/b\n", at="gitlab")
        self.assertEqual((done.stdout, done.stderr), (b"https://hub.test/a/b/issues/7\n", b""))
        words = (self.programs.folder / "glab.words").read_text()
        self.assertIn("--title=one\n", words)
        self.assertIn(" --description=\n\\/close\n  \\/label ~x\na/b\n5 --yes\n".replace("=\n", "="), words)
        self.run_alone("one", at="gitlab")
        self.assertIn(" --description=one\n", (self.programs.folder / "glab.words").read_text())

    def test_secrets_are_not_sent_unless_that_is_wanted(self):
        self.programs.add("gh", ("*", "https://hub.test/1\n"))
        for text, options in (("a\npassword=hunter22", {}), ("a", {"command": "curl -H 'token: hunter2222'"})):
            done = self.run_alone(text, **options)
            self.assertEqual((done.stdout, done.returncode), (b"", 1))
            self.assertEqual(done.stderr, b"it has secrets (1 of the kind secret): use Redact first, or secrets=send\n")
        self.assertEqual(self.programs.calls("gh"), [])
        self.assertEqual(self.run_alone("password=hunter22", secrets="send").stdout, b"https://hub.test/1\n")
        self.assertEqual(self.run_alone("mail ann@b.org, 10.0.0.1").returncode, 0)

    def test_without_redact_beside_it_nothing_is_sent(self):
        self.programs.add("gh", ("*", ""))
        with tempfile.TemporaryDirectory() as folder:
            self.file.path = shutil.copy(self.file.path, folder)
            done = self.run_alone("a")
        self.assertEqual((done.returncode, self.programs.calls("gh")), (69, []))
        self.assertEqual(done.stderr, b"redact.py, which comes with today, is not beside this script\n")

    def test_what_cannot_be_an_issue_says_why(self):
        self.programs.add("gh", ("*", ""))
        for content, options, words, status in (
            ("a", {"repository": ""}, b"the option repository names where the issue is made, such as owner/name\n", 64),
            (" \n", {}, b"an issue needs a title\n", 65),
            ("a\n" + "b" * 65537, {}, b"an issue has at most 65536 characters; share a part of it, or a link", 65),
        ):
            done = self.run_alone(content, **options)
            self.assertEqual((done.stdout, done.returncode), (b"", status))
            self.assertTrue(done.stderr.startswith(words), done.stderr)
        self.assertEqual(self.programs.calls("gh"), [])

    def test_a_missing_program_and_a_failure_are_named(self):
        for at, words in (("github", b"gh is not installed; install it with: apt"), ("gitlab", b"glab is not installed; get it from")):
            done = self.run_alone("a", at=at)
            self.assertEqual((done.stdout, done.returncode), (b"", 69))
            self.assertIn(words, done.stderr)
        self.programs.add("gh", ("*", "\nTo get started, run:  gh auth login\nAlternatively, set\n", 4))
        done = self.run_alone("a")
        self.assertEqual((done.stdout, done.stderr, done.returncode), (b"", b"To get started, run:  gh auth login\n", 1))
        self.programs.add("gh", ("*", "", 3))
        self.assertEqual(self.run_alone("a").stderr, b"gh has ended with 3\n")


if __name__ == "__main__":
    unittest.main()
