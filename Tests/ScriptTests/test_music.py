import tempfile
import unittest
from pathlib import Path

from programs import Programs
from server import Server
from widget import KitWidget, pressable, text

FIELDS = ("Playing", "Title", "Artist", "Album", "180000000", "65000000", "", "spotify")


def line(*fields):
    return "\x1f".join(fields) + "\n"


class MusicTests(unittest.TestCase):
    def setUp(self):
        self.programs = Programs(self)

    def widget(self, **values):
        return KitWidget("Music/music.py", configuration=values, PATH=self.programs.path)

    def record(self, *fields):
        self.programs.add("playerctl", ("*metadata*", line(*fields)), ("*", ""))

    def update(self, **values):
        with self.widget(**values) as widget:
            widget.initialize()
            return widget.call("widgetPerformUpdate", reason="user")["view"]

    def test_what_is_playing_and_its_buttons(self):
        self.record(*FIELDS)
        with self.widget(player="spotify") as widget:
            widget.initialize()
            view = widget.call("widgetPerformUpdate", reason="user")["view"]
            self.assertIn("TitleArtist · Album", text(view))
            gauge = next(node for node in view["children"] if node["type"] == "gauge")
            self.assertEqual((gauge["value"], gauge["valueLabel"]), (65000000, "1:05 / 3:00"))
            self.assertEqual([node["action"] for node in pressable(view)], ["previous", "play-pause", "next"])
            widget.call("performAction", action="next")
            widget.call("performAction", action="--volume 9")
            self.assertEqual([call for call in self.programs.calls("playerctl") if "metadata" not in call], ["--player=spotify next"])

    def test_nothing_plays_and_odd_numbers(self):
        self.programs.add("playerctl", ("*", "No players found\n", 1))
        self.assertEqual(text(self.update()), "Nothing is playing.")
        for length in ("", "-5", "nan", "1e400", "x"):
            with self.subTest(length=length):
                self.record(*FIELDS[:4], length, "x", "", "mpv")
                self.assertIn("Title", text(self.update()))

    def test_a_cover_is_shown_where_it_is_a_picture(self):
        png = b"\x89PNG\r\n\x1a\n" + b"0" * 100
        with tempfile.TemporaryDirectory() as folder, Server(("/cover", png), ("/page", b"<html>"), ("/large", b"\x89PNG" * 99999)) as server:
            path = Path(folder, "a b.png")
            path.write_bytes(png)
            for address, shown in ((path.as_uri(), True), (server.url + "/cover", True), (server.url + "/page", False),
                                   (server.url + "/large", False), ("file:///gone.png", False), ("ftp://x/y", False)):
                with self.subTest(address=address):
                    self.record(*FIELDS[:6], address, "mpv")
                    with self.widget() as widget:
                        widget.initialize()
                        answer = widget.request_of("widgetPerformUpdate", {"reason": "user"})
                        answer = widget.read() if answer.get("method") == "log" else answer
                        view = answer["result"]["view"]
                        self.assertEqual(view["children"][0]["type"] == "image", shown)

    def test_without_playerctl_it_says_what_to_install(self):
        with self.widget() as widget:
            widget.initialize()
            answer = widget.call("widgetPerformUpdate", reason="user")
            self.assertEqual(answer["error"], "playerctl is not installed; install it with: apt install playerctl")


if __name__ == "__main__":
    unittest.main()
