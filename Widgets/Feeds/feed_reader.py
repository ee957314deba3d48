"""Feeds: RSS 0.9 to 2.0, RDF, Atom 0.3 and 1.0, and JSON Feed, however well they are made."""

import hashlib
import json
import re
import zlib
from collections import Counter
from urllib.parse import quote, urljoin, urlsplit

import feed_markup as markup
from feed_charset import decode
from feed_dates import moment
from feed_recovery import Recovery
from feed_xml import USUAL, Broken, Element, Finished, Reader

ENTRIES = 200
TITLE, NAME = 300, 80
ATOM, ATOM_03 = USUAL["atom"], "http://purl.org/atom/ns#"
CONTENT, DC, TERMS, RDF = USUAL["content"], USUAL["dc"], USUAL["dcterms"], USUAL["rdf"]
ALTERNATE = {"alternate", "http://www.iana.org/assignments/relation/alternate"}
ROOT = re.compile(r"<(?:[\w-]{1,40}:)?(?:rss|RDF|rdf|feed|channel)(?=[\s>])")
# Of entries, whether they were read or are in a comment or in characters without an end.
END = re.compile(r"</(?:[\w-]{1,40}:)?(?:item|entry)\s*>")
PAGE = re.compile(r"<(?:html|body|!doctype\s+html)\b", re.IGNORECASE)
# Characters that are none of an address (RFC 3986, 2). Letters of other scripts are left to what opens it.
NO_ADDRESS = re.compile("[\\x00-\\x20\\x7f-\\xa0\"<>\\\\^`{|}\ud800-\udfff]")


class NoFeed(Exception):
    """What was answered is no feed; the words say what it is."""


class Feed:
    """`unreadable` counts the entries that are not among `entries`; `problem` says in words why not all was read."""

    def __init__(self, name, entries, unreadable=0, problem=None):
        self.name, self.unreadable, self.problem = name, unreadable, problem
        self.entries = entries


class Entry:
    """`identity` are the parts that tell it from others, the best first; `key` is what it is remembered by."""

    def __init__(self, title, link, identifier, date):
        self.title, self.link, self.date = title, link, date
        self.identity = [identifier or link or title, link or "", title, date.isoformat() if date else ""]
        self.key = self.former_key = self.feed = None


def read_feed(content, media_type, base, address):
    """The feed that a server has answered; `base` is its final address, `address` the one in the settings."""
    if content.startswith(b"\x1f\x8b"):
        content = unpacked(content)
    if content.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{"):
        feed = json_feed(content, base)
    else:
        feed = xml_feed(decode(content, media_type), base)
    identify(feed, address)
    return feed


def unpacked(content, limit=4 * 1024 * 1024):
    """The beginning of a file of gzip, as some servers have feeds."""
    try:
        return zlib.decompressobj(47).decompress(content, limit)
    except zlib.error as error:
        raise NoFeed("the server did not answer with a feed") from error


def identify(feed, address):
    """Gives each entry a key by the address of the feed, and by as much of the entry as tells it from the others."""
    counts = [Counter(tuple(one.identity[:length]) for one in feed.entries) for length in range(5)]
    kept = {}
    for one in feed.entries:
        length = next((length for length in range(1, 4) if counts[length][tuple(one.identity[:length])] == 1), 4)
        one.feed = feed.name
        one.key = digest("\n".join([address, *one.identity[:length]]))
        if length == 1:
            one.former_key = digest(f"{feed.name} {one.identity[0]}")
        # What is the same in all is the same entry.
        kept.setdefault(one.key, one)
    feed.entries = [*kept.values()]


def digest(words):
    return hashlib.sha256(words.encode("utf-8", "replace")).hexdigest()[:16]


def host(address):
    """The server of an address, without a name and a password."""
    return address.split("//")[-1].split("/")[0].split("@")[-1]


# XML


def xml_feed(text, base):
    root = ROOT.search(text)
    if not root or PAGE.search(text, 0, root.start()):
        raise NoFeed("the server did not answer with a feed")
    # Before the declaration there may be blanks, or what a program has printed.
    begin = text.find("<?xml", 0, root.start())
    text = text[begin if begin >= 0 else max(0, text.find("<!DOCTYPE", 0, root.start())) :]
    gathering = Gathering()
    head = Reader(base, gathering.take)
    try:
        # Of entities that a document type declares, expat leaves out those of HTML, and may expand others without an end.
        if "<!DOCTYPE" in text:
            raise Broken
        head.read(text)
        if not head.problem and gathering.count() < min(ENTRIES, len(END.findall(text))):
            raise Broken
        problem = head.problem
    except Broken:
        gathering = Gathering()
        recovery = Recovery(text)
        head = recover(recovery, base, gathering)
        problem = recovery.problem
    return Feed(name_of(head.root) or host(base), gathering.entries, gathering.unreadable, problem)


class Gathering:
    """The entries of a document, as they come."""

    def __init__(self):
        self.entries = []
        self.unreadable = 0

    def take(self, element):
        found = entry(element)
        if found:
            self.entries.append(found)
        else:
            self.unreadable += 1
        if self.count() >= ENTRIES:
            raise Finished

    def count(self):
        return len(self.entries) + self.unreadable


def recover(recovery, base, gathering):
    """Reads the entries one by one; the reader of what is around them."""
    for is_entry, text in recovery.documents():
        reader = Reader(base, gathering.take)
        try:
            if text is None:
                raise Broken
            reader.read(text)
        except Broken:
            gathering.unreadable += is_entry
        if not is_entry or gathering.count() >= ENTRIES:
            return reader
    return Reader(base, gathering.take)


def name_of(root):
    """The name of a feed."""
    if root is None:
        return ""
    top = next((one for one in root.elements() if one.name == "channel"), root)
    return markup.cut(first_words(words(one) for one in top.find("title", top.space, DC)), NAME)


def entry(element):
    """An entry; None if there is nothing in it."""
    own = element.space
    find = element.find
    if element.name == "entry":
        titles, texts = find("title", own), [*find("summary", own), *find("content", own)]
        dates = [date for name in ("published", "updated", "issued", "modified", "created") for date in find(name, own, TERMS)]
        identifiers = [one.text() for one in find("id", own)]
        link = link_of(find("link", own))
    else:
        titles = find("title", own, DC)
        texts = [*find("description", own), *find("encoded", CONTENT), *find("description", DC), *find("summary", ATOM)]
        dates = [*find("pubDate", own), *find("date", DC, own), *find("published", ATOM), *find("updated", ATOM), *find("issued", TERMS)]
        about = element.attributes.get("rdf:about", "")
        identifiers = [*(one.text() for one in find("guid", own)), about]
        permanent = [one.text().strip() for one in find("guid", own) if one.attributes.get("isPermaLink", "true").lower() != "false"]
        link = (
            first(linked(one.base, one.text()) for one in find("link", own))
            or link_of([*find("link", own), *find("link", ATOM, ATOM_03)])
            or first(linked("", one) for one in [*permanent, about])
        )
    title = first_words(words(one) for one in titles) or first_words(words(one) for one in texts)
    date = first(moment(one.text()) for one in [*dates, *find("date", DC)])
    identifier = first(one.strip() for one in identifiers)
    if not (title or link or identifier):
        return None
    return Entry(markup.cut(title, TITLE) or "Without a title", link, identifier, date)


def first(values):
    return next((value for value in values if value), None)


def first_words(values):
    return first(values) or ""


def words(element):
    """The words of a text construct of Atom, or of an element of RSS, where nothing says whether it is HTML."""
    kind = element.attributes.get("type", "").strip().lower()
    if element.elements() and kind not in ("html", "text/html"):
        return markup.plain(inner_words(element))
    text = element.text()
    if element.space not in (ATOM, ATOM_03):
        return markup.of_either(text)
    if kind in ("html", "text/html", "xhtml", "application/xhtml+xml"):
        return markup.of_html(text)
    return markup.plain(text, is_declared=kind != "")


def inner_words(element):
    """The characters of an element, with blanks around its blocks."""
    parts, rest = [], [*reversed(element.content)]
    while rest:
        one = rest.pop()
        if isinstance(one, Element):
            around = " " if one.name in markup.BLOCKS else ""
            rest += [around, *([] if one.name in markup.HIDDEN else reversed(one.content)), around]
        else:
            parts.append(one)
    return "".join(parts)


def link_of(links):
    """The address of the page of an entry, one in HTML before others."""
    found = [one for one in links if one.attributes.get("rel", "alternate").strip().lower() in ALTERNATE and "href" in one.attributes]
    found.sort(key=lambda one: one.attributes.get("type", "text/html") not in ("text/html", "application/xhtml+xml"))
    return first(linked(one.base, one.attributes["href"]) for one in found)


def linked(base, reference):
    """The address that a reference means; None if it is none of the web."""
    # An ampersand that was escaped once more than once is one all the same.
    reference = re.sub(r"[\t\r\n]", "", reference.strip()).replace("&amp;", "&")
    try:
        parts = urlsplit(reference)
        # https:///path has no server; it is not what the base has.
        address = urljoin(base, reference) if reference and (parts.netloc or not parts.scheme) else ""
        is_one = address.lower().startswith(("http://", "https://")) and bool(urlsplit(address).hostname)
    except ValueError:
        return None
    return NO_ADDRESS.sub(lambda found: quote(found[0], safe="", errors="replace"), address) if is_one and len(address) <= 4096 else None


# JSON


def json_feed(content, base):
    try:
        feed = json.loads(content.decode("utf-8-sig", "replace"))
    except (ValueError, RecursionError) as error:
        raise NoFeed("the server did not answer with a feed") from error
    items = feed.get("items")
    if "jsonfeed.org/version/" not in str(feed.get("version")) or not isinstance(items, list):
        raise NoFeed("the server did not answer with a feed")
    found = [json_entry(item, base) if isinstance(item, dict) else None for item in items[:ENTRIES]]
    name = markup.cut(markup.plain(string(feed, "title")), NAME)
    return Feed(name or host(base), [one for one in found if one], found.count(None))


def json_entry(item, base):
    title = first_words(markup.plain(string(item, name)) for name in ("title", "summary", "content_text"))
    title = title or markup.of_html(string(item, "content_html"))
    link = first(linked(base, string(item, name)) for name in ("url", "external_url"))
    date = first(moment(string(item, name)) for name in ("date_published", "date_modified"))
    identifier = string(item, "id").strip()
    if not (title or link or identifier):
        return None
    return Entry(markup.cut(title, TITLE) or "Without a title", link, identifier, date)


def string(values, name):
    """A value that is text, or a number in place of one."""
    value = values.get(name)
    return str(value) if isinstance(value, (str, int, float)) and not isinstance(value, bool) else ""
