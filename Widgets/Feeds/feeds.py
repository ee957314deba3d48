#!/usr/bin/python3 -ESB
"""Feeds: the newest entries of RSS and Atom feeds; a press opens one, and it counts as read."""

import datetime
import threading
from concurrent.futures import ThreadPoolExecutor, wait

from feed_reader import NoFeed, host, read_feed
from todaykit import Failure, Widget, button, date, fetch_answer, field, grid, hstack, secondary, text, toggle, vstack

SHORT, LONG = 3, 25
# Feeds that were added on the card, and the longest address of one.
ADDED_LIMIT, ADDRESS_LIMIT = 100, 2000
SOURCE_COLUMNS = 16
KEPT = 2000
# The host waits for 30 seconds.
ALL_SECONDS = 25
ACCEPT = "application/atom+xml, application/rss+xml, application/feed+json, application/xml;q=0.9, text/xml;q=0.9, */*;q=0.1"
# What an answer is asked by whether it has changed.
CONDITIONS = {"ETag": "If-None-Match", "Last-Modified": "If-Modified-Since"}


class Answered:
    """A feed as it was read last: `trouble` says in words what of it was not, `conditions` are for the next request."""

    def __init__(self, feed, trouble, conditions):
        self.feed, self.trouble, self.conditions = feed, trouble, conditions


class Feeds(Widget):

    def initialize(self):
        self.found = None
        self.troubles = []
        self.read = self.load("read", [])
        self.is_unread_only = self.load("unread", False) is True
        # What was typed and is not a feed, with the reason.
        self.refused = None
        self.kept = {}
        # Large feeds are read one after the other, for the memory that each needs.
        self.reading = threading.Lock()
        if not isinstance(self.read, list):
            self.read = []

    def view(self):
        return self.draw() if self.found is not None else None

    def widget_perform_update(self, reason):
        addresses = self.addresses()
        if not addresses:
            self.found, self.troubles = None, []
            return self.empty()
        answers = self.answers(addresses)
        self.troubles = [trouble for _, trouble, _ in answers if trouble]
        feeds = [feed for feed, _, _ in answers if feed]
        if not feeds:
            # What is said where no feed is set would be wrong now; entries of before stay.
            raise Failure(self.trouble_words(), view=self.unread_feeds() if self.load("empty", False) else None)
        if self.load("empty", False):
            self.store("empty", False)
        self.found = [one for feed in feeds for one in feed.entries]
        oldest = datetime.datetime.min.replace(tzinfo=datetime.timezone.utc)
        now = self.now()
        # What has a date to come is as new as what is new, and no newer.
        self.found.sort(key=lambda one: min(one.date or oldest, now), reverse=True)
        if not any(is_read for _, _, is_read in answers):
            # Entries of before are shown, and no feed has answered now.
            raise Failure(self.trouble_words(), view=self.draw())
        return self.draw()

    def empty(self):
        """The card without feeds: a field for the first one."""
        self.offer_more(False)
        self.store("empty", True)
        return vstack(secondary("No feeds yet."), *self.adding())

    def unread_feeds(self):
        """The card with feeds none of which can be read yet."""
        self.offer_more(False)
        return vstack(*map(self.dropping, self.addresses()[:SHORT]), *self.adding())

    def adding(self):
        """The field for another feed, and why the last one that was typed is none."""
        words, typed = self.refused or (None, None)
        line = hstack(secondary("Add a feed:"), field("feed", "add", typed, placeholder="address of RSS, Atom or JSON"))
        return [text(words, "orange", limit=2), line] if words else [line]

    def added(self):
        """The addresses that the card alone has kept."""
        found = self.load("added", [])
        return [one for one in found if isinstance(one, str) and one][:ADDED_LIMIT] if isinstance(found, list) else []

    def addresses(self):
        """The addresses in the settings and those that the card alone has kept, each once."""
        return [*dict.fromkeys([*self.listed(), *self.added()])]

    def listed(self):
        """The addresses in the settings."""
        listed = self.setting("feeds", [])
        listed = [str(one).strip() for one in (listed if isinstance(listed, list) else [listed]) if one is not None]
        return [one for one in listed if one]

    def configuration_did_change(self):
        """The update that follows reads the feeds."""
        return None

    def keep(self, addresses):
        """Puts the addresses into the settings, where the form has them too."""
        self.set_configuration(feeds=addresses)
        self.store("added", [])

    def add(self, typed):
        """Adds a feed, once it has been read: what is typed in haste is often the address of a page."""
        address = "".join(typed.split())
        if not address:
            return None
        if "//" not in address:
            address = f"https://{address}"
        if len(address) > ADDRESS_LIMIT or not address.startswith(("https://", "http://", "feed:")):
            return "An address begins with https:// or http://."
        if address in self.addresses():
            return "That feed is here already."
        if len(self.addresses()) >= ADDED_LIMIT:
            return f"There are {ADDED_LIMIT} feeds, and no more are possible."
        _, trouble, is_read = self.get(address)
        if not is_read:
            return trouble
        try:
            self.keep([*self.addresses(), address])
        except Failure:
            # Settings that are not to be changed here, as those of config.json, leave it to the card.
            self.store("added", [*self.added(), address])
        return None

    def drop(self, address):
        """Removes a feed; returns why not, or None."""
        if address in self.added():
            self.store("added", [one for one in self.added() if one != address])
        if address in self.listed():
            try:
                self.keep([one for one in self.addresses() if one != address])
            except Failure as failure:
                return str(failure)
        return None

    def answers(self, addresses):
        """The feed of each address, or None, what is wrong with it, and whether it was read now.

        A slow one does not hold the others up.
        """
        pool = ThreadPoolExecutor(8)
        tasks = [pool.submit(self.get, address) for address in addresses]
        wait(tasks, ALL_SECONDS)
        pool.shutdown(wait=False, cancel_futures=True)
        return [
            task.result() if task.done() and not task.cancelled() else self.last(address, "no answer yet")
            for task, address in zip(tasks, addresses)
        ]

    def last(self, address, trouble):
        """The last feed of an address, and why there is no newer one."""
        last = self.kept.get(address)
        return last.feed if last else None, f"{self.name(address)}: {trouble}", False

    def name(self, address):
        """The server of a feed, with the path if it has several of them."""
        server = host(address)
        if not server:
            return address[:ADDRESS_LIMIT]
        is_shared = [host(one) for one in self.addresses()].count(server) > 1
        return f"{server}/{address.split('//')[-1].partition('/')[2]}" if is_shared else server

    def get(self, address):
        """The feed of an address, what is wrong with it, and whether it was read now; the last one if it cannot be reached."""
        last = self.kept.get(address)
        if not web_address(address).startswith(("https://", "http://")):
            return None, f"{address[:ADDRESS_LIMIT]} is not the address of a server; that begins with https:// or http://", False
        try:
            answer = fetch_answer(web_address(address), seconds=8, headers={"Accept": ACCEPT, **(last.conditions if last else {})})
            if answer.status != 304 or last is None:
                with self.reading:
                    last = self.take(answer, address)
                self.kept[address] = last
        except (Failure, NoFeed) as failure:
            return self.last(address, failure)
        return last.feed, f"{self.name(address)}: {last.trouble}" if last.trouble else None, True

    @staticmethod
    def take(answer, address):
        feed = read_feed(answer.content, answer.headers.get("Content-Type", ""), answer.url, address)
        troubles = []
        problem = answer.problem or feed.problem
        if problem:
            troubles.append(problem)
        if feed.unreadable:
            troubles.append("1 entry cannot be read" if feed.unreadable == 1 else f"{feed.unreadable} entries cannot be read")
        # What was not whole is asked for again.
        conditions = {CONDITIONS[name]: answer.headers[name] for name in CONDITIONS if not problem and answer.headers.get(name)}
        return Answered(feed, ", ".join(troubles), conditions)

    def perform_action(self, action, value):
        kind, _, key = action.partition(" ")
        self.refused = None
        if kind == "add":
            words = self.add(str(value or ""))
            self.refused = (words, str(value)[:ADDRESS_LIMIT]) if words else None
            if not words and self.addresses():
                view = self.widget_perform_update("user")
                return cleared(view)
        elif kind == "drop":
            words = self.drop(key)
            self.refused = (words, None) if words else None
            if self.addresses():
                return self.widget_perform_update("user")
            self.found = None
        elif kind == "unread":
            self.is_unread_only = not self.is_unread_only
            self.store("unread", self.is_unread_only)
        elif kind == "all":
            self.mark([one.key for one in self.found or []])
        elif kind == "open":
            one = next((one for one in self.found or [] if one.key == key), None)
            # The host says why a link is not opened, and shows its address where nothing opens it.
            if one and (not one.link or self.open_url(one.link)):
                self.mark([one.key])
        return self.draw() if self.found is not None else self.empty()

    def mark(self, keys):
        known = set(self.read)
        count = max(KEPT, 2 * len(self.found or []))
        self.read = [*self.read, *(key for key in keys if key not in known)][-count:]
        self.store("read", self.read)

    def trouble_words(self):
        """How many feeds are not right, and what is wrong with the first; a narrow card has room for the beginning."""
        count = len(self.troubles)
        return (f"{count} feeds have a problem: " if count > 1 else "") + self.troubles[0]

    def draw(self):
        read = set(one for one in self.read if isinstance(one, str))
        found = self.found or []
        unread = [one for one in found if one.key not in read and one.former_key not in read]
        self.offer_more(True)
        listed = unread if self.is_unread_only else found
        shown = listed[:LONG] if self.is_expanded else unread[: SHORT - bool(self.troubles)]
        nothing = "Nothing new in what could be read." if self.troubles else "Nothing new."
        parts = [self.table(shown, unread)] if shown else [secondary(nothing)]
        if unread:
            parts.append(hstack(secondary(f"{len(unread)} unread"), {"type": "spacer"}, button("All read", "all")))
        if self.is_expanded:
            parts += [toggle("Unread only", self.is_unread_only, "unread")]
            parts += [text(trouble, "orange", limit=2) for trouble in self.troubles]
            parts += [*map(self.dropping, self.addresses()), *self.adding()]
        elif self.troubles:
            parts.append(text(self.trouble_words(), "orange"))
        return vstack(*parts)

    def table(self, shown, unread):
        """Entries with their sources and ages, each in a column of its own."""
        is_wide = self.width >= 60
        rows = []
        for one in shown:
            style = {} if one in unread else {"foreground": "secondaryLabel"}
            title = text([{"text": one.title, "action": f"open {one.key}", "style": style}], limit=2 if self.is_expanded else 1)
            # The host counts the age, also between updates.
            has_age = one.date and one.date <= self.now()
            age = date(one.date, "relative", style={"foreground": "secondaryLabel"}) if has_age else secondary("")
            rows.append([title, secondary(one.feed, lineLimit=1), age] if is_wide else [title, age])
        shapes = [{"alignment": "leading"}, *[{"alignment": "leading", "width": SOURCE_COLUMNS, "priority": 1}] * is_wide]
        return grid(rows, [*shapes, {"alignment": "trailing", "priority": 1}])

    def dropping(self, address):
        """A feed, and what removes it."""
        return hstack(secondary(self.name(address), lineLimit=1), {"type": "spacer"}, button("Remove", f"drop {address}"))


def cleared(view):
    """The view with an empty field, for the next address."""
    for part in view.get("children", []):
        for node in part.get("children", []) if isinstance(part, dict) else []:
            if isinstance(node, dict) and node.get("type") == "field":
                node["text"] = ""
    return view


def web_address(address):
    """The address that is fetched: feed://server/path, as browsers write it, is one of HTTPS."""
    if address.lower().startswith("feed:"):
        rest = address[5:]
        return "https:" + rest if rest.startswith("//") else rest
    return address


if __name__ == "__main__":
    Feeds().run()
