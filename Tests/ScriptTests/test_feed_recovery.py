"""Feeds that are not XML, or not in the charset that they say: what can be read of them is."""

import datetime
import json
import sys
import time
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "Widgets" / "Feeds"))
import feed_reader  # noqa: E402

FEED = "<rss version='2.0'><channel><title>Shed</title>%s</channel></rss>"


def item(title, more=""):
    return f"<item><title>{title}</title><link>https://shed.example/1</link>{more}</item>"


def read(content, media_type="application/xml"):
    content = content.encode() if isinstance(content, str) else content
    return feed_reader.read_feed(content, media_type, "https://shed.example/feed", "https://shed.example/feed")


def titles(content, media_type="application/xml"):
    return [one.title for one in read(content, media_type).entries]


class RecoveryTests(unittest.TestCase):
    def check(self, cases):
        for content, expected in cases:
            with self.subTest(content[:80]):
                self.assertEqual(titles(content), expected)

    def test_what_is_before_the_declaration_and_after_the_end_is_none_of_the_feed(self):
        feed = "<?xml version='1.0' encoding='UTF-8'?>" + FEED % item("One")
        for before in ("\n", " \r\n\t", "\ufeff", "\ufeff\n", "<br />\n<b>Warning</b>: line <b>3</b><br />", "<!-- c -->", "?", "\0"):
            for after in ("", "\n\n", "trailing", "<!-- c -->", "</rss>", "<x>", "\0"):
                with self.subTest(before=before, after=after):
                    found = read(before + feed + after)
                    self.assertEqual((found.name, [one.title for one in found.entries], bool(found.problem)), ("Shed", ["One"], False))

    def test_warnings_before_a_feed_without_a_declaration_are_none_of_it(self):
        for before in ("<br />\n<b>Warning</b>: line <b>3</b><br />\n", "<p>Notice</p>", "Deprecated: x & y in <x>\n", "<!-- <rss> -->", "<!-- a --> b", "<b>open"):
            for feed in (FEED % item("One"), "<!DOCTYPE rss>" + FEED % item("One")):
                with self.subTest(before=before, feed=feed[:12]):
                    found = read(before + feed)
                    self.assertEqual((found.name, [one.title for one in found.entries], bool(found.problem)), ("Shed", ["One"], False))

    def test_characters_that_are_none_of_xml_are_left_out(self):
        for odd in ("\x18", "\0", "\x0b", "\x1f", "\ufffe", "&#24;", "&#x0;", "&#x1F;", "&#0;"):
            with self.subTest(odd):
                found = titles(FEED % (item("Good") + item(f"Odd{odd} one")))
                self.assertEqual(found, ["Good", "Odd one"])
        for number in ("xD800", "x110000", "1114112", "9999999"):
            self.assertEqual(titles(FEED % item(f"A&#{number};")), ["A\ufffd"])
        self.assertEqual(titles(FEED % item("It&#146;s")), ["It’s"])

    def test_an_ampersand_or_a_bracket_alone_is_text(self):
        self.check(
            [
                (FEED % item("Q & A & more"), ["Q & A & more"]),
                (FEED % item("AT&T, a&b; &unknown;"), ["AT&T, a&b; &unknown;"]),
                (FEED % item("1 < 2 and 3 > 2"), ["1 < 2 and 3 > 2"]),
                (FEED % item("1 <2 & [[x]]> y"), ["1 <2 & [[x]]> y"]),
                (FEED % item("A", "<enclosure url='http://a.example/?a=1&b=2' length=5 type=audio/mpeg/>"), ["A"]),
            ]
        )
        link = read(FEED % "<item><title>A</title><link>http://a.example/?a=1&b=2&copy=3</link></item>").entries[0].link
        self.assertEqual(link, "http://a.example/?a=1&b=2&copy=3")

    def test_entities_of_html_and_of_the_feed_are_known(self):
        doctype = "<!DOCTYPE rss PUBLIC '-//Netscape Communications//DTD RSS 0.91//EN' 'http://my.netscape.com/rss-0.91.dtd'>"
        own = "<!DOCTYPE rss [<!ENTITY shed \"the shed\"> <!ENTITY twice '&shed; &amp; &shed;'>\n]>"
        self.check(
            [
                (FEED % item("The clown&rsquo;s &shy;joke&nbsp;&euro;"), ["The clown’s joke €"]),
                (doctype + FEED % item("Caf&eacute;"), ["Café"]),
                ("<?xml version='1.0'?>" + own + FEED % item("In &shed;: &twice;"), ["In the shed: the shed & the shed"]),
                (doctype + FEED % item("Plain"), ["Plain"]),
            ]
        )

    def test_references_to_two_halves_of_a_character_are_one(self):
        self.check([
            (FEED % item("x &#55357;&#56832; y"), ["x 😀 y"]), (FEED % item("&#xD83D;&#xde00;"), ["😀"]), (FEED % item("a&#55357;b"), ["a\ufffdb"]),
            (FEED % item("a&#56832;&#55357;b"), ["a\ufffd\ufffdb"]), (FEED % item("&#10003;&#10004;"), ["✓✔"]),
        ])

    def test_entities_do_not_grow(self):
        laughs = "<!ENTITY a0 'ha'>" + "".join(f"<!ENTITY a{n + 1} '{f'&a{n};' * 10}'>" for n in range(20))
        long = f"<!ENTITY long '{'x' * 150}'>"
        itself = "<!ENTITY me '&me;&me;'>"
        for subset in (laughs, long, itself, "<!ENTITY file SYSTEM 'file:///etc/passwd'>"):
            with self.subTest(subset[:20]):
                start = time.process_time()
                found = read(f"<!DOCTYPE rss [{subset}]>" + FEED % (item("&a20;&me;&file;") + item("Next") + item("&long;" * 100_000)))
                self.assertEqual([one.title for one in found.entries][1], "Next")
                self.assertLess(sum(len(one.title) for one in found.entries), 1000)
                # What grows with each reference would take hours; a busy machine may take some seconds.
                self.assertLess(time.process_time() - start, 5)

    def test_a_prefix_without_a_declaration_hides_nothing(self):
        self.check(
            [
                (FEED % item("One", "<media:thumbnail url='https://a.example/t.jpg'/><media:title>no</media:title>"), ["One"]),
                (FEED % ("<item><media:title>no</media:title><title>One</title></item>"), ["One"]),
                (FEED % ("<itunes:title>no</itunes:title>" + item("One", "<x:item><title>no</title></x:item>")), ["One"]),
            ]
        )
        dated = read(FEED % item("One", "<dc:date>2031-02-01T00:00:00Z</dc:date>"))
        self.assertEqual(str(dated.entries[0].date), "2031-02-01 00:00:00+00:00")
        rdf = "<rdf:RDF xmlns='http://purl.org/rss/1.0/'><channel><title>R</title></channel><item><title>A & B</title></item></rdf:RDF>"
        self.assertEqual((read(rdf).name, titles(rdf)), ("R", ["A & B"]))

    def test_elements_without_an_end_cost_their_entry_at_most(self):
        good = item("Good")
        self.check(
            [
                (FEED % (good + "<item><title>Bad<link>https://shed.example/2</link></item>" + good), ["Good", "Bad"]),
                (FEED % (good + "<item><title>Bad</item>" + item("Next")), ["Good", "Bad", "Next"]),
                (FEED % (good + "<item><title>Bad</title>" + item("Next")), ["Good", "Bad", "Next"]),
                (FEED % (good + "<item><title>a <b>Bad</title></item>" + item("Next")), ["Good", "a Bad", "Next"]),
                (FEED % (good + "<item></b><title>Bad</i></title></item>" + item("Next")), ["Good", "Bad", "Next"]),
                (FEED % (good + "<item><title><![CDATA[Bad</title></item>" + item("<![CDATA[Next]]>")), ["Good", "Bad", "Next"]),
                (FEED % (good + "<item><title><![CDATA[Bad</title></item>" + item("Next")), ["Good", "Bad", "Next"]),
                (FEED % (good + "<item><!-- <title>Bad</title></item>" + item("Next")), ["Good", "Bad", "Next"]),
                (FEED % (good + item("Bad", "<description>a<br>b<img src=x></description>") + item("Next")), ["Good", "Bad", "Next"]),
                (FEED % (good + "<item><title a='1' a='2' b>Bad</title></item>" + item("Next")), ["Good", "Bad", "Next"]),
                (FEED % ("<image><title>I" + good + item("Next")), ["Good", "Next"]),
                ("<rss><channel><title>Shed</title>" + good + item("Next"), ["Good", "Next"]),
                (FEED % (good + "<!-- " + item("No") + " -->" + item("Next")), ["Good", "Next"]),
            ]
        )

    def test_entries_that_cannot_be_read_are_counted(self):
        for content, expected in (
            (FEED % (item("One") + "<item/><item><title/></item>" + item("Two")), (2, 2, False)),
            (FEED % item("One") + "&", (1, 0, False)),
            (FEED % (item("A & B") + "<item></item>" + item("Two")), (2, 1, False)),
            ((FEED % (item("One") + item("Two")))[:-60], (1, 1, True)),
            ((FEED % (item("One") + item("Two")))[:-3], (2, 0, True)),
            (FEED % (item("One") + "<item><title>²</title><a²b/></item>" + item("Two")), (2, 1, False)),
        ):
            with self.subTest(content[-60:]):
                found = read(content)
                self.assertEqual((len(found.entries), found.unreadable, bool(found.problem)), expected)

    def test_what_is_no_feed_is_said_to_be_none(self):
        for content in (b"", b"<", b"<html><body><feed ></body></html>", b"<!DOCTYPE html><rss></rss>", b"{}", b"[]", b"{", b"<rs>", b"\x1f\x8b", b"\x89PNG", b"null"):
            with self.subTest(content), self.assertRaisesRegex(feed_reader.NoFeed, "did not answer with a feed"):
                read(content)

    def test_the_time_of_a_hostile_feed_grows_with_its_length_alone(self):
        long = 1024 * 1024
        for part in (
            "<", "<a", "<a>", "</a>", "<a b='", "<a b=\"<", "&", "&a;", "&#", "<!--", "<![CDATA[", "<![CDATA[x</title>", "<?", "<!A[", "]]>", "] ", "a=",
            "<item>", "<item><title>", "</item><item>", "<![CDATA[</item><item>", "<item><![CDATA[]]>", "\0", "<b>x</b>", "&lt;", "&amp;lt;p&amp;gt;",
            "<item><title>&lt;!--</title></item>", "<item><title>a &amp;lt;</title></item>", "<a xmlns:b='c'>", "<a:b/>", "<!DOCTYPE a[", "aaaa",
        ):  # fmt: skip
            for form in (lambda parts: FEED % parts, lambda parts: FEED % f"<item><title>{parts}</title></item>{item('Next')} & ]]>"):
                with self.subTest(part):
                    quarter = self.seconds(form(part * (long // 4 // len(part))))
                    # A ratio, as a busy machine is slower; in quadratic time it would be 16.
                    self.assertLess(self.seconds(form(part * (long // len(part)))), 8 * quarter + 0.5)

    def seconds(self, content):
        """The processor time that reading takes."""
        start = time.process_time()
        read(content)
        return time.process_time() - start

    def test_of_too_many_elements_the_first_are_read(self):
        for odd in ("", "&"):
            found = read(FEED % (item("One") + odd + "<a/>" * 500_000 + item("Two")))
            self.assertEqual(([one.title for one in found.entries], found.problem), (["One"], "the feed has too many elements"))

    def test_an_entry_with_a_huge_title_is_cut(self):
        found = titles(FEED % (item("word " * 200_000) + item("Next") + item(f"<![CDATA[{'<p>' * 300_000}]]>")))
        self.assertEqual((len(found[0]), found[0][-1], found[1]), (300, "…", "Next"))

    def test_of_many_entries_the_first_are_read(self):
        self.assertEqual(len(titles(FEED % "".join(item(n, f"<guid>{n}</guid>") for n in range(1000)))), 200)
        self.assertEqual(len(titles(FEED % "".join(item(f"{n} & 1", f"<guid>{n}</guid>") for n in range(1000)))), 200)

    def test_of_many_entries_the_newest_are_read_whatever_their_order_is(self):
        first = datetime.datetime(2024, 1, 1, tzinfo=datetime.timezone.utc)
        dates = [(number, first + datetime.timedelta(days=number)) for number in range(320)]
        newest = [str(number) for number in range(120, 320)]

        def rss(dates, sign=""):
            return FEED % "".join(item(number, f"<guid>{number}</guid><pubDate>{date:%d %b %Y}</pubDate>{sign}") for number, date in dates)

        def items(dates, end="]}"):
            listed = [{"id": str(number), "title": str(number), "date_published": date.isoformat()} for number, date in dates]
            return json.dumps({"version": "https://jsonfeed.org/version/1.1", "items": listed})[:-2] + end

        for content in (rss(dates), rss(dates, "&"), items(dates), items(dates, "")):
            self.assertEqual(titles(content), newest)
        self.assertEqual(titles(rss(dates[::-1])), newest[::-1])
        # Without a date they are behind those that have one.
        undated = "".join(item(f"Undated {number}") for number in range(300))
        self.assertEqual(titles((rss(dates[:150])).replace("<item>", f"{undated}<item>", 1))[49:51], ["Undated 49", "0"])

    def test_a_feed_of_more_entries_than_are_read_says_so(self):
        for sign in ("", "&"):
            found = read(FEED % (item("One") * 11_000 + sign))
            self.assertEqual((len(found.entries), found.problem), (1, "the feed has too many entries"))
        found = read(FEED % ("<item><a b='" * 11_000))
        self.assertEqual((found.entries, found.problem), ([], "the feed has too many entries"))


if __name__ == "__main__":
    unittest.main()
