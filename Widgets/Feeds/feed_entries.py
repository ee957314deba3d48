"""What is read of a feed: its entries, and their addresses."""

import datetime
import heapq
import re
from urllib.parse import quote, urljoin, urlsplit

# That are kept of a feed, and that are read of it.
ENTRIES, ALL_ENTRIES = 200, 10_000
TITLE, NAME = 300, 80
NO_FEED = "the server did not answer with a feed"
OLDEST = datetime.datetime.min.replace(tzinfo=datetime.timezone.utc)
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


class Newest:
    """The newest entries of a feed, whose order says nothing of their dates (RFC 4287, 4.1.1); one that cannot be read is None.

    Those without a date are kept after those with one, the first ones before the others.
    """

    def __init__(self):
        self.unreadable = self.count = 0
        self._heap = []

    def add(self, entry):
        self.count += 1
        if not entry:
            self.unreadable += 1
            return
        place = (entry.date or OLDEST, -self.count, entry)
        if len(self._heap) < ENTRIES:
            heapq.heappush(self._heap, place)
        else:
            heapq.heappushpop(self._heap, place)

    @property
    def problem(self):
        """Why no more are read, in words."""
        return "the feed has too many entries" if self.count > ALL_ENTRIES else None

    @property
    def entries(self):
        """What is kept, in the order of the feed."""
        return [entry for _, _, entry in sorted(self._heap, key=lambda place: -place[1])]


def host(address):
    """The server of an address, without a name and a password."""
    return address.split("//")[-1].split("/")[0].split("@")[-1]


def first(values):
    return next((value for value in values if value), None)


def first_words(values):
    return first(values) or ""


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
