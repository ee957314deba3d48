"""JSON Feed 1.0 and 1.1 (https://www.jsonfeed.org/version/1.1/), item by item where the whole is no JSON."""

import json
import re

import feed_markup as markup
from feed_dates import moment
from feed_entries import ALL_ENTRIES, NAME, NO_FEED, TITLE, Entry, Feed, Newest, NoFeed, first, first_words, host, linked

# A number of more digits is none that a feed has a use for.
DIGITS = 400
DECODER = json.JSONDecoder(strict=False, parse_int=lambda digits: int(digits) if len(digits) < DIGITS else digits)
# So many items that cannot be read end the search for others, as each can cost one to the end of the text.
LOST = 200
ITEMS = re.compile(r'"items"\s*:\s*\[')
BETWEEN = re.compile(r"[\s,]*")
NEXT_ITEM = re.compile(r"\}\s*,?\s*(?=\{)")
VERSION = re.compile(r'"version"\s*:\s*"[^"]{0,40}jsonfeed\.org\\?/version\\?/')
MARKS = b"\xef\xbb\xbf\xff\xfe\0 \t\r\n"


def is_json(content):
    """Whether a document begins as an object of JSON, in UTF-8, UTF-16 or UTF-32."""
    return content[:200].lstrip(MARKS).startswith(b"{")


def read(content, media_type, base):
    text = content.decode(json.detect_encoding(content), "replace")
    problem = None
    try:
        feed = DECODER.decode(text)
    except (ValueError, RecursionError):
        feed = recovered(text)
        problem = "the feed ends too early" if feed.pop("is_cut") else None
    items = feed.get("items")
    is_declared = "jsonfeed.org/version/" in str(feed.get("version")) or "feed+json" in media_type.lower()
    if not is_declared or not isinstance(items, list):
        raise NoFeed(NO_FEED)
    found = Newest()
    for item in items[: ALL_ENTRIES + 1]:
        found.add(entry(item, base) if isinstance(item, dict) else None)
    name = markup.cut(markup.plain(string(feed, "title")), NAME)
    return Feed(name or host(base), found.entries, found.unreadable, problem or found.problem)


def recovered(text):
    """What can be read of a feed that is no JSON as a whole; an item that cannot be read is None."""
    start = ITEMS.search(text)
    if not start:
        raise NoFeed(NO_FEED)
    items, at, is_cut, lost = [], start.end(), False, 0
    while lost < LOST and len(items) <= ALL_ENTRIES:
        at = BETWEEN.match(text, at).end()
        if at == len(text) or text[at] == "]":
            is_cut = at == len(text)
            break
        try:
            item, at = DECODER.raw_decode(text, at)
        except (ValueError, RecursionError):
            item, lost, following = None, lost + 1, NEXT_ITEM.search(text, at)
            is_cut = not following and "]" not in text[at:]
            at = following.end() if following else text.rfind("]", at)
        items.append(item)
        if at < 0:
            break
    title = re.search(r'"title"\s*:\s*', text[: start.start()])
    try:
        name = DECODER.raw_decode(text, title.end())[0] if title else ""
    except (ValueError, RecursionError):
        name = ""
    is_one = VERSION.search(text)
    return {"version": "jsonfeed.org/version/" if is_one else "", "title": name, "items": items, "is_cut": is_cut}


def entry(item, base):
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
