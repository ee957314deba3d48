#!/usr/bin/python3 -ESB
"""Notes: the end of a text file, to which a line can be added, and whose lines can be changed."""

import codecs
import os
import re
import stat

import note_file
from file_watch import Follower
from todaykit import Failure, Widget, field, hstack, reason, secondary, text, vstack

SHORT, LONG = 3, 30
LIMIT = 256 * 1024
EDITED = 1000  # characters of a line that can be changed here
# A blank is between the signs and the words, and more signs can be behind those (CommonMark, 4.2).
HEADING = re.compile(r" {0,3}#{1,6}(?:[ \t]+(.*?))??(?:[ \t]+#+)?[ \t]*\Z")
# What begins a block of code, with words behind it, or ends it (CommonMark, 4.5).
FENCE = re.compile(r" {0,3}(`{3,}(?=[^`]*\Z)|~{3,})")


PENCIL = {
    "type": "text",
    "text": "✎",
    "lineLimit": 1,
    "layoutPriority": 1,
    "style": {"foreground": "tertiaryLabel"},
    "accessibilityLabel": "Edit",
    "help": "Edit this line",
}


class Notes(Widget):
    def initialize(self):
        self.lines = None
        self.trouble = None
        self.is_cut = False
        self.typed = ""
        self.edited = None  # the line that is changed: its number from the end, and its text
        self.follower = None

    @property
    def path(self):
        return self.configuration.get("file") or ""

    def view(self):
        if self.lines is None and self.trouble is None:
            self.read()
        return self.draw()

    def view_did_appear(self):
        if not self.follower:
            self.follower = Follower(
                lambda: [os.path.abspath(self.path)], lambda: self.perform_later(self.follow), lambda: bool(self.trouble)
            )
            self.follower.start()

    def follow(self):
        """The view if another program has changed the file."""
        return self.draw() if self.read() else None

    def widget_perform_update(self, why):
        has_changed = self.read()
        if self.trouble:
            raise Failure(self.trouble, view=self.draw() if has_changed else None)
        return self.draw() if has_changed or why == "user" else None

    def read(self):
        """Reads the file; returns whether it is another one than before."""
        before = self.lines, self.trouble, self.is_cut
        try:
            lines, is_cut = self.content()
            self.lines, self.trouble, self.is_cut = lines, None, is_cut
        except Failure as failure:
            self.lines, self.trouble, self.is_cut = None, str(failure), False
        return (self.lines, self.trouble, self.is_cut) != before

    def content(self):
        """The lines of the file, and whether there are more of them before these."""
        try:
            descriptor = os.open(self.path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
            with os.fdopen(descriptor, "rb") as file:
                if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                    raise Failure(f"{self.path} is not a file")
                return self.end_of(file)
        except FileNotFoundError:
            return [], False
        except OSError as error:
            raise Failure(f"{self.path} cannot be read: {reason(error)}") from error

    def end_of(self, file):
        """Reads the end of the file, where the newest lines are; the first of a long file may begin in the middle."""
        mark = file.read(4)
        if mark.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) or b"\0" in mark:
            raise Failure(f"{self.path} is not a text in UTF-8")
        start = max(len(codecs.BOM_UTF8) if mark.startswith(codecs.BOM_UTF8) else 0, file.seek(0, os.SEEK_END) - LIMIT)
        file.seek(start)
        content = file.read(LIMIT)
        if start > len(codecs.BOM_UTF8):
            content = content.partition(b"\n")[2] or content
        # Only what ends a line in an editor: splitlines() splits at form feeds and others as well.
        lines = re.split(r"\r\n|\r|\n", content.decode("utf-8", "replace").rstrip()) if content.strip() else []
        return lines, start > len(codecs.BOM_UTF8)

    def perform_action(self, action, value):
        kind, _, number = action.partition(" ")
        edited, self.edited = self.edited, None
        if kind == "edit" and number.isdecimal():
            self.edit(int(number))
        elif kind == "change" and edited and number == str(edited[0]):
            self.change(*edited, str(value or "").rstrip())
        elif kind == "add":
            self.add(" ".join(str(value or "").split()))
        return self.draw()

    def edit(self, number):
        """Shows a field in the place of a line."""
        lines = self.lines or []
        if 0 < number <= len(lines):
            self.edited = number, lines[-number]

    def change(self, number, old, new):
        """Writes a line that was changed; one without words leaves it as it was."""
        if not new.strip() or new == old:
            return
        try:
            is_done = note_file.change(self.path, number, old, "".join(c if c.isprintable() else " " for c in new))
        except OSError as error:
            raise Failure(f"not written: {reason(error)}") from error
        self.read()
        if not is_done:
            raise Failure("another program has changed that line; nothing was written", view=self.draw())

    def add(self, line):
        if not line:
            return
        try:
            note_file.append(self.path, [line])
        except OSError as error:
            self.typed = line
            self.set_view(self.draw())
            raise Failure(f"not written: {reason(error)}") from error
        self.typed = ""
        self.read()

    def draw(self):
        if self.trouble:
            return text(self.trouble, "orange", limit=3)
        # Alone on the screen there is room for more, but for the field and the line that says how many are left.
        room = max(LONG, (self.screen_rows or 0) - 2) if self.is_expanded else SHORT
        lines = self.lines or []
        self.offer_more(len(lines) > SHORT)
        # The newest lines are at the end.
        shown = lines[-room:]
        numbers = range(len(shown), 0, -1)
        rows = [self.row(*one) for one in zip(numbers, shown, code(lines)[-room:])] or [secondary("No notes yet.")]
        if len(lines) > len(shown) and self.is_expanded:
            count = f"more than {len(lines) - len(shown)}" if self.is_cut else f"{len(lines) - len(shown)}"
            rows.insert(0, secondary(f"… {count} more lines"))
        return vstack(*rows, field("line", "add", self.typed, placeholder="New line"))

    def row(self, number, line, is_code):
        """A line, with what changes it where there is room for that, or the field in which it is changed."""
        if self.edited == (number, line):
            return field(f"edit {number}", f"change {number}", line)
        words = self.words(line, is_code)
        # What cannot be shown as it is in the file would be written otherwise.
        can_change = line.isprintable() and line.strip() and len(line) <= EDITED and "\ufffd" not in line
        if not can_change or not self.is_expanded and len(self.lines) > SHORT:
            return words
        pencil = {**PENCIL, "id": f"pencil {number}", "action": f"edit {number}"}
        return hstack(words, {"type": "spacer"}, pencil)

    @staticmethod
    def words(line, is_code):
        """A heading of Markdown is bold; #errands and #12 are words, and a comment of a program is none."""
        heading = None if is_code else HEADING.match(line)
        if heading:
            return text(heading.group(1) or " ", bold=True)
        return text(line or " ", limit=2)


def code(lines):
    """Whether each line is in a block of code, whose last fence is as long as its first one or longer."""
    found, first = [], ""
    for line in lines:
        match = FENCE.match(line)
        fence = match[1] if match else ""
        found.append(bool(first or fence))
        if not first:
            first = fence
        elif fence.startswith(first) and line.strip() == fence:
            first = ""
    return found


if __name__ == "__main__":
    Notes().run()
