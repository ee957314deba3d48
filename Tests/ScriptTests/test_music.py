import base64
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

    def test_a_title_with_line_breaks_is_in_one_line(self):
        self.record("Playing", "One\nTwo", " A\t B", *FIELDS[3:])
        self.assertIn("One TwoA B · Album", text(self.update()))

    def test_a_cover_is_shown_where_it_is_a_picture(self):
        png = b"\x89PNG\r\n\x1a\n" + b"0" * 100
        with tempfile.TemporaryDirectory() as folder, Server(("/cover", png), ("/page", b"<html>"), ("/large", b"\x89PNG" * 99999)) as server:
            path = Path(folder, "a b.png")
            path.write_bytes(png)
            for address, shown in ((path.as_uri(), True), (server.url + "/cover", True), (server.url + "/page", False),
                                   (server.url + "/large", False), ("data:image/png;base64," + base64.b64encode(png).decode(), True),
                                   ("data:image/png;base64,====", False), ("data:image/svg+xml,<svg/>", False), ("file:///gone.png", False), ("ftp://x/y", False)):
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

    def test_a_film_without_a_title_has_the_name_of_its_file_or_its_player(self):
        cases = [
            ("file:///home/me/A%20film%20%C3%A9.mkv", "A film é.mkv"), ("https://radio.example.org/", "radio.example.org"),
            ("https://radio.example.org/live%ff.mp3?x=1", "live\ufffd.mp3"), ("http://[", "vlc"), ("", "vlc"),
        ]
        for url, title in cases:
            with self.subTest(url):
                self.record("Paused", "", "", "", "5400000000", "60000000", "", "vlc", url, "vlc")
                view = self.update()
                self.assertEqual(view["children"][0]["text"], title)
                self.assertEqual(view["children"][2]["valueLabel"], "1:00 / 1:30:00")
                self.assertEqual([node["action"] for node in pressable(view)], ["previous", "play-pause", "next"])
        self.record("Stopped", "", "", "", "", "", "", "vlc")
        self.assertEqual(text(self.update()), "Nothing is playing.")

    def test_long_films_live_streams_and_lengths_that_cannot_be(self):
        largest = str(2**63 - 1)
        cases = [
            ("11880000000", "3661000000", "1:01:01 / 3:18:00"), ("60000000", "65000000", "1:00 / 1:00"),
            ("60000000", "-5", "0:00 / 1:00"), ("6e7", "1.5e6", "0:01 / 1:00"), ("360000000000", "0", "0:00 / 100:00:00"),
            ("0", "65000000", "1:05"), (largest, "65000000", "1:05"), ("", "3700000000", "1:01:40"),
            (largest, largest, None), ("-1", "", None), ("nan", "inf", None),
        ]
        for length, position, words in cases:
            with self.subTest((length, position)):
                self.record("Playing", "Film", "", "", length, position, "", "mpv")
                line = self.update()["children"][2]
                self.assertEqual(line.get("valueLabel", line.get("text")), words)

    def test_nothing_is_playing_only_if_playerctl_says_so(self):
        no_bus = (
            "Could not connect to players: Cannot autolaunch D-Bus without X11 $DISPLAY\n",
            "\n(playerctl:5): playerctl-WARNING **: D-Bus socket address not found, unable to list player names\nNo players found\n",
            "",
        )
        for words in no_bus:
            with self.subTest(words), self.widget() as widget:
                self.programs.add("playerctl", ("*", words, 1))
                widget.initialize()
                self.assertIn("playerctl", widget.call("widgetPerformUpdate", reason="user")["error"])
        for odd in ("Playing\n", line(*FIELDS, "a", "b", "c")):
            with self.subTest(odd), self.widget() as widget:
                self.programs.add("playerctl", ("*", odd))
                widget.initialize()
                answer = widget.call("widgetPerformUpdate", reason="user")
                self.assertEqual(answer["error"], "playerctl did not answer in the format that was requested")
        self.programs.add("playerctl", ("*", ""))
        self.assertEqual(text(self.update()), "Nothing is playing.")

    def test_a_player_that_answers_in_another_form_costs_itself_and_is_counted(self):
        one, end = line(*FIELDS)[:-1], "\x1e\n"
        stopped = line("Stopped", *[""] * 7)[:-1] + end
        for output, words in (
            (one + end + "odd" + end, "1 player cannot be read"), ("a\x1fb" + end + "c" + end + one + end, "2 players cannot be read"),
            ("odd" + end + stopped, "What plays cannot be read."),
        ):
            self.programs.add("playerctl", ("*", output))
            shown = text(self.update())
            self.assertIn(words, shown)
            self.assertEqual("Title" in shown, one in output)

    def test_a_player_that_plays_comes_before_one_that_is_paused(self):
        paused = line("Paused", "Old", "", "", "", "", "", "vlc", "", "vlc")[:-1] + "\x1e\n"
        plays = line("Playing", "Now\nhere", "", "", "", "", "", "mpv", "", "mpv.instance5")[:-1] + "\x1e\n"
        self.programs.add("playerctl", ("*--all-players*", paused + plays), ("*metadata*", paused), ("*", ""))
        with self.widget() as widget:
            widget.initialize()
            self.assertIn("Now here", text(widget.call("widgetPerformUpdate", reason="user")["view"]))
            widget.call("performAction", action="play-pause")
        self.assertIn("--player=mpv.instance5 play-pause", self.programs.calls("playerctl"))
        with self.widget(player="vlc") as widget:
            widget.initialize()
            self.assertIn("Old", text(widget.call("widgetPerformUpdate", reason="user")["view"]))
        self.programs.add("playerctl", ("*--all-players*", "no\n", 1), ("*metadata*", paused), ("*", ""))
        with self.widget() as widget:
            widget.initialize()
            logged = widget.request_of("widgetPerformUpdate", {"reason": "user"})
            self.assertEqual(logged["method"], "log")
            self.assertIn("Old", text(widget.read()["result"]["view"]))


if __name__ == "__main__":
    unittest.main()
