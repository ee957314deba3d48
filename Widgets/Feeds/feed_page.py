"""What there is to say of a web page that a server answers with in place of a feed."""

import html
import re

from feed_entries import NO_FEED, linked

# The head of a page is at its beginning.
LIMIT = 500_000
LINK = re.compile(r"<(link|base)\s([^<>]{1,2000})>", re.IGNORECASE)
ATTRIBUTE = re.compile(r"([\w-]{1,20})\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s\"'>]+))")
KINDS = {"application/rss+xml", "application/atom+xml", "application/feed+json", "application/rdf+xml"}


def words(page, base):
    """That it is a page, and the address of the feed that it names (RFC 5988; HTML, 4.6.7.1)."""
    address = feed_of(page, base)
    if not address:
        return f"{NO_FEED}, but with a web page"
    return f"this is a web page; its feed is at {address}"


def feed_of(page, base):
    """The address of the first feed that a page names; None if it names none."""
    for tag in LINK.finditer(page, 0, LIMIT):
        found = {name.lower(): html.unescape(first or second or third) for name, first, second, third in ATTRIBUTE.findall(tag[2])}
        if tag[1].lower() == "base":
            base = linked(base, found.get("href", "")) or base
            continue
        kind = found.get("type", "").partition(";")[0].strip().lower()
        is_feed = "alternate" in found.get("rel", "").lower().split() and kind in KINDS
        if is_feed and (address := linked(base, found.get("href", ""))):
            return address
    return None
