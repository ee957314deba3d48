import contextlib
import sys
import threading
import unittest
from pathlib import Path
from unittest import mock

from server import Server
from widget import KitWidget, text

WIDGETS = Path(__file__).resolve().parents[2] / "Widgets"
sys.path[:0] = [str(WIDGETS / "Shared"), str(WIDGETS / "Feeds")]
import feeds  # noqa: E402
import todaykit  # noqa: E402

RSS = b"""<?xml version="1.0"?><rss version="2.0"><channel><title>The &amp; Paper</title>
<item><title>Old &lt;b&gt;news&lt;/b&gt;</title><link>https://paper.example/1</link><guid>1</guid>
<pubDate>Mon, 03 Feb 2031 04:00:00 +0000</pubDate></item>
<item><title>New</title><link>https://paper.example/2</link><guid>2</guid><pubDate>Mon, 03 Feb 2031 05:00:00 GMT</pubDate></item>
<item><title>Odd</title><link>javascript:alert(1)</link><pubDate>never</pubDate></item></channel></rss>"""
ATOM = b"""<feed xmlns="http://www.w3.org/2005/Atom"><title>Blog</title><entry><title type="html">Post</title><id>x</id>
<link rel="self" href="https://blog.example/self"/><link href="https://blog.example/post"/>
<updated>2031-02-03T05:30:00Z</updated></entry></feed>"""
RDF = b"""<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/"
xmlns:dc="http://purl.org/dc/elements/1.1/"><channel><title>Paper of 1999</title></channel>
<item><title>Item</title><link>http://rdf.example/1</link><dc:date>2031-02-01T00:00:00</dc:date></item></rdf:RDF>"""
BOMB = b"""<?xml version="1.0"?><!DOCTYPE rss [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]>
<rss><channel><title>&b;</title></channel></rss>"""
NOW = "2031-02-03T06:00:00Z"


def presses(view):
    return [cell["text"][0]["action"] for row in view["children"][0]["rows"] for cell in row if isinstance(cell["text"], list)]


class FeedsTests(unittest.TestCase):
    def widget(self, server, *paths, data=None):
        return KitWidget("Feeds/feeds.py", configuration={"feeds": [server.url + path for path in paths]}, data=data)

    def update(self, widget):
        return widget.call("widgetPerformUpdate", reason="user")

    def test_the_newest_entries_of_all_kinds_of_feeds_come_first(self):
        with Server(("/rss", RSS), ("/atom", ATOM), ("/rdf", RDF)) as server, self.widget(server, "/rss", "/atom", "/rdf") as widget:
            widget.initialize(now=NOW, maximumSize={"width": 70, "height": 20}, activeDisplayMode="expanded")
            words = text(self.update(widget)["view"])
            order = [words.index(part) for part in ("PostBlog30 min", "NewThe & Paper1 h", "Old newsThe & Paper2 h", "ItemPaper of 19992 d", "Odd")]
            self.assertEqual(order, sorted(order))
            self.assertIn("5 unread", words)

    def test_a_press_opens_and_what_was_read_is_remembered(self):
        with Server(("/rss", RSS)) as server:
            with self.widget(server, "/rss") as widget:
                widget.initialize(now=NOW)
                view = self.update(widget)["view"]
                request = widget.request_of("performAction", {"action": presses(view)[0]})
                self.assertEqual((request["method"], request["params"]), ("openURL", {"url": "https://paper.example/2"}))
                widget.answer(request, {"result": {"success": True}})
                self.assertIn("2 unread", text(widget.read()["result"]["view"]))
                data = widget.data
            with self.widget(server, "/rss", data=data) as widget:
                widget.initialize(now=NOW)
                view = self.update(widget)["view"]
                self.assertNotIn("New", text(view))
                # A link that is none of the web is read, and not opened.
                odd = widget.call("performAction", action=presses(view)[1])["view"]
                self.assertIn("1 unread", text(odd))
                self.assertEqual(text(widget.call("performAction", action="all")["view"]), "Nothing new.")

    def test_a_press_that_opens_nothing_is_not_read(self):
        with Server(("/rss", RSS)) as server, self.widget(server, "/rss") as widget:
            widget.initialize(now=NOW)
            request = widget.request_of("performAction", {"action": presses(self.update(widget)["view"])[0]})
            widget.answer(request, {"result": {"success": False}})
            self.assertIn("nothing opens web pages here", widget.read()["error"]["message"])
            self.assertIn("3 unread", text(self.update(widget)["view"]))

    def test_a_date_to_come_has_no_age_and_is_not_above_what_is_new(self):
        entry = b"<item><title>%s</title><guid>%s</guid><pubDate>%s</pubDate></item>"
        items = entry % (b"Soon", b"1", b"Mon, 01 Jan 2035 00:00:00 GMT") + entry % (b"Now", b"2", b"Mon, 03 Feb 2031 06:00:00 GMT")
        with Server(("/", b"<rss><channel><title>F</title>%s</channel></rss>" % items)) as server, self.widget(server, "/") as widget:
            widget.initialize(now=NOW, maximumSize={"width": 40, "height": 20})
            words = text(self.update(widget)["view"])
            self.assertIn("Now0 s", words)
            self.assertIn("Soon2 unread", words.replace("Now0 s", ""))

    def test_a_feed_that_comes_byte_by_byte_costs_itself_alone(self):
        stop = threading.Event()

        def drip(handler, _):
            handler.send_response(200)
            handler.end_headers()
            with contextlib.suppress(OSError):
                while not stop.is_set():
                    handler.wfile.write(b" ")
                    stop.wait(0.02)
            return b""

        with Server(("/drip", drip), ("/atom", ATOM)) as server:
            with self.assertRaisesRegex(todaykit.Failure, "did not answer within 0.3 s"):
                todaykit.fetch(f"{server.url}/drip", seconds=0.3)
            one = feeds.Feeds()
            one.kept = {}
            one.configuration = {"feeds": [f"{server.url}/drip", f"{server.url}/atom"]}
            with mock.patch.object(feeds, "ALL_SECONDS", 0.5):
                slow, good = one.answers([f"{server.url}/drip", f"{server.url}/atom"])
            stop.set()
            self.assertEqual([entry.title for entry in good], ["Post"])
            # Of one server with two feeds, the path says which one.
            self.assertTrue(slow.endswith("/drip: no answer yet"), slow)
            self.assertEqual(feeds.host("https://me:secret@paper.example/rss"), "paper.example")

    def test_what_goes_wrong_costs_one_feed_and_its_last_entries_stay(self):
        with Server(("/rss", RSS), ("/atom", ATOM), ("/page", b"<html><p>"), ("/bomb", BOMB)) as server:
            with self.widget(server, "/rss", "/gone", "/page", "/bomb") as widget:
                widget.initialize(now=NOW)
                words = text(self.update(widget)["view"])
                for part in ("3 unread", "the server answered 404", "did not answer with a feed", "declares entities"):
                    self.assertIn(part, words)
                server.answers[0] = ("/rss", 503)
                self.assertIn("3 unread", text(self.update(widget)["view"]))
            with self.widget(server, "/gone") as widget:
                widget.initialize(now=NOW)
                self.assertIn("answered 404", self.update(widget)["error"])

    def test_without_feeds_it_says_how_to_set_them(self):
        with Server() as server, self.widget(server) as widget:
            widget.initialize()
            self.assertIn("No feeds yet", text(self.update(widget)["view"]))


if __name__ == "__main__":
    unittest.main()
