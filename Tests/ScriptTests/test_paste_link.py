import unittest

from extensions import Extension


class PasteLinkTests(unittest.TestCase):
    def setUp(self):
        self.paste = Extension(self, "paste-link.sh")
        for name in ("mktemp", "rm", "dirname", "tr"):
            self.paste.programs.add_real(name)
        self.variables = {"TODAY_NAME": 'a "b.txt'}

    def run_alone(self, content, **options):
        return self.paste.run(content, "public.plain-text", self.variables, self.paste.programs.path, **options)

    def test_a_gist_and_a_snippet_are_not_public(self):
        self.paste.programs.add("gh", ("*", "https://gist.test/1\n"))
        self.paste.programs.add("glab", ("*", "https://lab.test/1\n"))
        self.assertEqual(self.run_alone("hello").stdout, b"https://gist.test/1\n")
        self.assertEqual(self.run_alone("hello", to="snippet").stdout, b"https://lab.test/1\n")
        self.assertEqual(self.paste.programs.calls("gh"), ["gist create --filename a b.txt -"])
        self.assertIn("--visibility private", self.paste.programs.calls("glab")[0])

    def test_a_host_gets_a_form_with_the_expiry(self):
        self.paste.programs.add("curl", ("*", "https://host.test/x\n"))
        self.assertEqual(self.run_alone("a", to="host", address="https://host.test", hours="1").stdout, b"https://host.test/x\n")
        call = self.paste.programs.calls("curl")[0]
        self.assertIn(';filename="a b.txt" --form expires=1 https://host.test', call)
        for address in ("", "http://host.test", "-o/x"):
            done = self.run_alone("a", to="host", address=address)
            self.assertEqual((done.stdout, done.returncode), (b"", 64))
        self.assertEqual(len(self.paste.programs.calls("curl")), 1)

    def test_secrets_are_not_sent_unless_that_is_wanted(self):
        self.paste.programs.add("gh", ("*", "https://gist.test/1\n"))
        done = self.run_alone("mail ann@b.org\npassword=hunter22")
        self.assertEqual((done.stdout, done.returncode), (b"", 1))
        self.assertIn(b"it has secrets (1 of the kind secret): use Redact first", done.stderr)
        self.assertEqual(self.paste.programs.calls("gh"), [])
        self.assertEqual(self.run_alone("password=hunter22", secrets="send").returncode, 0)
        self.assertEqual(self.run_alone("mail ann@b.org, 10.0.0.1").returncode, 0)

    def test_a_missing_program_and_a_failure_are_named(self):
        for to, words in (("gist", b"gh is not installed"), ("snippet", b"glab is not installed; get it from")):
            done = self.run_alone("a", to=to)
            self.assertEqual(done.returncode, 69)
            self.assertIn(words, done.stderr)
        self.paste.programs.add("gh", ("*", "not logged in", 4))
        done = self.run_alone("a")
        self.assertEqual((done.stdout, done.stderr, done.returncode), (b"", b"not logged in", 4))


if __name__ == "__main__":
    unittest.main()
