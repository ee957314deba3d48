"""The forms of feeds: their elements by namespace, their links, their texts, their charsets and their dates."""

import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "Widgets" / "Feeds"))
import feed_markup  # noqa: E402
import feed_reader  # noqa: E402
from feed_charset import decode  # noqa: E402
from feed_dates import moment  # noqa: E402

ATOM = "http://www.w3.org/2005/Atom"
BASE = "https://blog.example/a/feed.xml"


def read(content, media_type="application/xml"):
    content = content.encode() if isinstance(content, str) else content
    return feed_reader.read_feed(content, media_type, BASE, BASE)


def rss(inside, declared=""):
    return f"<rss version='2.0' {declared}><channel><title>Blog</title><item>{inside}</item></channel></rss>"


def atom(inside, declared="", entry=""):
    return f"<feed xmlns='{ATOM}' {declared}><title>Blog</title><entry {entry}>{inside}</entry></feed>"


def both(content):
    """The entry of a feed, as expat reads it and as it is recovered: they are the same."""
    [one], [recovered] = read(content).entries, read(content.replace("</title>", "</title>&", 1)).entries
    assert (one.title, one.link, one.date, one.key) == (recovered.title, recovered.link, recovered.date, recovered.key), (
        one.__dict__,
        recovered.__dict__,
    )
    return one


class FormTests(unittest.TestCase):
    def test_all_forms_of_feeds_have_titles_links_and_dates(self):
        date = "2031-02-01T00:00:00"
        for content in (
            rss(f"<title>One</title><link>/1</link><pubDate>Sat, 01 Feb 2031 00:00 GMT</pubDate>"),
            "<rss version='0.91'><channel><title>Blog</title><item><title>One</title><link>/1</link><pubDate>1 Feb 2031</pubDate></item></channel></rss>",
            "<rss xmlns='http://backend.userland.com/rss2'><channel><title>Blog</title><item><title>One</title>"
            "<link>/1</link><pubDate>1 Feb 31 00:00:00 UT</pubDate></item></channel></rss>",
            f"<rdf:RDF xmlns:rdf='{feed_reader.RDF}' xmlns='http://purl.org/rss/1.0/' xmlns:d='{feed_reader.DC}'><channel rdf:about='x'>"
            f"<title>Blog</title></channel><item rdf:about='y'><title>One</title><link>/1</link><d:date>{date}Z</d:date></item></rdf:RDF>",
            f"<rdf:RDF xmlns:rdf='{feed_reader.RDF}' xmlns='http://my.netscape.com/rdf/simple/0.9/' xmlns:dc='{feed_reader.DC}'><channel>"
            f"<title>Blog</title></channel><item><title>One</title><link>/1</link><dc:date>{date}Z</dc:date></item></rdf:RDF>",
            atom(f"<title>One</title><link href='/1'/><updated>{date}Z</updated>"),
            f"<a:feed xmlns:a='{ATOM}'><a:title>Blog</a:title><a:entry><a:title>One</a:title><a:link rel='alternate' href='/1'/>"
            f"<a:published>{date}+00:00</a:published></a:entry></a:feed>",
            "<feed version='0.3' xmlns='http://purl.org/atom/ns#'><title>Blog</title><entry><title mode='escaped' type='text/html'>O&lt;i&gt;ne"
            f"&lt;/i&gt;</title><link rel='alternate' type='text/html' href='/1'/><issued>{date}Z</issued></entry></feed>",
            "<feed version='0.3' xmlns='http://purl.org/atom/ns#'><title>Blog</title><entry><title mode='base64' type='text/html'>\n PGI+T25l\n PC9iPg=="
            f"</title><link rel='alternate' href='/1'/><created>{date}Z</created></entry></feed>",
            "<RSS VERSION='2.0'><CHANNEL><TITLE>Blog</TITLE><ITEM><TITLE>One</TITLE><LINK>/1</LINK><PUBDATE>1 Feb 2031</PUBDATE></ITEM></CHANNEL></RSS>",
            "<rss><Channel><Title>Blog</Title><Item><Title>One</Title><Link>/1</Link><pubdate>1 Feb 2031</pubdate></Item></Channel></rss>",
            f"<r:RDF xmlns:r='{feed_reader.RDF}' xmlns:s='http://purl.org/rss/1.0/' xmlns:d='{feed_reader.DC}'><s:channel r:about='x'><s:title>Blog"
            f"</s:title></s:channel><s:item r:about='https://blog.example/1'><s:title>One</s:title><d:date>{date}Z</d:date></s:item></r:RDF>",
            f"<Channel xmlns='http://purl.org/net/rss1.1#' xmlns:d='{feed_reader.DC}'><title>Blog</title><items><item><title>One</title>"
            f"<link>/1</link><d:date>{date}Z</d:date></item></items></Channel>",
            f'{{"title":"Blog","version":"http:\\/\\/jsonfeed.org\\/version\\/1","items":[{{"title":"One","url":"/1","date_modified":"{date}Z"}},]}}',
            '{"version":"https://jsonfeed.org/version/1.1","title":"Blog","items":[{"id":1,"title":"One","url":"/1",'
            f'"date_published":"{date}Z"}}]}}',
        ):
            with self.subTest(content[:70]):
                found = read(content)
                self.assertEqual(found.name, "Blog")
                [one] = found.entries
                self.assertEqual((one.title, one.link, one.date.isoformat()), ("One", "https://blog.example/1", date + "+00:00"))

    def test_names_in_capitals_are_recovered_too(self):
        one = both("<RSS><CHANNEL><title>Blog</title><ITEM><Title>One</title><LINK>/1</LINK><GUID isPermaLink='false'>x</GUID></ITEM></CHANNEL></RSS>")
        self.assertEqual((one.title, one.link), ("One", "https://blog.example/1"))

    def test_characters_inside_of_characters_are_read_once(self):
        for words in ("<![CDATA[<![CDATA[Hello]]>]]>", "<![CDATA[<![CDATA[Hello]]]]>", "&lt;![CDATA[Hello]]&gt;", "<![CDATA[Hel]]><![CDATA[lo]]>"):
            with self.subTest(words):
                self.assertEqual(read(rss(f"<title>{words}</title><guid>x</guid>")).entries[0].title, "Hello")

    def test_base64_that_is_none_stays(self):
        for words, expected in (("!!no", "!!no"), ("Y2Fm6Q==", "café"), ("Y2Fmw6k=", "café"), ("", "Without a title")):
            content = f"<feed xmlns='http://purl.org/atom/ns#'><entry><id>x</id><title mode='base64'>{words}</title></entry></feed>"
            self.assertEqual(both(content).title, expected)

    def test_an_item_of_json_that_cannot_be_read_costs_itself(self):
        start = '{"version":"https://jsonfeed.org/version/1.1","title":"Blog","items":['
        good = '{"id":"1","title":"One"}'
        for content, titles, unreadable, problem in (
            (start + f'{good},{{"id":2,"title":oops}},{{"id":"3","title":"Three"}}]}}', ["One", "Three"], 1, None),
            (start + f'null,1,[],{{}},"x",{good}]}}', ["One"], 5, None),
            (start + f'{good},{{"id":"2","title":"Tw', ["One"], 1, "the feed ends too early"),
            (start + good, ["One"], 0, "the feed ends too early"),
            (start + f'{good},]}}', ["One"], 0, None),
            (start + '{"id":"1","title":"a\nb\x01"}]}', ["a b"], 0, None),
            (start + f'{{"id":{"9" * 5000},"title":"Long"}},{{"id":NaN,"title":"None"}}]}}', ["Long", "None"], 0, None),
            (start + f'{"[" * 100_000},{good}]}}', [], 1, None),
            (start + '{"id":{},"title":["x"],"url":null,"content_text":true},{"title":null,"summary":"Short"}]}', ["Short"], 1, None),
            ((start + good + "]}").encode("utf-16"), ["One"], 0, None),
            ((start + good + "]}").encode("utf-8-sig"), ["One"], 0, None),
            ((start + '{"title":"caf@"}]}').encode().replace(b"@", b"\xe9"), ["caf\ufffd"], 0, None),
        ):
            with self.subTest(content[-60:]):
                found = read(content, "application/json")
                self.assertEqual(([one.title for one in found.entries], found.unreadable, found.problem), (titles, unreadable, problem))
                self.assertEqual(found.name, "Blog")
        for content in ("{}", "{", '{"items":[]}', '{"items":{}}', start.replace("[", "3}"), '{"version":null,"items":[{"title":"x"}]}'):
            with self.subTest(content), self.assertRaises(feed_reader.NoFeed):
                read(content, "application/json")
        self.assertEqual(len(read(f'{{"items":[{good}]}}', "application/feed+json; charset=utf-8").entries), 1)

    def test_of_a_web_page_it_says_the_address_of_its_feed(self):
        link = '<link rel="%s" type="%s" href="%s">'
        for inside, expected in (
            (link % ("alternate", "application/rss+xml", "/feed.xml"), "https://blog.example/feed.xml"),
            (link % ("Alternate home", "application/atom+xml; charset=utf-8", "x?a=1&amp;b=2"), "https://blog.example/a/x?a=1&b=2"),
            ("<base href=//other.example/b/>" + link % ("alternate", "application/feed+json", "f"), "https://other.example/b/f"),
            (link.replace('"', "'") % ("alternate", "text/html", "/en") + "<LINK REL=alternate TYPE=application/rss+xml HREF=f>", "https://blog.example/a/f"),
            (link % ("alternate", "application/rss+xml", "javascript:x"), None),
            (link % ("stylesheet", "text/css", "/x"), None),
            ("<link " * 10_000, None),
        ):
            with self.subTest(inside[:100]), self.assertRaises(feed_reader.NoFeed) as raised:
                read(f"<!DOCTYPE html><html><head><title>Blog</title>{inside}</head><body><p>Hello</body></html>", "text/html")
            said = f"this is a web page; its feed is at {expected}" if expected else "the server did not answer with a feed, but with a web page"
            self.assertEqual(str(raised.exception), said)
        for before in ("", "<?xml version='1.0'?>\n<!-- exported -->"):
            with self.subTest(before), self.assertRaisesRegex(feed_reader.NoFeed, "this is a list of feeds, and none itself"):
                read(f"{before}<opml version='2.0'><head><title>Mine</title></head><body><outline xmlUrl='https://a.example'/></body></opml>")
        for content in (b"", b" \r\n", b"\xef\xbb\xbf"):
            with self.subTest(content), self.assertRaisesRegex(feed_reader.NoFeed, "did not answer with a feed, but with nothing"):
                read(content)

    def test_elements_of_other_namespaces_are_not_those_of_the_entry(self):
        declared = f"xmlns:media='http://search.yahoo.com/mrss/' xmlns:atom='{ATOM}' xmlns:itunes='http://www.itunes.com/dtds/podcast-1.0.dtd'"
        others = (
            "<media:title>no.jpg</media:title><itunes:title>no</itunes:title><atom:title>no</atom:title><media:description>no</media:description>"
            "<atom:link rel='related' href='https://no.example/'/><atom:link rel='self' href='https://no.example/'/>"
            "<media:link>https://no.example/</media:link><media:guid>no</media:guid><itunes:pubDate>1 Jan 2000</itunes:pubDate>"
        )
        own = "<title>One</title><link>https://a.example/1</link><guid>1</guid><pubDate>1 Feb 2031</pubDate>"
        for inside in (others + own, own + others):
            one = both(rss(inside, declared))
            self.assertEqual((one.title, one.link, one.date.year, one.identity[0]), ("One", "https://a.example/1", 2031, "1"))
        # A default namespace of the feed is its own; a prefix means what it is declared to be.
        one = both(f"<rss xmlns='{ATOM}'><channel><title>B</title><item><title>One</title></item></channel></rss>")
        self.assertEqual(one.title, "One")
        one = both("<R:RDF xmlns:R='r' xmlns='http://odd.example/'><channel><title>B</title></channel><item><title>One</title></item></R:RDF>")
        self.assertEqual(one.title, "One")
        one = both(atom("<dc:title>no</dc:title><title>One</title>", f"xmlns:dc='http://other.example/'"))
        self.assertEqual(one.title, "One")

    def test_the_link_of_an_entry(self):
        atom_prefix = f"xmlns:atom='{ATOM}'"
        for content, expected in (
            (atom("<title>T</title><link rel='self' href='/s'/><link href='/p'/>"), "https://blog.example/p"),
            (atom("<title>T</title><link type='application/pdf' href='/f'/><link type='text/html' href='/p'/>"), "https://blog.example/p"),
            (atom("<title>T</title><link rel='http://www.iana.org/assignments/relation/alternate' href='p'/>"), "https://blog.example/a/p"),
            (atom("<title>T</title><link rel='enclosure' href='/s'/><link rel='edit' href='/e'/>"), "https://blog.example/s"),
            (atom("<title>T</title><link rel='edit' href='/e'/>"), None),
            (atom("<title>T</title><link rel='enclosure' href='/s'/><link href='/p'/>"), "https://blog.example/p"),
            (rss("<title>T</title><enclosure url='/a.mp3'/>"), "https://blog.example/a.mp3"),
            (rss("<title>T</title><enclosure url='/a.mp3'/><link>/1</link>"), "https://blog.example/1"),
            (rss("<title>T</title><enclosure url='javascript:x'/><enclosure/>"), None),
            (rss("<title>T</title><media:group><media:content url='/a.mp4'/></media:group>", "xmlns:media='http://search.yahoo.com/mrss/'"), "https://blog.example/a.mp4"),
            (atom("<title>T</title><link href='?p=1&amp;q=2'/>"), "https://blog.example/a/feed.xml?p=1&q=2"),
            (atom("<title>T</title><link href='../up'/>"), "https://blog.example/up"),
            (atom("<title>T</title><link href='//other.example/x'/>"), "https://other.example/x"),
            (atom("<title>T</title><link href='/1'/>", "xml:base='http://b.example/c/'"), "http://b.example/1"),
            (atom("<title>T</title><link href='d'/>", "xml:base='http://b.example/c/'", "xml:base='e/'"), "http://b.example/c/e/d"),
            (atom("<title>T</title><link href='d' xml:base='f/'/>", "xml:base='g/'", "xml:base='e/'"), "https://blog.example/a/g/e/f/d"),
            (atom("<title>T</title><link href='d'/>", "xml:base='http://['"), "https://blog.example/a/d"),
            (atom("<title>T</title><link href='d'/>", "xml:base='javascript:x'", "xml:base='e/'"), "https://blog.example/a/e/d"),
            (rss("<title>T</title><link>\n https://a.example/x y\n</link>"), "https://a.example/x%20y"),
            (rss("<title>T</title><link>https://a.example/Zürich|&#x9b;</link>"), "https://a.example/Zürich%7C%C2%9B"),
            (rss("<title>T</title><link>1.html</link>", "xml:base='https://b.example/'"), "https://b.example/1.html"),
            (rss("<title>T</title><link><![CDATA[https://a.example/?a=1&b=2]]></link>"), "https://a.example/?a=1&b=2"),
            (rss("<title>T</title><link>https://a.example/?a=1&amp;amp;b=2</link>"), "https://a.example/?a=1&b=2"),
            (rss("<title>T</title><link/><guid>https://a.example/g</guid>"), "https://a.example/g"),
            (rss("<title>T</title><guid isPermaLink='false'>https://a.example/g</guid>"), None),
            (rss("<title>T</title><guid>a.example/g</guid>"), None),
            (rss("<title>T</title><atom:link href='/x'/>", atom_prefix), "https://blog.example/x"),
            (rss("<title>T</title><link>javascript:alert(1)</link>"), None),
            (rss("<title>T</title><link>file:///etc/passwd</link>"), None),
            (rss("<title>T</title><link>http://[</link>"), None),
            (rss("<title>T</title><link>https://</link>"), None),
            (rss(f"<title>T</title><link>https://a.example/{'x' * 9000}</link>"), None),
        ):
            with self.subTest(content):
                self.assertEqual(both(content).link, expected)

    def test_the_words_of_a_title(self):
        for kind, escaped, expected in (
            ("text", "Boxes: Vec&lt;T&gt; and &amp;amp;", "Boxes: Vec<T> and &amp;"),
            ("text", "How do I stop &lt;script&gt;? &lt;b&gt;no&lt;/b&gt;", "How do I stop <script>? <b>no</b>"),
            ("", "1 &lt; 2 and 3 &gt; 2, &lt;b&gt;", "1 < 2 and 3 > 2, <b>"),
            ("", "&amp;#39;Twice&amp;#39; &amp;amp; more", "'Twice' & more"),
            ("html", "H&lt;sub&gt;2&lt;/sub&gt;O and &lt;em&gt;Jasm&lt;/em&gt;in", "H2O and Jasmin"),
            ("html", "&lt;p&gt;One&lt;/p&gt;&lt;p&gt;two&lt;br/&gt;three&lt;/p&gt;", "One two three"),
            ("html", "Fish &amp;amp; chips, it&amp;rsquo;s &amp;lt;b&amp;gt;", "Fish & chips, it’s <b>"),
            ("html", "Vec&lt;T&gt; 1 &lt; 2", "Vec<T> 1 < 2"),
            ("text/html", "&lt;b&gt;a&lt;/b&gt;", "a"),
            ("html", "&lt;style&gt;p {}&lt;/style&gt;a&lt;!-- c --&gt;b&lt;img alt='x'&gt;", "ab"),
            ("xhtml", "<div xmlns='http://www.w3.org/1999/xhtml'><p>H<sub>2</sub>O</p><p>x &lt; y</p></div>", "H2O x < y"),
            ("", "H<sub>2</sub>O", "H2O"),
        ):
            with self.subTest(kind=kind, text=escaped):
                declared = f" type='{kind}'" if kind else ""
                self.assertEqual(both(atom(f"<title{declared}>{escaped}</title>")).title, expected)

    def test_the_words_of_a_title_that_may_be_html(self):
        for text, expected in (
            ("Old &lt;b&gt;news&lt;/b&gt;", "Old news"),
            ("<![CDATA[Old <b>news</b> &amp; more]]>", "Old news & more"),
            ("Vec&lt;T&gt;, Box&lt;u8&gt; and List&lt;S&gt;", "Vec<T>, Box<u8> and List<S>"),
            ("What is &lt;p&gt; for?", "What is <p> for?"),
            ("How do I stop &lt;marquee&gt;?", "How do I stop <marquee>?"),
            ("1 &lt; 2 and 3 &gt; 2", "1 < 2 and 3 > 2"),
            ("if a&lt;b and c&gt;d", "if a<b and c>d"),
            ("H&lt;sub&gt;2&lt;/sub&gt;O", "H2O"),
            ("One&lt;br&gt;two", "One two"),
            ("&lt;p&gt;One&lt;p&gt;two", "One two"),
            ("Fish &amp;amp;amp; chips, it&amp;#8217;s, AT&amp;T", "Fish & chips, it’s, AT&T"),
            ("a&amp;copy=1", "a&copy=1"),
        ):
            with self.subTest(text):
                self.assertEqual(both(rss(f"<title>{text}</title><guid>1</guid>")).title, expected)

    def test_an_entry_without_a_title_shows_its_text(self):
        encoded = f"xmlns:c='{feed_reader.CONTENT}'"
        for content, expected in (
            (atom("<title></title><summary>The shed has a door.</summary><content>no</content>"), "The shed has a door."),
            (atom("<title> </title><content type='html'>&lt;p&gt;And a lamp.&lt;/p&gt;</content>"), "And a lamp."),
            (atom("<id>1</id><title/><content type='xhtml'><div>And <b>a</b> lamp.</div></content>"), "And a lamp."),
            (rss("<title></title><description>&lt;p&gt;Rain&lt;/p&gt;&lt;p&gt;today&lt;/p&gt;</description>"), "Rain today"),
            (rss("<title></title><c:encoded><![CDATA[<p>Rain</p>]]></c:encoded>", encoded), "Rain"),
            (rss("<title>&lt;img src='x'&gt;</title><description>Rain</description>"), "Rain"),
            (rss("<title></title><link>/1</link>"), "Without a title"),
            (rss("<media:title>A film</media:title><link>/1</link>", "xmlns:media='http://search.yahoo.com/mrss/'"), "A film"),
            (rss("<media:group><media:title>A film</media:title></media:group><link>/1</link>", "xmlns:media='http://search.yahoo.com/mrss/'"), "A film"),
            (rss("<media:title>A film</media:title><description>Rain</description>", "xmlns:media='http://search.yahoo.com/mrss/'"), "Rain"),
        ):
            with self.subTest(content):
                self.assertEqual(both(content).title, expected)

    def test_the_name_of_a_feed_without_one_is_its_server(self):
        self.assertEqual(read("<rss><channel><title> </title></channel></rss>").name, "blog.example")
        self.assertEqual(len(read(f"<rss><channel><title>{'x' * 999}</title></channel></rss>").name), 80)

    def test_nothing_of_an_entry_is_a_control_or_half_a_character(self):
        for content in (rss("<title>A&#x9b;31m\x7f&#x200b;B</title>"), '{"version":"https://jsonfeed.org/version/1","items":[{"title":"A\\u001b[31m\\ud800B"}]}'):
            [one] = read(content).entries
            one.title.encode()
            self.assertTrue(one.title.isprintable(), one.title)
        found = read('{"version":"https://jsonfeed.org/version/1","items":[5,null,{},{"id":2,"title":[],"url":{}},{"title":"x"}]}')
        self.assertEqual(([one.title for one in found.entries], found.unreadable), (["Without a title", "x"], 3))


class CharsetTests(unittest.TestCase):
    def test_the_mark_the_header_and_the_declaration_say_the_charset_in_this_order(self):
        feed = "<?xml version='1.0' encoding='%s'?><rss>Забор</rss>"
        for name, declared, media_type in (
            ("utf-8-sig", "koi8-r", "text/xml; charset=koi8-r"),
            ("utf-16", "utf-16", "application/xml"),
            ("utf-16-le", "utf-16", "application/xml"),
            ("utf-16-be", "utf-8", "text/xml"),
            ("utf-16", "utf-8", "text/xml; charset=utf-8"),
            ("utf-32", "utf-32", "application/xml"),
            ("iso-2022-jp", "iso-2022-jp", "application/xml"),
            ("windows-1251", "utf-8", "text/xml; charset=windows-1251"),
            ("windows-1251", "utf-8", 'application/rss+xml;charset="Windows-1251"'),
            ("koi8-r", "koi8-r", "application/xml"),
            ("koi8-r", "KOI8-R", "text/xml"),
            ("koi8-r", "koi8-r", "text/xml; charset=nonsense"),
            ("utf-8", "utf-16", "application/xml"),
            ("utf-8", "utf-8", "text/xml; charset=us-ascii"),
            ("utf-8", "nonsense", "application/xml"),
            ("utf-8", "iso-8859-1", "application/xml"),
            ("utf-8", "utf-8", "text/xml; charset=ISO-8859-1"),
            ("utf-8", "zip", "application/xml; charset=unicode_escape"),
        ):
            with self.subTest(name=name, declared=declared, media_type=media_type):
                self.assertTrue(decode((feed % declared).encode(name), media_type).endswith("<rss>Забор</rss>"))

    def test_names_of_charsets_mean_what_browsers_say(self):
        for label, codec, text in (
            ("gb2312", "gb18030", "春天镕€"), ("GBK", "gb18030", "春天"), ("shift_jis", "cp932", "春①髙"), ("x-sjis", "cp932", "春①"),
            ("iso-8859-1", "cp1252", "“Café” – €"), ("ISO-8859-9", "cp1254", "İş €"), ("euc-jp", "euc_jp", "春の庭"), ("euc-kr", "cp949", "똠방"),
            ("big5", "big5hkscs", "春天"), ("tis-620", "cp874", "ก…"), ("iso-8859-15", "iso8859-15", "€"), ("x-mac-roman", "mac_roman", "é"),
        ):  # fmt: skip
            with self.subTest(label):
                self.assertIn(text, decode(f"<?xml version='1.0' encoding='{label}'?><rss>{text}</rss>".encode(codec)))
                self.assertIn(text, decode(f"<rss>{text}</rss>".encode(codec), f"text/xml; charset={label}"))

    def test_bytes_that_are_not_of_the_charset_cost_themselves(self):
        self.assertEqual(decode("<a>Zürich ".encode() + b"Caf\xe9</a>"), "<a>Zürich Caf\ufffd</a>")
        self.assertEqual(decode(b"<a>Caf\xe9</a>"), "<a>Café</a>")
        self.assertEqual(decode(b"\xef\xbb\xbf<a>\xff</a>"), "<a>\ufffd</a>")
        self.assertEqual(decode("<a>春".encode("gb18030") + b"\xff</a>", "text/xml; charset=gb2312"), "<a>春\ufffd</a>")
        decode(bytes(range(256)) * 10, "text/xml; charset=\r\n=?utf-8?q?x?=;;;")


class DateTests(unittest.TestCase):
    def test_dates_as_programs_write_them(self):
        for words, expected in (
            ("2019-08-15T13:00:00Z", "2019-08-15T13:00:00+00:00"),
            ("2019-08-15t13:00:00.123456789-07:00", "2019-08-15T13:00:00-07:00"),
            ("20190815T130000Z", "2019-08-15T13:00:00+00:00"),
            ("2019-08-15 13:00", "2019-08-15T13:00:00+00:00"),
            ("2019-08-15T13:00+0200", "2019-08-15T13:00:00+02:00"),
            ("2019-08", "2019-08-01T00:00:00+00:00"),
            ("2019/08/15 1:00 PM EST", "2019-08-15T13:00:00-05:00"),
            ("2019-08-15T24:00:00Z", "2019-08-16T00:00:00+00:00"),
            ("2016-12-31T23:59:60Z", "2016-12-31T23:59:59+00:00"),
            ("2017-08-01 13:55:44.364419679 +0200 CEST", "2017-08-01T13:55:44+02:00"),
            ("2017-08-01 13:55:44.36 +0200 CEST m=+0.000012", "2017-08-01T13:55:44+02:00"),
            ("2017-08-01 13:55:44 CEST", "2017-08-01T13:55:44+02:00"),
            ("Aug 15, 2019", "2019-08-15T00:00:00+00:00"),
            ("August 15th, 2019 3:04 p.m. PDT", "2019-08-15T15:04:00-07:00"),
            ("15 Aug 2019 12:04 AM", "2019-08-15T00:04:00+00:00"),
            ("15 Sept 2019", "2019-09-15T00:00:00+00:00"),
            ("Thu, 15 Aug 2019 13:00 +0200", "2019-08-15T13:00:00+02:00"),
            ("Thu, 15 Aug 2019 13:00:00 +02:00", "2019-08-15T13:00:00+02:00"),
            ("Thu, 15 Aug 2019 13:00:00.5 GMT", "2019-08-15T13:00:00+00:00"),
            ("Thursday, 15-Aug-19 13:00:00 GMT", "2019-08-15T13:00:00+00:00"),
            ("Thu, 15 Aug 2019 13:00:00 JST", "2019-08-15T13:00:00+09:00"),
            ("Thu, 15 Aug 2019 13:00:00 (CEST)", "2019-08-15T13:00:00+02:00"),
            ("Thu, 15 Aug 2019 13:00:00 GMT+2", "2019-08-15T13:00:00+02:00"),
            ("Thu, 15 Aug 2019 13:00:00 Europe/Vienna", "2019-08-15T13:00:00+02:00"),
            ("Thu, 15 Aug 2019 13:00:00 Nowhere/Place", "2019-08-15T13:00:00+00:00"),
            ("Thu, 15 Aug 2019 13:00:00 +9900", "2019-08-15T13:00:00+00:00"),
            ("Thu Aug 15 13:00:00 CEST 2019", "2019-08-15T13:00:00+02:00"),
            ("Mon, 15 Aug 2019 13:00:00 Z", "2019-08-15T13:00:00+00:00"),
            (" \n15 Aug 2019\n", "2019-08-15T00:00:00+00:00"),
            ("15.08.2019", "2019-08-15T00:00:00+00:00"),
            ("29-11-2026 06:00", "2026-11-29T06:00:00+00:00"),
            ("05-11-2026", "2026-11-05T00:00:00+00:00"),
            ("11-29-2026", "2026-11-29T00:00:00+00:00"),
            ("15.8.2019, 13:00 CEST", "2019-08-15T13:00:00+02:00"),
            ("08/15/2019 1:00:00 PM", "2019-08-15T13:00:00+00:00"),
            ("15/08/2019 13:00:00 +0200", "2019-08-15T13:00:00+02:00"),
            ("2019-W33-4", "2019-08-15T00:00:00+00:00"),
            ("2019W334T130000Z", "2019-08-15T13:00:00+00:00"),
            ("2019-W33", "2019-08-12T00:00:00+00:00"),
            ("2020-W53-7T13:00+02:00", "2021-01-03T13:00:00+02:00"),
            ("2019-227T13:00Z", "2019-08-15T13:00:00+00:00"),
            ("2020366", "2020-12-31T00:00:00+00:00"),
            ("20190815130000 +0200", "2019-08-15T13:00:00+02:00"),
            ("19-08-15 13:00", "2019-08-15T13:00:00+00:00"),
            ("99/08/15", "1999-08-15T00:00:00+00:00"),
            ("8/15/19 1:00 PM", "2019-08-15T13:00:00+00:00"),
            ("15.8.19", "2019-08-15T00:00:00+00:00"),
            ("15 Aug 68 13:00 UT", "1968-08-15T13:00:00+00:00"),
            ("15 Aug 119 13:00 UT", "2019-08-15T13:00:00+00:00"),
            ("Thu, 15 Aug 2019 13.00.00 ET", "2019-08-15T13:00:00-05:00"),
            ("Thu, 15 Aug 2019 1 pm", "2019-08-15T13:00:00+00:00"),
            ("2019 Aug 15 13:00", "2019-08-15T13:00:00+00:00"),
            ("Thu, 2019-08-15 13:00", "2019-08-15T13:00:00+00:00"),
            ("Πέμ, 15 Αύγ 2019 13:00:00 EEST", "2019-08-15T13:00:00+03:00"),
            ("Do, 15. Dez. 2019 13:00:00 +0200", "2019-12-15T13:00:00+02:00"),
            ("jeu., 15 août 2019 13:00:00 +0200", "2019-08-15T13:00:00+02:00"),
            ("mar., 15 janv. 2019 13h05", "2019-01-15T13:05:00+00:00"),
            ("15 de agosto de 2019", "2019-08-15T00:00:00+00:00"),
            ("Чт, 15 августа 2019 13:00", "2019-08-15T13:00:00+00:00"),
            ("czw., 15 paź 2019", "2019-10-15T00:00:00+00:00"),
            ("15. července 2019", "2019-07-15T00:00:00+00:00"),
            ("15. června 2019", "2019-06-15T00:00:00+00:00"),
            ("15 Ağustos 2019 Perşembe", "2019-08-15T00:00:00+00:00"),
            ("csütörtök, 2004-július-13T9:15-05:00", "2004-07-13T09:15:00-05:00"),
            ("2019年8月15日(木) 13時05分", "2019-08-15T13:05:00+00:00"),
            ("2019년 08월 15일 오후 1:05:00", "2019-08-15T13:05:00+00:00"),
            ("٣ Aug 2019", "2019-08-03T00:00:00+00:00"),
            ("1565866800.25", "2019-08-15T11:00:00+00:00"),
            ("1565866800", "2019-08-15T11:00:00+00:00"),
            ("1565866800000", "2019-08-15T11:00:00+00:00"),
            ("1565866800000000", "2019-08-15T11:00:00+00:00"),
            ("@1565866800", "2019-08-15T11:00:00+00:00"),
            ("/Date(1565866800000+0200)/", "2019-08-15T11:00:00+00:00"),
            ("2019/8/5", "2019-08-05T00:00:00+00:00"),
            ("2019-8-5 7:05", "2019-08-05T07:05:00+00:00"),
            ("2019. 8. 15.", "2019-08-15T00:00:00+00:00"),
            ("15.08.2019 - 13:00 Uhr", "2019-08-15T13:00:00+00:00"),
            ("2019\u201108\u201115T13:00:00\u221202:00", "2019-08-15T13:00:00-02:00"),
            ("Thu, 15 Aug 2019 13:00:00 \u200e+0200", "2019-08-15T13:00:00+02:00"),
            ("Thu, 15 8 2019 13:00:00 +0200", "2019-08-15T13:00:00+02:00"),
            ("星期四, 15 十二月 2019 13:00:00 +0800", "2019-12-15T13:00:00+08:00"),
            ("2562-08-15T13:00:00+07:00", "2019-08-15T13:00:00+07:00"),
            ("Thu, 15 Aug 2019 13:00:00 WIB", "2019-08-15T13:00:00+07:00"),
            ("15 Aug 2019 13:00:00 Eastern Daylight Time", "2019-08-15T13:00:00-04:00"),
            ("15 Aug 2019 13:00 Pacific Time", "2019-08-15T13:00:00-08:00"),
        ):
            with self.subTest(words):
                self.assertEqual(moment(words).isoformat(), expected)

    def test_what_is_no_date_is_none(self):
        for words in ("", "never", "0001-01-01T00:00:00Z", "01 Jan 0001 00:00:00 +0000", "2019-13-01", "31 Feb 2019", "31/31/2019", "15.13.2019", "99", "9999-12-31T24:00:00Z", "Aug", "1" * 50, "2019-W54", "2019-W00-1", "2019-000", "2019-366", "2 hours 30 minutes ago", "2019 soon", "2019-08-15T25:00:00Z", "\ud800"):
            with self.subTest(words):
                self.assertIsNone(moment(words))

    def test_a_date_that_cannot_be_read_leaves_the_next_one(self):
        declared = f"xmlns:dc='{feed_reader.DC}'"
        one = both(rss("<title>T</title><pubDate>soon</pubDate><dc:date>2031-02-01</dc:date>", declared))
        self.assertEqual(one.date.year, 2031)


class MarkupTests(unittest.TestCase):
    def test_the_beginning_of_a_long_text_has_no_half_a_tag(self):
        self.assertEqual(feed_markup.of_html("<p>" * 9999), "")
        self.assertEqual(feed_markup.of_html("x" * 9990 + "<a href='https://a.example/'>"), "x" * 9990)


if __name__ == "__main__":
    unittest.main()
