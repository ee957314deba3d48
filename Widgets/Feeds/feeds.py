#!/usr/bin/python3 -ESB
"""Feeds: the newest entries of RSS and Atom feeds; a press opens one, and it counts as read."""

import datetime
import email.utils
import hashlib
import html
import re
import xml.etree.ElementTree as tree
from concurrent.futures import ThreadPoolExecutor, wait

from todaykit import Failure, Widget, button, duration_words, fetch, grid, hstack, secondary, text, vstack

SHORT, LONG = 3, 25
KEPT = 2000
# The host waits for 30 seconds.
ALL_SECONDS = 25
ENTRIES = 200
TAGS = re.compile(r"<[^>]{0,2000}>")


class Entry:
    def __init__(self, feed, title, link, key, date):
        self.feed, self.title, self.link, self.date = feed, title, link, date
        self.key = hashlib.sha256(f"{feed} {key}".encode()).hexdigest()[:16]


def entries(content, address):
    """The name and the entries of a feed: RSS 0.9 to 2.0, RDF, or Atom."""
    # A feed has no declarations of its own; entities that are declared can grow without an end.
    if b"<!ENTITY" in content or b"<!DOCTYPE" in content[:2000] and b"[" in content[:2000].split(b"<rss")[0]:
        raise Failure("the feed declares entities")
    try:
        root = tree.fromstring(content)
    except (tree.ParseError, ValueError, LookupError) as error:
        raise Failure("the server did not answer with a feed") from error
    channel = root if local(root) == "feed" else next((one for one in root if local(one) == "channel"), None)
    if channel is None:
        raise Failure("the server did not answer with a feed")
    name = words(value(channel, "title")) or address
    # RDF has its items beside the channel.
    nodes = [one for one in [*channel, *root] if local(one) in ("item", "entry")][:ENTRIES]
    return name, [entry(node, name) for node in dict.fromkeys(nodes)]


def entry(node, feed):
    link = value(node, "link")
    for one in node:
        if local(one) == "link" and one.get("href") and one.get("rel", "alternate") == "alternate":
            link = one.get("href")
    link = link.strip() if link.strip().startswith(("http://", "https://")) else None
    title = words(value(node, "title")) or words(value(node, "description"))[:200] or "Without a title"
    key = value(node, "guid") or value(node, "id") or link or title
    date = moment(value(node, "pubDate") or value(node, "published") or value(node, "updated") or value(node, "date"))
    return Entry(feed, title, link, key, date)


def local(node):
    """The name of an element without its namespace."""
    return node.tag.rpartition("}")[2] if isinstance(node.tag, str) else ""


def value(node, name):
    found = next((one for one in node if local(one) == name), None)
    return "".join(found.itertext()) if found is not None else ""


def words(markup):
    return " ".join(html.unescape(TAGS.sub(" ", markup[:5000])).split())


def moment(date):
    """A date of RFC 822 or RFC 3339; None if it is neither."""
    date = date.strip()
    try:
        found = datetime.datetime.fromisoformat(re.sub(r"Z$", "+00:00", date))
    except ValueError:
        try:
            found = email.utils.parsedate_to_datetime(date)
        except (TypeError, ValueError, IndexError, OverflowError):
            return None
    return found if found.tzinfo else found.replace(tzinfo=datetime.timezone.utc)


def host(address):
    """The server of an address, without a name and a password."""
    return address.split("//")[-1].split("/")[0].split("@")[-1]


class Feeds(Widget):

    def initialize(self):
        self.found = None
        self.troubles = []
        self.read = self.load("read", [])
        self.kept = {}
        if not isinstance(self.read, list):
            self.read = []

    def view(self):
        return self.draw() if self.found is not None else None

    def widget_perform_update(self, reason):
        addresses = self.setting("feeds", [])
        if not addresses:
            return self.instructions("No feeds yet.", "Press , to list their addresses.")
        answers = self.answers(addresses)
        self.troubles = [answer for answer in answers if isinstance(answer, str)]
        self.found = [one for answer in answers if not isinstance(answer, str) for one in answer]
        if not self.found and self.troubles:
            raise Failure(self.troubles[0])
        oldest = datetime.datetime.min.replace(tzinfo=datetime.timezone.utc)
        now = self.now()
        # What has a date to come is as new as what is new, and no newer.
        self.found.sort(key=lambda one: min(one.date or oldest, now), reverse=True)
        return self.draw()

    def answers(self, addresses):
        """The entries of each feed, or words; a slow one does not hold the others up."""
        pool = ThreadPoolExecutor(8)
        tasks = [pool.submit(self.get, address) for address in addresses]
        wait(tasks, ALL_SECONDS)
        pool.shutdown(wait=False, cancel_futures=True)
        return [
            task.result() if task.done() and not task.cancelled()
            else self.kept.get(address) or f"{self.name(address)}: no answer yet"
            for task, address in zip(tasks, addresses)
        ]

    def name(self, address):
        """The server of a feed, with the path if it has several of them."""
        server = host(address)
        is_shared = [host(one) for one in self.setting("feeds", [])].count(server) > 1
        return f"{server}/{address.split('//')[-1].partition('/')[2]}" if is_shared else server

    def get(self, address):
        """The entries of a feed, the last ones if it cannot be reached; words if there are none."""
        try:
            name, found = entries(fetch(address, seconds=8), address)
        except Failure as failure:
            return self.kept.get(address) or f"{self.name(address)}: {failure}"
        self.kept[address] = found
        return found

    def perform_action(self, action, value):
        kind, _, key = action.partition(" ")
        if kind == "all":
            self.mark([one.key for one in self.found or []])
        elif kind == "open":
            one = next((one for one in self.found or [] if one.key == key), None)
            if one and one.link and not self.open_url(one.link):
                raise Failure("nothing opens web pages here")
            if one:
                self.mark([one.key])
        return self.draw()

    def mark(self, keys):
        self.read = [*self.read, *(key for key in keys if key not in self.read)][-KEPT:]
        self.store("read", self.read)

    def draw(self):
        read = set(self.read)
        unread = [one for one in self.found or [] if one.key not in read]
        self.offer_more(len(self.found or []) > SHORT)
        shown = (self.found or [])[:LONG] if self.is_expanded else unread[:SHORT - len(self.troubles)]
        rows = []
        for one in shown:
            style = {"foreground": "secondaryLabel"} if one.key in read else {}
            title = text([{"text": one.title, "action": f"open {one.key}", "style": style}], limit=2 if self.is_expanded else 1)
            seconds = (self.now() - one.date).total_seconds() if one.date else -1
            age = duration_words(seconds) if seconds >= 0 else ""
            rows.append([title, secondary(one.feed, frame={"maxWidth": 16}), secondary(age)] if self.width >= 60 else [title, secondary(age)])
        shapes = [{"alignment": "leading"}] * (2 if self.width >= 60 else 1)
        shapes.append({"alignment": "trailing", "priority": 1})
        parts = [grid(rows, shapes)] if rows else [secondary("Nothing new.")]
        if unread:
            parts.append(hstack(secondary(f"{len(unread)} unread"), {"type": "spacer"}, button("All read", "all")))
        parts += [text(trouble, "orange") for trouble in self.troubles]
        return vstack(*parts)


if __name__ == "__main__":
    Feeds().run()
