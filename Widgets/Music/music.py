#!/usr/bin/python3 -ESB
"""Music: what a player plays, with its cover and play, pause and next, over MPRIS through playerctl."""

import base64
import os
import urllib.parse

from todaykit import Failure, Widget, button, fetch, gauge, hstack, run, secondary, text, vstack

SEPARATOR = "\x1f"
FIELDS = ("status", "title", "artist", "album", "mpris:length", "position", "mpris:artUrl", "playerName")
FORMAT = SEPARATOR.join("{{" + name + "}}" for name in FIELDS)
COMMANDS = ("play-pause", "next", "previous")
COVER_LIMIT = 150 * 1024
COVER_TYPES = (b"\x89PNG", b"\xff\xd8\xff")


class Music(Widget):
    def initialize(self):
        self.playing = None
        self.cover = (None, None)

    def view(self):
        return self.draw() if self.playing is not None else None

    def widget_perform_update(self, reason):
        self.read()
        return self.draw()

    def playerctl(self, *words, codes=(0,)):
        player = self.setting("player")
        options = [f"--player={player}"] if player else []
        return run(["playerctl", *options, *words], seconds=5, install="playerctl", codes=codes)

    def read(self):
        # It ends with 1 where no player runs.
        output = self.playerctl("metadata", "--format", FORMAT, codes=(0, 1)).rstrip("\n")
        values = output.split(SEPARATOR)
        self.playing = dict(zip(FIELDS, values)) if len(values) == len(FIELDS) else {}
        address = self.playing.get("mpris:artUrl", "")
        if address != self.cover[0]:
            self.cover = (address, self.picture(address) if address else None)

    def picture(self, address):
        """The cover as base64; None if it cannot be had, or is no picture."""
        try:
            if address.startswith("file://"):
                path = urllib.parse.unquote(urllib.parse.urlsplit(address).path)
                with os.fdopen(os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC), "rb") as file:
                    content = file.read(COVER_LIMIT + 1)
            else:
                content = fetch(address, seconds=5, limit=COVER_LIMIT)
        except (OSError, ValueError, Failure) as error:
            self.log(f"the cover {address}: {error}")
            return None
        if len(content) > COVER_LIMIT or not content.startswith(COVER_TYPES):
            return None
        return base64.b64encode(content).decode()

    def perform_action(self, action, value):
        if action in COMMANDS:
            self.playerctl(action)
            self.read()
        return self.draw()

    def draw(self):
        playing = self.playing
        if not playing or not playing["title"]:
            return secondary("Nothing is playing.")
        is_playing = playing["status"] == "Playing"
        by = " · ".join(part for part in (playing["artist"], playing["album"]) if part)
        buttons = hstack(
            button("⏮", "previous"), button("⏸" if is_playing else "▶", "play-pause"), button("⏭", "next"),
            {"type": "spacer"}, secondary(playing["playerName"]),
        )
        parts = [text(playing["title"], bold=True), secondary(by or " ")]
        length, position = whole(playing["mpris:length"]), whole(playing["position"])
        if length > 0:
            shown = min(max(position, 0), length)
            parts.append(gauge(shown, 0, length, words=f"{clock(position)} / {clock(length)}"))
        parts.append(buttons)
        words = vstack(*parts)
        if not self.cover[1]:
            return words
        picture = {"type": "image", "data": self.cover[1], "alt": "Cover", "height": 4, "frame": {"width": 8}}
        return hstack(picture, words)


def whole(words):
    """Microseconds; 0 if a player tells none."""
    try:
        return min(int(float(words)), 10**12)
    except (ValueError, OverflowError):
        return 0


def clock(microseconds):
    seconds = microseconds // 1_000_000
    return f"{seconds // 60}:{seconds % 60:02}"


if __name__ == "__main__":
    Music().run()
