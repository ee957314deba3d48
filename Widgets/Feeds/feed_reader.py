"""Feeds: RSS 0.9 to 2.0, RDF, Atom 0.3 and 1.0, and JSON Feed, however well they are made."""

import hashlib
import re
import zlib
from collections import Counter

import feed_json
import feed_markup as markup
import feed_page
from feed_charset import decode
from feed_dates import moment
from feed_entries import NAME, NO_FEED, TITLE, Entry, Feed, Newest, NoFeed, first, first_words, host, linked
from feed_recovery import Recovery
from feed_xml import USUAL, Broken, Element, Finished, Reader

ATOM, ATOM_03 = USUAL["atom"], "http://purl.org/atom/ns#"
CONTENT, DC, TERMS, RDF = USUAL["content"], USUAL["dc"], USUAL["dcterms"], USUAL["rdf"]
ALTERNATE = {"alternate", "http://www.iana.org/assignments/relation/alternate"}
ROOT = re.compile(r"<(?:[\w-]{1,40}:)?(?:rss|rdf|feed|channel)(?=[\s/>])", re.IGNORECASE)
# Of entries, whether they were read or are in a comment or in characters without an end.
END = re.compile(r"</(?:[\w-]{1,40}:)?(?:item|entry)\s*>", re.IGNORECASE)
LIST_LIMIT = 2_000
LIST = re.compile(r"<opml[\s>]", re.IGNORECASE)
PAGE = re.compile(r"<(?:html|body|!doctype\s+html)\b", re.IGNORECASE)


def read_feed(content, media_type, base, address):
    """The feed that a server has answered; `base` is its final address, `address` the one in the settings."""
    if content.startswith(b"\x1f\x8b"):
        content = unpacked(content)
    if feed_json.is_json(content):
        feed = feed_json.read(content, media_type, base)
    else:
        feed = xml_feed(decode(content, media_type), base)
    identify(feed, address)
    return feed


def unpacked(content, limit=4 * 1024 * 1024):
    """The beginning of a file of gzip, as some servers have feeds."""
    try:
        return zlib.decompressobj(47).decompress(content, limit)
    except zlib.error as error:
        raise NoFeed(NO_FEED) from error


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


# XML


def xml_feed(text, base):
    root = ROOT.search(text)
    if not root or PAGE.search(text, 0, root.start()):
        if LIST.search(text[:LIST_LIMIT]):
            raise NoFeed("this is a list of feeds, and none itself; add those that it names")
        if PAGE.search(text[:100_000]):
            raise NoFeed(feed_page.words(text, base))
        raise NoFeed(NO_FEED if text.strip() else f"{NO_FEED}, but with nothing")
    text = text[beginning(text, root.start()) :]
    gathering = Gathering()
    head = Reader(base, gathering.take)
    try:
        # Of entities that a document type declares, expat leaves out those of HTML, and may expand others without an end.
        if "<!DOCTYPE" in text:
            raise Broken
        head.read(text)
        if not head.problem and not gathering.problem and gathering.count < len(END.findall(text)):
            raise Broken
        problem = head.problem
    except Broken:
        gathering = Gathering()
        recovery = Recovery(text)
        head = recover(recovery, base, gathering)
        problem = recovery.problem
    return Feed(name_of(head.root) or host(base), gathering.entries, gathering.unreadable, problem or gathering.problem)


def beginning(text, root):
    """Where a document begins: before its declaration, or without one before its root, a program may have printed warnings."""
    places = [text.find(mark, 0, root) for mark in ("<?xml", "<!DOCTYPE")]
    if max(places) >= 0:
        return next(place for place in places if place >= 0)
    # A root in a comment is none.
    return 0 if text.rfind("<!--", 0, root) > text.rfind("-->", 0, root) else root


class Gathering(Newest):
    """The entries of a document, as they come."""

    def take(self, element):
        self.add(entry(element))
        if self.problem:
            raise Finished


def recover(recovery, base, gathering):
    """Reads the entries one by one; the reader of what is around them."""
    for is_entry, text in recovery.documents():
        reader = Reader(base, gathering.take)
        try:
            if text is None:
                raise Broken
            reader.read(text)
        except Broken:
            if is_entry:
                gathering.add(None)
        if not is_entry or gathering.problem:
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
        dates = [*find("pubdate", own), *find("date", DC, own), *find("published", ATOM), *find("updated", ATOM), *find("issued", TERMS)]
        about = first(value for key, value in element.attributes.items() if key.rpartition(":")[2] == "about") or ""
        identifiers = [*(one.text() for one in find("guid", own)), about]
        permanent = [one.text().strip() for one in find("guid", own) if one.attributes.get("ispermalink", "true").lower() != "false"]
        link = (
            first(linked(one.base, one.text()) for one in find("link", own))
            or link_of([*find("link", own), *find("link", ATOM, ATOM_03)])
            or first(linked("", one) for one in [*permanent, about])
        )
    title = first_words(words(one) for one in titles) or first_words(words(one) for one in texts)
    # Of the media of an entry, and what a podcast says of itself; a press opens its recording where there is no page.
    title = title or first_words(words(one) for one in inner(element) if one.name == "title" and one.space not in (own, DC))
    link = link or recording(element)
    date = first(moment(one.text()) for one in [*dates, *find("date", DC)])
    identifier = first(one.strip() for one in identifiers)
    if not (title or link or identifier):
        return None
    return Entry(markup.cut(title, TITLE) or "Without a title", link, identifier, date)


def inner(element):
    """The elements inside of an entry, and those inside of what it groups."""
    return [two for one in element.elements() for two in (one, *(one.elements() if one.name == "group" else []))]


def recording(element):
    """The address of what an entry has enclosed; None without one."""
    places = [(one, one.attributes.get("url")) for one in inner(element) if one.name in ("enclosure", "content")]
    places += [
        (one, one.attributes.get("href")) for one in element.find("link", element.space, ATOM)
        if one.attributes.get("rel", "").strip().lower() == "enclosure"
    ]
    return first(linked(one.base, address) for one, address in places if address)


def words(element):
    """The words of a text construct of Atom, or of an element of RSS, where nothing says whether it is HTML."""
    kind = element.attributes.get("type", "").strip().lower()
    if element.elements() and kind not in ("html", "text/html"):
        return markup.plain(inner_words(element))
    text = element.text()
    if element.attributes.get("mode", "").strip().lower() == "base64":
        text = markup.of_base64(text)
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
