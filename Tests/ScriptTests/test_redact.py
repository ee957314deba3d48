import unittest

from extensions import Extension


class RedactTests(unittest.TestCase):
    def setUp(self):
        self.redact = Extension(self, "redact.py")

    def redacted(self, content, **options):
        done = self.redact.run(content, **options)
        self.assertEqual(done.returncode, 0)
        return done.stdout.decode()

    def test_each_kind_has_placeholders(self):
        for words, expected in (
            ("a -----BEGIN RSA PRIVATE KEY-----\nx\n-----END RSA PRIVATE KEY----- b", "a [key-1] b"),
            ("-----BEGIN PUBLIC KEY-----", "-----BEGIN PUBLIC KEY-----"),
            ("ghp_abcdefghijklmnopqrstuvwxyz0123456789", "[token-1]"),
            ("glpat-abcdefghijklmnopqrst", "[token-1]"),
            ("AKIAIOSFODNN7EXAMPLE", "[token-1]"),
            ("sk-proj-abcdefghij0123456789", "[token-1]"),
            ("eyJhbGciOiJI.eyJzdWIiOiIx.c2ln", "[token-1]"),
            ("Authorization: Bearer abcdef0123456789", "Authorization: Bearer [token-1]"),
            ("https://joe:s3cr3t@example.com/x", "https://joe:[password-1]@example.com/x"),
            ('"api_key": "abcd1234", ok', '"api_key": "[secret-1]", ok'),
            ("DB_PASSWORD=hunter22", "DB_PASSWORD=[secret-1]"),
            ("ann.b+c@mail.example.com.", "[email-1]."),
            ("--to=-ann@b.org..joe@b.org", "--to=-[email-1][email-2]"),
            ("1.+git+https://joe:s3cr3t@h/", "1.+git+https://joe:[password-1]@h/"),
            ("10.0.0.1:80 127.0.0.1 0.0.0.0 300.1.1.1", "[address-1]:80 127.0.0.1 0.0.0.0 300.1.1.1"),
            ("fe80::1 ::1 12:30:45 std::vector a::b", "[address-1] ::1 12:30:45 std::vector [address-2]"),
            ("00:1b:44:11:3a:b7", "[address-1]"),
            ("/home/ann/x /Users/bob", "/home/[user-1]/x /Users/[user-2]"),
            ("nothing here: 1 + 1 = 2", "nothing here: 1 + 1 = 2"),
        ):
            with self.subTest(words):
                self.assertEqual(self.redacted(words), expected)

    def test_the_same_value_has_the_same_placeholder(self):
        done = self.redact.run("a@b.org c@d.org a@b.org 10.0.0.7")
        self.assertEqual(done.stdout, b"[email-1] [email-2] [email-1] [address-1]")
        self.assertEqual(done.stderr, b"redacted: 2 of the kind email, 1 of the kind address\n")

    def test_what_is_redacted_already_stays(self):
        text = "password: hunter22\nhttps://joe:s3cr3t@x.org/ ann@b.org /home/ann token=abcdefgh"
        once = self.redacted(text)
        self.assertEqual(self.redacted(once), once)
        self.assertEqual(self.redacted("[email-1] ann@b.org"), "[email-1] [email-2]")

    def test_kinds_can_be_kept(self):
        text = "ann@b.org 10.0.0.7 /home/ann password=hunter22"
        kept = self.redacted(text, emails="no", addresses="no", paths="no")
        self.assertEqual(kept, "ann@b.org 10.0.0.7 /home/ann password=[secret-1]")

    def test_a_long_word_takes_no_longer_than_many_short_ones(self):
        for part in ("b", "a.", "A.", "1-", "token", "sk-", "a@", "a:", "a://"):
            with self.subTest(part):
                self.assertEqual(self.redact.run(part * (200_000 // len(part))).stderr, b"redacted: nothing\n")

    def test_other_bytes_stay(self):
        done = self.redact.run(b"\xff\0 ann@b.org\r\n")
        self.assertEqual(done.stdout, b"\xff\0 [email-1]\r\n")
        self.assertEqual(self.redact.run(b"").stderr, b"redacted: nothing\n")


if __name__ == "__main__":
    unittest.main()
