import contextlib
import hashlib
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
NOW = "2031-02-03T06:00:00Z"


def presses(view):
    return [cell["text"][0]["action"] for row in view["children"][0]["rows"] for cell in row if isinstance(cell.get("text"), list)]


class FeedsTests(unittest.TestCase):
    def widget(self, server, *paths, data=None):
        return KitWidget("Feeds/feeds.py", configuration={"feeds": [server.url + path for path in paths]}, data=data)

    def update(self, widget):
        return widget.call("widgetPerformUpdate", reason="user")

    def test_the_newest_entries_of_all_kinds_of_feeds_come_first(self):
        with Server(("/rss", RSS), ("/atom", ATOM), ("/rdf", RDF)) as server, self.widget(server, "/rss", "/atom", "/rdf") as widget:
            widget.initialize(now=NOW, maximumSize={"width": 70, "height": 20}, activeDisplayMode="expanded")
            words = text(self.update(widget)["view"])
            order = [words.index(part) for part in ("PostBlog2031-02-03T05:30", "NewThe & Paper2031-02-03T05:00", "Old newsThe & Paper2031-02-03T04:00", "ItemPaper of 19992031-02-01", "Odd")]
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
            # The host has said why, and shown the address.
            self.assertIn("3 unread", text(widget.read()["result"]["view"]))
            self.assertIn("3 unread", text(self.update(widget)["view"]))

    def test_a_date_to_come_has_no_age_and_is_not_above_what_is_new(self):
        entry = b"<item><title>%s</title><guid>%s</guid><pubDate>%s</pubDate></item>"
        items = entry % (b"Soon", b"1", b"Mon, 01 Jan 2035 00:00:00 GMT") + entry % (b"Now", b"2", b"Mon, 03 Feb 2031 06:00:00 GMT")
        with Server(("/", b"<rss><channel><title>F</title>%s</channel></rss>" % items)) as server, self.widget(server, "/") as widget:
            widget.initialize(now=NOW, maximumSize={"width": 40, "height": 20})
            words = text(self.update(widget)["view"])
            self.assertIn("Now2031-02-03T06:00", words)
            self.assertIn("Soon2 unread", words.replace("Now2031-02-03T06:00", ""))

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
            one.initialize()
            one.configuration = {"feeds": [f"{server.url}/drip", f"{server.url}/atom"]}
            with mock.patch.object(feeds, "ALL_SECONDS", 0.5):
                slow, good = one.answers([f"{server.url}/drip", f"{server.url}/atom"])
            stop.set()
            self.assertEqual(([entry.title for entry in good[0].entries], good[1]), (["Post"], None))
            # Of one server with two feeds, the path says which one.
            self.assertEqual((slow[0], slow[1].endswith("/drip: no answer yet")), (None, True), slow)
            self.assertEqual(feeds.host("https://me:secret@paper.example/rss"), "paper.example")

    def test_what_goes_wrong_costs_one_feed_and_its_last_entries_stay(self):
        with Server(("/rss", RSS), ("/atom", ATOM), ("/page", b"<html><p>")) as server:
            with self.widget(server, "/rss", "/gone", "/page") as widget:
                widget.initialize(now=NOW, activeDisplayMode="expanded")
                words = text(self.update(widget)["view"])
                for part in ("3 unread", "/gone: the server answered 404", "/page: the server did not answer with a feed"):
                    self.assertIn(part, words)
                server.answers[0] = ("/rss", 503)
                view, error = widget.fail_update()
                for part in ("3 unread", "/rss: the server answered 503"):
                    self.assertIn(part, text(view))
                self.assertIn("3 feeds have a problem: ", error)
            with self.widget(server, "/gone") as widget:
                widget.initialize(now=NOW)
                self.assertIn("answered 404", self.update(widget)["error"])

    def test_the_only_feed_that_is_refused_later_is_an_update_that_failed_with_the_entries_of_before(self):
        with Server(("/rss", RSS)) as server, self.widget(server, "/rss") as widget:
            widget.initialize(now=NOW)
            self.assertEqual(self.update(widget)["result"], "newData")
            port = server.url.rpartition(":")[2]
            server.__exit__()
            for _ in range(2):
                view, error = widget.fail_update()
                self.assertEqual(error, f"127.0.0.1:{port}: no connection: connection refused")
                self.assertIn("New", text(view))
                self.assertIn("connection refused", text(view))

    def test_the_troubles_of_many_feeds_leave_room_for_entries(self):
        with Server(("/rss", RSS)) as server, self.widget(server, "/rss", "/1", "/2", "/3", "/4", "/5") as widget:
            widget.initialize(now=NOW)
            view = self.update(widget)["view"]
            self.assertLessEqual(len(view["children"][0]["rows"]) + len(view["children"]) - 1, 4)
            self.assertIn("New", text(view))
            self.assertRegex(text(view), "5 feeds have a problem: 127.0.0.1:[0-9]+/1: the server answered 404 Not Found$")
            # All of them are in the expanded form.
            self.assertEqual(widget.mode, "expanded")
            view = widget.notify("widgetActiveDisplayModeDidChange", activeDisplayMode="expanded", maximumSize={"width": 70, "height": 40})
            self.assertEqual(text(view["params"]["view"]).count("answered 404"), 5)

    def test_nothing_new_is_said_after_complete_answers_alone(self):
        bad = b"<rss><channel><title>F</title><item><title>One</title></item><item></item></channel></rss>"
        with Server(("/rss", RSS), ("/bad", bad), ("/empty", b"<rss><channel/></rss>")) as server:
            for path, words in (
                ("/rss", "Nothing new."),
                ("/empty", "Nothing new."),
                ("/bad", "Nothing new in what could be read.127.0.0.1:PORT: 1 entry cannot be read"),
            ):
                with self.subTest(path), self.widget(server, path) as widget:
                    widget.initialize(now=NOW)
                    self.update(widget)
                    found = text(widget.call("performAction", action="all")["view"])
                    self.assertEqual(found, words.replace("PORT", server.url.rpartition(":")[2]))
                    if path == "/rss":
                        server.answers[0] = ("/rss", 503)
                        self.assertIn("Nothing new in what could be read.", text(widget.fail_update()[0]))

    def test_a_feed_that_ends_too_early_says_so(self):
        def cut(handler, _):
            handler.send_response(200)
            handler.send_header("Content-Length", str(len(RSS)))
            handler.end_headers()
            handler.close_connection = True
            handler.wfile.write(RSS[:-60])
            raise ConnectionError

        for answer, words in ((RSS[:-60], "the feed ends too early"), (cut, "the server's answer ended too early")):
            with Server(("/", answer)) as server, self.widget(server, "/") as widget:
                widget.initialize(now=NOW)
                found = text(self.update(widget)["view"])
                for part in ("New", "Old news", words, "1 entry cannot be read"):
                    self.assertIn(part, found)

    def test_one_of_the_entries_that_share_an_identifier_is_read(self):
        item = "<item><title>%s</title><link>https://paper.example/%s</link><guid isPermaLink='false'>N/A</guid></item>"
        feed = "<rss><channel><title>F</title>%s</channel></rss>" % "".join(item % (name, name) for name in ("One", "Two", "Two", "Three"))
        with Server(("/a", feed.encode()), ("/b", feed.encode())) as server, self.widget(server, "/a", "/b") as widget:
            widget.initialize(now=NOW, maximumSize={"width": 40, "height": 20}, activeDisplayMode="expanded")
            # The same in all is the same; the same of another feed is another.
            view = self.update(widget)["view"]
            self.assertIn("6 unread", text(view))
            request = widget.request_of("performAction", {"action": presses(view)[1]})
            self.assertEqual(request["params"]["url"], "https://paper.example/Two")
            widget.answer(request, {"result": {"success": True}})
            self.assertIn("5 unread", text(widget.read()["result"]["view"]))

    def test_what_was_read_before_the_marks_were_of_the_address_is_read(self):
        former = hashlib.sha256(b"The & Paper 2").hexdigest()[:16]
        with Server(("/rss", RSS)) as server, self.widget(server, "/rss") as widget:
            Path(widget.data, "read.json").write_text(f'["{former}", 5, null]')
            widget.initialize(now=NOW)
            self.assertIn("2 unread", text(self.update(widget)["view"]))

    def test_more_entries_than_marks_that_are_kept_stay_read(self):
        item = "<item><title>%d</title><guid>%d</guid></item>"
        feed = "<rss><channel>%s</channel></rss>" % "".join(item % (number, number) for number in range(150))
        paths = [f"/{number}" for number in range(15)]
        with Server(("/", feed.encode())) as server, self.widget(server, *paths) as widget:
            widget.initialize(now=NOW)
            self.assertIn("2250 unread", text(self.update(widget)["view"]))
            self.assertEqual(text(widget.call("performAction", action="all")["view"]), "Nothing new.")

    def test_a_feed_that_has_not_changed_is_not_sent_again(self):
        def feed(handler, _):
            if handler.headers.get("If-None-Match") != '"1"':
                return RSS
            return 304

        def send(handler, answer):
            handler.send_response(200 if answer == RSS else 304)
            handler.send_header("ETag", '"1"')
            handler.end_headers()
            handler.wfile.write(answer if answer == RSS else b"")

        with Server(("/", feed)) as server, self.widget(server, "/") as widget:
            server.send = send
            widget.initialize(now=NOW)
            self.update(widget)
            self.assertIn("3 unread", text(self.update(widget)["view"]))
            self.assertNotIn("If-None-Match", server.headers[0])
            self.assertEqual(server.headers[1]["If-None-Match"], '"1"')

    def test_links_are_relative_to_where_the_feed_is_in_the_end(self):
        feed = b"<feed xmlns='http://www.w3.org/2005/Atom'><entry><title>One</title><id>1</id><link href='one.html'/></entry></feed>"

        def moved(handler, _):
            handler.send_response(int(handler.path[1:]))
            handler.send_header("Location", "/blog/feed.xml")
            handler.end_headers()
            raise ConnectionError

        for status in (301, 302, 303, 307, 308):
            with (
                self.subTest(status), Server((f"/{status}", moved), ("/blog", feed)) as server,
                self.widget(server, f"/{status}") as widget,
            ):
                widget.initialize(now=NOW)
                request = widget.request_of("performAction", {"action": presses(self.update(widget)["view"])[0]})
                self.assertEqual(request["params"]["url"], server.url + "/blog/one.html")
                widget.answer(request, {"result": {"success": True}})
                widget.read()

    def test_odd_settings_cost_themselves_alone(self):
        with Server(("/rss", RSS)) as server:
            for listed in ([f" {server.url}/rss ", f"{server.url}/rss", "", None], f"{server.url}/rss"):
                with KitWidget("Feeds/feeds.py", configuration={"feeds": listed}) as widget:
                    widget.initialize(now=NOW)
                    self.assertIn("3 unread", text(self.update(widget)["view"]))
            with KitWidget("Feeds/feeds.py", configuration={"feeds": [f"{server.url}/rss", 5, "paper.example"]}) as widget:
                widget.initialize(now=NOW, activeDisplayMode="expanded")
                words = text(self.update(widget)["view"])
                for part in ("3 unread", "5 is not the address", "paper.example is not the address"):
                    self.assertIn(part, words)
        with KitWidget("Feeds/feeds.py", configuration={"feeds": []}) as widget:
            widget.initialize(now=NOW)
            self.assertIn("No feeds yet.", text(self.update(widget)["view"]))
            data = widget.data
        # A file is no feed of a server, and its heading begins with a word; it can be removed, or another one added.
        with KitWidget("Feeds/feeds.py", configuration={"feeds": ["file:///srv/feed.xml"]}, data=data) as widget:
            widget.initialize(now=NOW)
            view, error = widget.fail_update()
            self.assertEqual(error, "file:///srv/feed.xml is not the address of a server; that begins with https:// or http://")
            self.assertEqual(text(view), "file:///srv/feed.xmlRemoveAdd a feed:")
        self.assertEqual(feeds.web_address("feed://a.example/b"), "https://a.example/b")
        self.assertEqual(feeds.web_address("feed:http://a.example/b"), "http://a.example/b")

    def test_a_feed_is_added_in_the_card_itself_and_removed_again(self):
        with Server(("/rss", RSS), ("/page", b"<html><p>no feed</html>")) as server, self.widget(server) as widget:
            widget.initialize(now=NOW, maximumSize={"width": 70, "height": 20}, activeDisplayMode="expanded")
            view = self.update(widget)["view"]
            self.assertIn("No feeds yet", text(view))
            self.assertEqual(typed(view), [None])
            # What is no feed is not added, and stays in the field.
            for odd in (f"{server.url}/page", f"{server.url}/gone", "file:///etc/passwd", "http://" + "x" * 3000):
                view = widget.call("performAction", action="add", value=odd)["view"]
                self.assertEqual(typed(view), [odd[:2000]])
                self.assertIn("No feeds yet", text(view))
            view = widget.call("performAction", action="add", value=f" {server.url}/rss\n")["view"]
            self.assertIn("New", text(view))
            self.assertEqual(typed(view), [""])
            view = widget.call("performAction", action="add", value=f"{server.url}/rss")["view"]
            self.assertIn("here already", text(view))
            self.assertEqual(typed(self.update(widget)["view"]), [f"{server.url}/rss"])
            # It is in the settings, where their form has it, and is removed there, too.
            self.assertEqual(widget.kept, {"feeds": [f"{server.url}/rss"]})
            view = widget.call("performAction", action=f"drop {server.url}/rss")["view"]
            self.assertEqual(widget.kept, {"feeds": []})
            self.assertNotIn("Remove", text(view))
            self.assertIn("No feeds yet", text(view))

    def test_feeds_of_config_json_stay_and_the_card_keeps_those_that_are_added(self):
        size = {"width": 70, "height": 20}
        with Server(("/rss", RSS), ("/other", RSS)) as server:
            with self.widget(server, "/rss") as widget:
                widget.fixed = ("feeds",)
                widget.initialize(now=NOW, maximumSize=size, activeDisplayMode="expanded")
                self.update(widget)
                view = widget.call("performAction", action=f"drop {server.url}/rss")["view"]
                self.assertIn("feeds is set at config.json:1:1", text(view))
                view = widget.call("performAction", action="add", value=f"{server.url}/other")["view"]
                self.assertEqual(text(view).count("Remove"), 2)
                data = widget.data
            with self.widget(server, "/rss", data=data) as again:
                again.initialize(now=NOW, maximumSize=size, activeDisplayMode="expanded")
                self.assertEqual(text(self.update(again)["view"]).count("Remove"), 2)
                view = again.call("performAction", action=f"drop {server.url}/other")["view"]
                self.assertEqual(text(view).count("Remove"), 1)

    def test_what_was_read_is_hidden_on_request(self):
        with Server(("/rss", RSS)) as server, self.widget(server, "/rss") as widget:
            widget.initialize(now=NOW, maximumSize={"width": 70, "height": 20}, activeDisplayMode="expanded")
            view = self.update(widget)["view"]
            request = widget.request_of("performAction", {"action": presses(view)[0]})
            widget.answer(request, {"result": {"success": True}})
            self.assertEqual(len(presses(widget.read()["result"]["view"])), 3)
            view = widget.call("performAction", action="unread", value=True)["view"]
            self.assertEqual(len(presses(view)), 2)
            self.assertTrue(next(node for node in view["children"] if node["type"] == "toggle")["isOn"])


def typed(view):
    """The texts of the fields of a view."""
    inside = [one for child in view.get("children", []) if isinstance(child, dict) for one in typed(child)]
    return inside + ([view.get("text")] if view["type"] == "field" else [])


if __name__ == "__main__":
    unittest.main()
