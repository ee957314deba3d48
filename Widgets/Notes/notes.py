#!/usr/bin/python3 -ESB
"""Notes: the beginning of a text file, to which a line can be added."""

import os
import stat

from todaykit import Failure, Widget, reason, secondary, text, vstack

SHORT, LONG = 3, 30
LIMIT = 256 * 1024


class Notes(Widget):
    def initialize(self):
        self.lines = None
        self.trouble = None
        self.typed = ""

    @property
    def path(self):
        return self.configuration.get("file") or ""

    def view(self):
        if self.lines is None and self.trouble is None:
            self.read()
        return self.draw()

    def widget_perform_update(self, why):
        before = (self.lines, self.trouble)
        self.read()
        return self.draw() if (self.lines, self.trouble) != before or why == "user" else None

    def read(self):
        self.lines, self.trouble = None, None
        try:
            descriptor = os.open(self.path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
            with os.fdopen(descriptor, "rb") as file:
                if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                    self.trouble = f"{self.path} is no file"
                    return
                content = file.read(LIMIT)
            self.lines = content.decode("utf-8", "replace").rstrip().splitlines()
        except FileNotFoundError:
            self.lines = []
        except OSError as error:
            self.trouble = f"{self.path} cannot be read: {reason(error)}"

    def perform_action(self, action, value):
        line = " ".join(str(value or "").split())
        if action != "add" or not line:
            return self.draw()
        try:
            self.append(line)
        except OSError as error:
            self.typed = line
            self.set_view(self.draw())
            raise Failure(f"not written: {reason(error)}") from error
        self.typed = ""
        self.read()
        return self.draw()

    def append(self, line):
        """Adds a line at the end, behind a line feed where the last line has none."""
        flags = os.O_RDWR | os.O_CREAT | os.O_NONBLOCK | os.O_CLOEXEC
        with os.fdopen(os.open(self.path, flags, 0o600), "r+b") as file:
            size = file.seek(0, os.SEEK_END)
            file.seek(0)
            # A file of Windows stays one.
            end = b"\r\n" if b"\r\n" in file.read(4096) else b"\n"
            file.seek(max(0, size - 1))
            is_open = file.read(1) not in (b"", b"\n")
            file.write((end if is_open else b"") + line.encode() + end)

    def draw(self):
        if self.trouble:
            return text(self.trouble, "orange", limit=3)
        room = LONG if self.is_expanded else SHORT
        lines = self.lines or []
        self.offer_more(len(lines) > SHORT)
        # The newest lines are at the end.
        shown = lines[-room:]
        rows = [self.row(line) for line in shown] or [secondary("No notes yet.")]
        if len(lines) > len(shown) and self.is_expanded:
            rows.insert(0, secondary(f"… {len(lines) - len(shown)} more lines"))
        field = {"type": "field", "id": "line", "placeholder": "New line", "action": "add", "text": self.typed}
        return vstack(*rows, field)

    @staticmethod
    def row(line):
        """A heading of Markdown is bold."""
        if line.startswith("#"):
            return text(line.lstrip("# ") or " ", bold=True)
        return text(line or " ", limit=2)


if __name__ == "__main__":
    Notes().run()
