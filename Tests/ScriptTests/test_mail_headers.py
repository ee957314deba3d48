"""Heads of messages as programs write them: what can be read is shown, and nothing raises."""

import random
import sys
import time
import unittest

from widget import ROOT

NAMES = ("headers", "encoded_words", "japanese", "mailbox_names")


class MailHeaderTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.path = str(ROOT / "Widgets" / "Mail")
        sys.path.insert(0, cls.path)
        import encoded_words
        import headers
        import mailbox_names

        cls.headers, cls.words, cls.mailboxes = headers, encoded_words, mailbox_names

    @classmethod
    def tearDownClass(cls):
        sys.path.remove(cls.path)
        for name in NAMES:
            sys.modules.pop(name, None)

    def subject(self, content):
        return self.headers.message(b"Subject: " + content).subject

    def test_quotation_marks_that_were_encoded_are_no_part_of_a_name(self):
        for content, words in (
            (b'=?utf-8?Q?=22Doe=2C_Jane=22?= <a@b.example>', "Doe, Jane"), (b'"Jane \\"JD\\" Doe" <a@b.example>', 'Jane "JD" Doe'),
            (b'=?utf-8?Q?=22?= <a@b.example>', '"'), (b'=?utf-8?Q?=22A=22_=22B=22?= <a@b.example>', '"A" "B"'),
        ):
            with self.subTest(content):
                self.assertEqual(self.headers.message(b"From: " + content).sender, words)

    def test_a_byte_order_mark_before_the_head_is_no_part_of_it(self):
        found = self.headers.message(b"\xef\xbb\xbfFrom: Clown <clown@town.example>\r\nSubject: Hello\r\n")
        self.assertEqual((found.sender, found.subject), ("Clown", "Hello"))

    def test_letters_that_are_not_encoded_are_utf_8_or_else_of_the_message(self):
        cases = [
            ("Электронный чек оплаты".encode(), "Электронный чек оплаты"),
            (b"Caf\xe9", "Café"),
            ("Une évaluation ".encode() + b"=?ISO-8859-1?Q?compl=E9ter?=", "Une évaluation compléter"),
            ("Une évaluation\t".encode() + b"=?ISO-8859-1?Q?\tcompl=E9ter?= \t=?utf-8?Q?_=C3=A9?=", "Une évaluation compléter é"),
            ("viele schöne Grüße, halb".encode() + b"\xc3", "viele schöne Grüße, halb\ufffd"),
            (b"\x1b$BF|K\\\x1b(B", "日本"),
            (b"\xc4\xc5\xd3\nContent-Type: text/plain; charset=\"koi8-r\"", "дес"),
            (b"\xc4\xc5\nContent-Type: text/plain; charset=utf-16", "ÄÅ"),
        ]
        for content, words in cases:
            with self.subTest(words):
                self.assertEqual(self.subject(content), words)

    def test_a_charset_is_read_as_its_superset_and_an_unknown_one_costs_its_own_letters(self):
        cases = [
            (b"=?gb2312?B?6Ua7+bXEt7/X0w==?=", "镕基的房子"),
            (b"=?shift_jis?B?h0A=?=", "①"),
            (b"=?ks_c_5601-1987?B?jGM=?=", "똠"),
            (b"=?iso-8859-1?Q?=93Hi=94_=80?=", "“Hi” €"),
            (b"=?us-ascii?Q?=C3=A9?=", "é"),
            (b"=?unknown-8bit?Q?=FC_=80?=", "ü €"),
            (b"=?hz-gb-2312?Q?~{VPND~}?=", "中文"),
            (b"=?UTF-16?B?AEgAaQ==?=", "Hi"),
            (b"=?UTF-16?B?//5IAGkA?=", "Hi"),
            (b"=?x-klingon?Q?Ok_=E9?=", "Ok \ufffd"),
            (b"=?x-klingon?Q?Ok_=C3=A9?=", "Ok é"),
            (b"=?unicode_escape?Q?=5Cu0041?=", "\\u0041"),
            (b"=?rot13?Q?abc?= =?zlib?B?YWJj?= =?\xe9?Q?d?=", "abcabcd"),
            (b"=?utf-7?Q?+2AA-?=", "?"),
            (b"=?utf-8*en?Q?=C3=A9?=", "é"),
            (b"=?iso-2022-jp?B?GyRCRnxLXBsoQg==?=", "日本"),
        ]
        for content, words in cases:
            with self.subTest(content):
                self.assertEqual(self.subject(content), words)

    def test_encoded_words_that_are_broken_stay_readable(self):
        cases = [
            (b"=?utf-8?Q?Caf=E9_is_open?=", "Caf\ufffd is open"),
            (b"=?UTF-8?B?Lor\xe0\xe0m Ipsum?=", "Loràà" "m Ipsum"),
            (b"=?UTF-8?B?Hello World?= =?UTF-8?B?Hello?=", "Hello WorldHello"),
            (b"=?utf-8?B?SGVqIQ?=", "Hej!"),
            (b"=?utf-8?B?SGVq\n IQ==?=", "Hej!"),
            (b"=?utf-8?B?SGVqIQ==SGVqIQ==?=", "Hej!Hej!"),
            (b"=?utf-8?Q?50=_off_=XY?=", "50= off =XY"),
            (b"=?utf-8?Q?Are you ok??=", "Are you ok?"),
            (b"[SPAM]=?utf-8?B?SGVqIQ==?=now", "[SPAM]Hej!now"),
            (b"=?utf-8?Q?girl=C4?=\n =?UTF-8?Q?=97!?=", "girlė!"),
            (b"a =?utf-8?Q??= b =?utf-8?Q?not ended", "a b =?utf-8?Q?not ended"),
            (b"=?utf-8?B??=", "no subject"),
        ]
        for content, words in cases:
            with self.subTest(content):
                self.assertEqual(self.subject(content), words)

    def test_a_letter_in_two_words_is_whole_wherever_the_word_was_cut(self):
        import base64

        for words in ("✓ ready", "日本語の件名", "Café 😀"):
            content = words.encode()
            letters = base64.b64encode(content).decode()
            quoted = ["=%02x" % byte for byte in content]
            for cut in range(1, len(content)):
                parts = [base64.b64encode(content[:cut]), base64.b64encode(content[cut:])]
                with self.subTest(words, cut=cut):
                    self.assertEqual(self.subject(b"=?utf-8?B?%s?=\n =?UTF-8?b?%s?=" % tuple(parts)), words)
                    halves = "".join(quoted[:cut]), "".join(quoted[cut:])
                    self.assertEqual(self.subject(("=?utf-8?Q?%s?=\r\n\t=?utf-8?q?%s?=" % halves).encode()), words)
            for cut in range(1, len(letters)):
                with self.subTest(words, letters=cut):
                    self.assertEqual(self.subject(f"=?utf-8?B?{letters[:cut]}?= =?utf-8?B?{letters[cut:]}?=".encode()), words)
            # Three words, the second of which has neither beginning nor end.
            self.assertEqual(self.subject(f"=?utf-8?B?{letters[:3]}?= =?utf-8?B?{letters[3:5]}?= =?utf-8?B?{letters[5:]}?=".encode()), words)

    def test_a_word_that_was_cut_or_encoded_twice_is_readable(self):
        for content, words in (
            (b"Your =?utf-8?Q?caf=C3=A9", "Your café"),
            (b"=?utf-8?B?Y2Fmw6k", "café"),
            (b"=?utf-8?B?Y2Fmw6k=?", "café"),
            (b"=?utf-8?Q?" + b"=C3=A9" * 2000 + b"?=", "é" * 1362),
            (b"=?utf-8?Q?=3D=3Futf-8=3FQ=3Fcaf=3DC3=3DA9=3F=3D?=", "café"),
            (b"=?utf-8?B?PT91dGYtOD9RP2NhZj1DMz1BOT89?=", "café"),
            (b"=?utf-8?Q?How_=3D=3Futf-8=3FQ=3Fx=3F=3D_is_read?=", "How =?utf-8?Q?x?= is read"),
            (b"=?utf-8", "=?utf-8"),
        ):
            with self.subTest(content[:60]):
                self.assertEqual(self.subject(content)[:1362], words)

    def test_japanese_is_read_as_programs_write_it(self):
        for content, words in (
            (b"=?ISO-2022-JP?B?GyRCRnw=?=\n =?ISO-2022-JP?B?S1wbKEI=?=", "日本"),
            (b"=?iso-2022-jp?B?GyRCLSFGfBsoQiB4?=", "①日 x"),
            (b"=?iso-2022-jp?Q?=C6=FC=CB=DC?=", "日本"),
            (b"=?iso-2022-jp?Q?=93=FA=96=7B?=", "日本"),
            ("=?iso-2022-jp?Q?日本?=".encode(), "日本"),
            (b"=?iso-2022-jp?Q?caf=E9?=", "caf\ufffd"),
            (b"\x1b$B\xc6\xfc\xcb\xdc\x1b(B ok", "日本 ok"),
            (b"\x1b$B-!F|\x1b(J ok \x1b(I6E\x1b(B", "①日 ok ｶﾅ"),
            (b"\x1b$B\x1b(B plain \xc6\xfc", "plain 日"),
            (b"\x1b$BF", "\ufffd"),
        ):
            with self.subTest(content):
                self.assertEqual(self.subject(content), words)

    def test_a_character_in_two_halves_and_other_names_of_charsets(self):
        for content, words in (
            (b"crab \xed\xa0\xbe\xed\xb6\x80", "crab 🦀"),
            (b"=?utf-8?Q?=ED=A0=BE=ED=B6=80?= =?cesu-8?Q?=ed=a0=be=ed=b6=80?=", "🦀🦀"),
            (b"=?utf-8?Q?=ED=A0=BE?=", "\ufffd\ufffd\ufffd"),
            (b"=?x-mac-roman?Q?caf=8E?= =?mac?Q?=8E?=", "caféé"),
            (b"=?x-koi8-r?Q?=C4?=", "д"),
            (b"=?unknown-8bit?Q?caf=C3=A9?=", "café"),
            (b"\xc4\xc5\nContent-Type: text/plain; charset*=us-ascii'en'koi8-r", "де"),
            (b"\xc4\xc5\nContent-Type: text/plain; charset*0=\"koi8-r\"", "де"),
        ):
            with self.subTest(content):
                self.assertEqual(self.subject(content), words)

    def test_an_address_is_taken_apart_before_its_words_are_decoded(self):
        cases = [
            ("=?utf-8?Q?anna=40example=2Eorg_via_Caf=C3=A9?= <list@example.org>", "anna@example.org via Café"),
            ("=?UTF-8?Q?M=C3=BCller=2C_Hans?= <h@m.de>, b@x", "Müller, Hans"),
            ("=?utf-8?Q?Doe, <John>?= <j@x>", "Doe, <John>"),
            ('"Doe, \\"J\\" John" <j@x.org>, b@x', 'Doe, "J" John'),
            ('"=?utf-8?Q?An=C3=A9a?=" <a@x>', "Anéa"),
            ("Doe, John <j@x.org>", "Doe, John"),
            ("anna@example.org <list@example.org>", "anna@example.org"),
            ("j@x.org (John =?utf-8?Q?D=C3=B6?=)", "John Dö"),
            ("A (c, d <e@f>) B <x@y>", "A B"),
            ("A (c <x@y>", "A c"),
            ("(hidden) a@x (Anna (the) first)", "hidden Anna the first"),
            ("a@b, c@d", "a@b"),
            ("<@a,@b:joe@x>", "joe@x"),
            ("Undisclosed recipients:;", "Undisclosed recipients"),
            ('Friends: "A" <a@b>, c@d;', "A"),
            ("Re: foo <x@y>", "Re: foo"),
            ('"" <a@x>', "a@x"),
            ('"Anna <a@x>', "Anna"),
            ("root", "root"),
            ("Jiří Novák <jiri@example.org>", "Jiří Novák"),
        ]
        for value, words in cases:
            with self.subTest(value):
                self.assertEqual(self.headers.message(b"From: " + value.encode()).sender, words)

    def test_fields_can_be_missing_empty_folded_repeated_or_among_other_lines(self):
        cases = [
            (b"Subject: x", ("unknown sender", "x")),
            (b"From:\nSubject:", ("unknown sender", "no subject")),
            (b"From: <>\nSender: b@x\nSubject: \t ", ("b@x", "no subject")),
            (b"FROM : a@x\r\nsubject:one\r\n\ttwo\r\n   three\r\n\r\nSubject: body", ("a@x", "one two three")),
            (b"Subject: first\nSubject: second\n\tmore\nFrom:\nFrom: b@x", ("b@x", "first")),
            (b"From a@x Mon Feb  3 04:05:06 2031\n>From b@x\nFrom: c@x\nno field\n folded\nSubject: s\0t", ("c@x", "st")),
            (b"\n\nFrom: a@x\rSubject: y", ("a@x", "y")),
        ]
        for head, words in cases:
            with self.subTest(head):
                found = self.headers.message(head)
                self.assertEqual((found.sender, found.subject), words)
        for head in (b"", b"\0\0", b"\n\n", b"\x89PNG\r\n\x1a\n", b"just words\n\nFrom: body"):
            with self.subTest(head), self.assertRaises(self.headers.Unreadable):
                self.headers.message(head)

    def test_nothing_raises_takes_long_or_gives_half_a_letter(self):
        parts = [
            b"=?utf-8?Q?", b"?=", b"=?", b"\n ", b"\n", b"\r", b'"', b"<", b">", b"(", b")", b",", b";", b":", b"@", b"\\",
            b"\xe9", b"\xc3\xa9", b"=?big5?B?", b"=?utf-7?Q?+2AA-", b"=?utf-16?B?", b"=?idna?Q?", b"A", b"=C3", b"\0",
            b"\nFrom: ", b"\nSubject: ", b"\x1b$B", b"\nContent-Type: text/plain; charset=utf-16",
        ]
        source = random.Random(20310203)
        heads = [b"From: " + b"".join(source.choices(parts, k=source.randrange(40))) for _ in range(3000)]
        large = [b"=?", b"=?u?q?", b"=?utf-8?Q?a?= ", b'"', b'"\\', b"<", b"(", b"()", b", ", b": ", b":;", b"\\", b"\n x"]
        heads += [b"Subject: %b\nFrom: %b" % (one * 30000, one * 30000) for one in large]
        start = time.monotonic()
        for head in heads:
            found = self.headers.message(head)
            (found.sender + found.subject).encode()
        self.assertLess(time.monotonic() - start, 20)

    def test_names_of_mailboxes_are_modified_utf_7_both_ways(self):
        names = {
            "INBOX": "INBOX", "Entwürfe": "Entw&APw-rfe", "A&B": "A&-B", "~peter/mail/台北/日本語": "~peter/mail/&U,BTFw-/&ZeVnLIqe-",
            "a\U0001f600": "a&2D3eAA-", "": "",
        }
        for name, encoded in names.items():
            with self.subTest(name):
                self.assertEqual(self.mailboxes.encoded(name), encoded)
                self.assertEqual(self.mailboxes.decoded(encoded), name)
        for odd in ("A&B", "ü", "&A-", "&2D0-", "&\n-"):
            with self.subTest(odd):
                self.assertIsNone(self.mailboxes.decoded(odd))


if __name__ == "__main__":
    unittest.main()
