#!/usr/bin/python3 -ESB
"""Music: what a player plays, with its cover and play, pause and next, over MPRIS through playerctl."""

import base64
import os
import urllib.parse

from todaykit import Failure, Widget, button, fetch, gauge, hstack, run, secondary, text, vstack

SEPARATOR, END = "\x1f", "\x1e"
FIELDS = ("status", "title", "artist", "album", "mpris:length", "position", "mpris:artUrl", "playerName")
MORE = ("xesam:url", "playerInstance")
FORMAT = SEPARATOR.join("{{" + name + "}}" for name in FIELDS + MORE) + END
NOBODY = ("No players found", "No player could handle this command")
# Players say that a live stream has the largest length that there is: 1000 h are more than any recording.
LONGEST = 3_600_000_000_000
COMMANDS = ("play-pause", "next", "previous")
COVER_LIMIT = 150 * 1024
COVER_TYPES = (b"\x89PNG", b"\xff\xd8\xff")


class Music(Widget):
    def initialize(self):
        self.playing = None
        # The player that is shown, where it is not the one that playerctl takes.
        self.player = None
        self.cover = (None, None)
        # How many players answer in another form.
        self.unread = 0

    def view(self):
        return self.draw() if self.playing is not None else None

    def widget_perform_update(self, reason):
        self.read()
        return self.draw()

    def playerctl(self, *words, player=None):
        player = self.setting("player") or player
        options = [f"--player={player}"] if player else []
        return run(["playerctl", *options, *words], seconds=5, install="playerctl")

    def records(self, *options):
        """What the players say of themselves; nothing where there are none."""
        try:
            output = self.playerctl(*options, "metadata", "--format", FORMAT)
        except Failure as failure:
            # Without a bus it says so, and then that it has found none.
            if str(failure).endswith(NOBODY) and "unable to list" not in failure.output:
                return []
            raise
        found, self.unread = [], 0
        for record in output.split(END):
            if record.strip():
                values = record.strip("\n").split(SEPARATOR)
                if not len(FIELDS) <= len(values) <= len(FIELDS + MORE):
                    self.unread += 1
                    continue
                one = dict(zip(FIELDS + MORE, [*values, "", ""]))
                # A title can have line breaks.
                found.append({**one, **{name: " ".join(one[name].split()) for name in ("title", "artist", "album")}})
        if self.unread and not found:
            raise Failure("playerctl did not answer in the format that was requested")
        return found

    def read(self):
        found = self.records()
        self.player = None
        # The first player can be one that is paused while another one plays.
        if found and found[0]["status"] != "Playing" and not self.setting("player"):
            try:
                others = self.records("--all-players")
            except Failure as failure:
                self.log(failure, "warning")
                others = []
            order = [one for status in ("Playing", "Paused") for one in others if one["status"] == status]
            if order and order[0]["status"] != found[0]["status"]:
                found = order
                self.player = found[0]["playerInstance"] or found[0]["playerName"]
        self.playing = found[0] if found else {}
        address = self.playing.get("mpris:artUrl", "")
        if address != self.cover[0]:
            self.cover = (address, self.picture(address) if address else None)

    def picture(self, address):
        """The cover as base64; None if it cannot be had, or is no picture."""
        try:
            if address.startswith("data:"):
                # At most as many letters as the bytes of a cover take.
                head, _, letters = address.partition(",")
                content = base64.b64decode(urllib.parse.unquote_to_bytes(letters[:2 * COVER_LIMIT])) if head.endswith(";base64") else b""
            elif address.startswith("file://"):
                path = urllib.parse.unquote(urllib.parse.urlsplit(address).path)
                with os.fdopen(os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC), "rb") as file:
                    content = file.read(COVER_LIMIT + 1)
            else:
                content = fetch(address, seconds=5, limit=COVER_LIMIT)
        except (OSError, ValueError, Failure) as error:
            self.log(f"the cover {address[:200]}: {error}")
            return None
        if len(content) > COVER_LIMIT or not content.startswith(COVER_TYPES):
            return None
        return base64.b64encode(content).decode()

    def perform_action(self, action, value):
        if action in COMMANDS:
            self.playerctl(action, player=self.player)
            self.read()
        return self.draw()

    def draw(self):
        playing = self.playing
        if not playing or not playing["title"] and playing["status"] not in ("Playing", "Paused"):
            return text("What plays cannot be read.", "orange") if self.unread else secondary("Nothing is playing.")
        is_playing = playing["status"] == "Playing"
        by = " · ".join(part for part in (playing["artist"], playing["album"]) if part)
        buttons = hstack(
            button("Back", "previous"), button("Pause" if is_playing else "Play", "play-pause"), button("Next", "next"),
            {"type": "spacer"}, secondary(playing["playerName"]),
        )
        title = playing["title"] or name_of(playing["xesam:url"]) or playing["playerName"] or "Something without a title"
        parts = [text(title, bold=True), secondary(by or " ")]
        length, position = whole(playing["mpris:length"]), whole(playing["position"])
        if length > 0:
            shown = min(position, length)
            parts.append(gauge(shown, 0, length, words=f"{clock(shown)} / {clock(length)}"))
        elif position > 0:
            parts.append(secondary(clock(position)))  # A live stream has no length.
        parts.append(buttons)
        if self.unread:
            parts.append(text("1 player cannot be read" if self.unread == 1 else f"{self.unread} players cannot be read", "orange"))
        words = vstack(*parts)
        if not self.cover[1]:
            return words
        picture = {"type": "image", "data": self.cover[1], "alt": "Cover", "height": 4, "frame": {"width": 8}}
        return hstack(picture, words)


def name_of(address):
    """The name of a file or of a server; empty if an address has none."""
    try:
        parts = urllib.parse.urlsplit(address)
        name = urllib.parse.unquote(parts.path, errors="replace").rstrip("/").rpartition("/")[2]
        return " ".join(name.split()) or parts.hostname or ""
    except ValueError:
        return ""


def whole(words):
    """Microseconds; 0 if a player tells none, or none that can be."""
    try:
        number = int(float(words))
    except (ValueError, OverflowError):
        return 0
    return number if 0 < number < LONGEST else 0


def clock(microseconds):
    """A time as players have it: 1:05, or 3:18:00."""
    minutes, seconds = divmod(microseconds // 1_000_000, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"


if __name__ == "__main__":
    Music().run()
