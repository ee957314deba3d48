"""The parsers of widgets in Python, each with examples of what it reads, and what must be true of what it makes of it."""

import gzip
import sys
import zlib
from pathlib import Path

WIDGETS = Path(__file__).resolve().parents[3] / "Widgets"
sys.path[:0] = [str(WIDGETS / folder) for folder in ("Shared", "Feeds", "Mail", "Disks")]

import feed_dates  # noqa: E402
import feed_entries  # noqa: E402
import feed_markup  # noqa: E402
import feed_reader  # noqa: E402
import feed_recovery  # noqa: E402
import feed_xml  # noqa: E402
import headers  # noqa: E402
import mailbox_names  # noqa: E402
import mount_table  # noqa: E402
import todaykit  # noqa: E402


class Target:
    """`run` raises if a parser has a fault; `words` are the signs of its language."""

    def __init__(self, name, run, examples, words):
        self.name, self.run = name, run
        self.examples = [one if isinstance(one, bytes) else one.encode() for one in examples]
        self.words = [one if isinstance(one, bytes) else one.encode() for one in words]


def is_shown(text, limit):
    """Whether a text can be shown in a row: it has no controls and no half of a character."""
    text.encode()
    return len(text) <= limit and not any(ord(letter) < 32 or 0x7F <= ord(letter) < 0xA0 for letter in text)


# Feeds


def feed(content):
    media_type = ("", "text/xml; charset=shift_jis", "application/xml; charset=utf-16")[len(content) % 3]
    try:
        found = feed_reader.read_feed(content, media_type, "https://a.example/b/feed", "https://a.example/b/feed")
    except feed_reader.NoFeed:
        return
    assert is_shown(found.name, 80), found.name
    assert len(found.entries) <= feed_entries.ENTRIES and found.unreadable <= feed_entries.ALL_ENTRIES + 1
    assert len({one.key for one in found.entries}) == len(found.entries)
    for one in found.entries:
        assert one.title and is_shown(one.title, 300), one.title
        assert one.link is None or one.link.startswith(("http://", "https://")) and is_shown(one.link, 13_000), one.link
        assert one.date is None or one.date.utcoffset() is not None


def recovery(content):
    """What is XML is the same when it is recovered."""
    text = content.decode("utf-8", "replace")
    if not feed_reader.ROOT.search(text) or "<!DOCTYPE" in text or "<![CDATA[" in text:
        return
    gathering, recovered = feed_reader.Gathering(), feed_reader.Gathering()
    reader = feed_xml.Reader("https://a.example/", gathering.take)
    try:
        reader.read(text)
    except feed_xml.Broken:
        return
    # A start tag that is huge is not repeated around each entry.
    if len(text) < feed_recovery.ENCLOSING:
        again = feed_reader.recover(feed_recovery.Recovery(text), "https://a.example/", recovered)
        assert feed_reader.name_of(reader.root) == feed_reader.name_of(again.root)
        assert gathering.unreadable == recovered.unreadable
        assert [one.identity for one in gathering.entries] == [one.identity for one in recovered.entries]


def markup(content):
    text = content.decode("utf-8", "surrogatepass" if len(content) % 2 else "replace") if is_unicode(content) else content.decode("latin-1")
    for parse in (feed_markup.plain, feed_markup.of_html, feed_markup.of_either):
        assert is_shown(parse(text), feed_markup.LIMIT)


def is_unicode(content):
    try:
        content.decode("utf-8", "surrogatepass")
    except UnicodeError:
        return False
    return True


def date(content):
    found = feed_dates.moment(content.decode("utf-8", "replace"))
    assert found is None or feed_dates.OLDEST - 1 <= found.year <= feed_dates.NEWEST + 1 and found.utcoffset() is not None, found


DOCTYPE = '<!DOCTYPE rss [<!ENTITY shed "the &amp; shed">]>'
RSS = f"""<?xml version="1.0" encoding="utf-8"?>{DOCTYPE}
<rss version="2.0" xmlns:dc="http://purl.org/dc/elements/1.1/" xml:base="http://b.example/"><channel><title>Paper</title>
<item><title>Old &lt;b&gt;news&lt;/b&gt; &shed;</title><link>/1?a=1&amp;b=2</link><guid isPermaLink="false">1</guid>
<pubDate>Mon, 03 Feb 2031 04:00:00 +0000</pubDate><description><![CDATA[<p>Text</p> &rsquo;]]></description></item>
<item><title>Vec&lt;T&gt;</title><dc:date>2031-02-01T00:00:00Z</dc:date><!-- c --><media:title>x</media:title></item></channel></rss>"""
ATOM = """<feed xmlns="http://www.w3.org/2005/Atom"><title type="html">Blog</title><entry><title type="xhtml">
<div xmlns="http://www.w3.org/1999/xhtml"><p>H<sub>2</sub>O</p></div></title><id>x</id><link rel="alternate" href="../p"/>
<updated>2031-02-03T05:30:00Z</updated></entry><entry xml:base="q/"><title/><summary>S</summary></entry></feed>"""
RDF = """<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/"><channel>
<title>Paper</title></channel><item rdf:about="http://a.example/"><title>A & B</title></item></rdf:RDF>"""
JSON_FEED = """{"version":"https://jsonfeed.org/version/1.1","title":"J","items":[{"id":"1","url":"x","content_html":
"<p>He</p>","date_published":"2020-01-01T00:00:00Z"},{"id":2,"title":"\\ud800"}]}"""
XML_WORDS = """< > & ; " ' / = <! <!-- --> <![CDATA[ ]]> <?xml ?> <item> </item> <entry> </entry> <title> </title> <link> &amp; &#x1; &#0;
&rsquo; &lt; &gt; xmlns= xml:base= href= encoding= <!DOCTYPE [ ] <!ENTITY ]> utf-16 gb2312 <p> </p> <br> <script> rel= type= <a:b> </rss>""".split()
DATES = [
    "2017-08-01 13:55:44.364419679 +0200 CEST", "Mon, 03 Feb 2031 04:00:00 +0000", "Aug 15, 2019 3:04 PM", "2031-02-03T05:30:00Z",
    "Thu Aug 15 13:00:00 CEST 2019", "1565866800", "15 Aug 2019 10:00 Europe/Vienna",
]  # fmt: skip
DATE_WORDS = "0 1 9 12 24 60 99 2019 - + : / . , T Z GMT PM Feb August ( [ ../ Europe/ 00:00:00 +9999".split() + [" "]

# Mail


def message(content):
    try:
        found = headers.message(content)
    except headers.Unreadable:
        return
    for text in (found.sender, found.subject):
        text.encode()
        assert text.strip()


def mailbox(content):
    name = content.decode("utf-8", "replace")
    sent = mailbox_names.encoded(name)
    assert sent.isascii() and sent.isprintable(), sent
    mailbox_names.quoted(sent).encode("ascii")
    mailbox_names.decoded(name)
    assert mailbox_names.decoded(sent) == "".join(letter for letter in name if letter.isprintable())


MESSAGES = [
    "From: =?utf-8?B?w4l2YQ==?= <eva@a.example>\r\nSubject: =?iso-8859-1?q?Caf=E9?= =?utf-8?q?_=E2=82=AC?=\r\n and more\r\n\r\nBody",
    'From: "Doe, John" <john@a.example>, x@b.example\nSender: s@c.example\nSubject: Hello\nContent-Type: text/plain; charset=koi8-r\n\n',
    "From: Group: a@b.example, c@d.example;\nSubject: =?utf-16?b?//5B?=\n\n".encode() + b"\xe9\xff\n",
    "From: a@b.example (A (nested) name)\nSubject: Z\u00fcrich \u6625\n\n",
]
MAIL_WORDS = "=?utf-8?q? =?utf-8?B? ?= =?x?y? < > ( ) @ , ; : \" \\ From: Subject: Sender: charset= gb2312 hex &- &AP &".split()

# What the kernel says


def mounts(content):
    found, unread = mount_table.mounts(content)
    assert len(found) + unread <= content.count(b"\n") + 1
    disks = mount_table.disks(found)
    folders = [folder for disk in disks for folder in disk]
    assert len(folders) == len(set(folders)) <= len(found)
    for disk in disks:
        assert disk and ("/" not in disk or disk[0] == "/")


MOUNTS = [
    "27 1 254:0 / / rw - ext4 /dev/vda rw\n30 27 254:0 /a /b\\040c rw shared:1 - ext4 /dev/vda rw\n",
    "40 1 0:40 /@ / rw - btrfs /dev/sda2 rw\n41 40 0:40 /@home /home rw - btrfs /dev/sda2 rw\n42 40 0:50 / /n rw - nfs4 s:/n rw\n",
]
MOUNT_WORDS = ["/", " - ", "\\040", "\\134", "ext4", "btrfs", "nfs4", "overlay", "/dev/sda1", "0:40", "8:1", " ", "\n", "shared:1"]

# What servers send


def answer(content):
    for encoding in ("gzip", "deflate", "deflate, gzip"):
        try:
            unpacked, _ = todaykit._unpacked(content, [encoding], 1_000_000)
        except todaykit.Failure:
            continue
        assert len(unpacked) <= 1_000_001 or unpacked == content


PACKED = [gzip.compress(b"words " * 50), zlib.compress(b"words " * 50), gzip.compress(bytes(5_000_000)), gzip.compress(b"") * 3]

TARGETS = [
    Target("feed", feed, [RSS, ATOM, RDF, JSON_FEED, RSS.encode("utf-16"), gzip.compress(RSS.encode())], XML_WORDS),
    Target("recovery", recovery, [RSS.replace(DOCTYPE, "").replace("&shed;", "").replace("<![CDATA[<p>Text</p> &rsquo;]]>", "Text"), ATOM, RDF.replace("&", "")], XML_WORDS),
    Target("markup", markup, ["H<sub>2</sub>O &amp;amp; <p>a<br>b", "Vec<T> <!-- c --> <script>x</script> <a href='b'>c</a>"], XML_WORDS),
    Target("date", date, DATES, DATE_WORDS),
    Target("message", message, MESSAGES, MAIL_WORDS),
    Target("mailbox", mailbox, ["Entw&APw-rfe", "Entwürfe", "&-", 'a"b\\c'], MAIL_WORDS),
    Target("mounts", mounts, MOUNTS, MOUNT_WORDS),
    Target("answer", answer, PACKED, [b"\x1f\x8b\x08", b"\x78\x9c", b"\0\0\xff\xff"]),
]
