#!/usr/bin/python3 -ESB
"""Feeds: the newest entries of RSS and Atom feeds; a press opens one, and it counts as read."""

import datetime
import threading
from concurrent.futures import ThreadPoolExecutor, wait

from feed_reader import NoFeed, host, read_feed
from todaykit import Failure, Widget, button, duration_words, fetch_answer, grid, hstack, secondary, text, vstack

SHORT, LONG = 3, 25
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
            return self.instructions("No feeds yet.", "Press , to list their addresses.")
        answers = self.answers(addresses)
        self.troubles = [trouble for _, trouble, _ in answers if trouble]
        feeds = [feed for feed, _, _ in answers if feed]
        if not feeds:
            raise Failure(self.trouble_words())
        self.found = [one for feed in feeds for one in feed.entries]
        oldest = datetime.datetime.min.replace(tzinfo=datetime.timezone.utc)
        now = self.now()
        # What has a date to come is as new as what is new, and no newer.
        self.found.sort(key=lambda one: min(one.date or oldest, now), reverse=True)
        if not any(is_read for _, _, is_read in answers):
            # Entries of before are shown, and no feed has answered now.
            raise Failure(self.trouble_words(), view=self.draw())
        return self.draw()

    def addresses(self):
        """The addresses in the settings, each once."""
        listed = self.setting("feeds", [])
        listed = listed if isinstance(listed, list) else [listed]
        return [*dict.fromkeys(one for one in (str(one).strip() for one in listed if one is not None) if one)]

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
        is_shared = [host(one) for one in self.addresses()].count(server) > 1
        return f"{server}/{address.split('//')[-1].partition('/')[2]}" if is_shared else server

    def get(self, address):
        """The feed of an address, what is wrong with it, and whether it was read now; the last one if it cannot be reached."""
        last = self.kept.get(address)
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
        self.offer_more(len(found) > SHORT or len(self.troubles) > 1)
        shown = found[:LONG] if self.is_expanded else unread[: SHORT - bool(self.troubles)]
        is_wide = self.width >= 60
        rows = []
        for one in shown:
            style = {} if one in unread else {"foreground": "secondaryLabel"}
            title = text([{"text": one.title, "action": f"open {one.key}", "style": style}], limit=2 if self.is_expanded else 1)
            seconds = (self.now() - one.date).total_seconds() if one.date else -1
            age = secondary(duration_words(seconds) if seconds >= 0 else "")
            rows.append([title, secondary(one.feed, frame={"maxWidth": 16}), age] if is_wide else [title, age])
        shapes = [{"alignment": "leading"}] * (2 if is_wide else 1)
        shapes.append({"alignment": "trailing", "priority": 1})
        nothing = "Nothing new in what could be read." if self.troubles else "Nothing new."
        parts = [grid(rows, shapes)] if rows else [secondary(nothing)]
        if unread:
            parts.append(hstack(secondary(f"{len(unread)} unread"), {"type": "spacer"}, button("All read", "all")))
        if self.is_expanded:
            parts += [text(trouble, "orange", limit=2) for trouble in self.troubles]
        elif self.troubles:
            parts.append(text(self.trouble_words(), "orange"))
        return vstack(*parts)


def web_address(address):
    """The address that is fetched: feed://server/path, as browsers write it, is one of HTTPS."""
    if address.lower().startswith("feed:"):
        rest = address[5:]
        return "https:" + rest if rest.startswith("//") else rest
    return address


if __name__ == "__main__":
    Feeds().run()
