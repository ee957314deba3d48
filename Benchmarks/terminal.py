"""A program in a pseudo-terminal, with the time of every read."""

import fcntl
import os
import pty
import re
import select
import signal
import struct
import termios
import time
from collections.abc import Callable

from processes import family, identities, still_there

ROWS, COLUMNS = 40, 120

CONTROL = re.compile(rb"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[P_][^\x1b]*\x1b\\|[()][0-9A-B]|.)")

# The answers of a current terminal to the queries that a program may send before it draws.
REPLIES = {
    rb"\x1b\[0?c": b"\x1b[?62;22c",
    rb"\x1b\[>0?c": b"\x1b[>41;400;0c",
    rb"\x1b\[\?2026\$p": b"\x1b[?2026;2$y",
    rb"\x1b\[\?(?!2026)(\d+)\$p": b"\x1b[?%s;0$y",
    rb"\x1b\[>0?q": b"\x1bP>|bench\x1b\\",
    rb"\x1b\[6n": b"\x1b[1;1R",
    rb"\x1b\]11;\?(?:\x07|\x1b\\)": b"\x1b]11;rgb:0000/0000/0000\x1b\\",
    rb"\x1b\]10;\?(?:\x07|\x1b\\)": b"\x1b]10;rgb:ffff/ffff/ffff\x1b\\",
}
QUESTION = re.compile(b"|".join(b"(?:" + question + b")" for question in REPLIES))


class Ended(Exception):
    """The program ended although it was expected to continue."""


class Terminal:
    """Starts a program at 120×40 and reads what it draws; times are those of `time.monotonic`."""

    def __init__(self, arguments: list[str], environment: dict[str, str]) -> None:
        clock_out, clock_in = os.pipe()
        self.pid, self.descriptor = pty.fork()
        if self.pid == 0:
            try:
                size = struct.pack("HHHH", ROWS, COLUMNS, 0, 0)
                fcntl.ioctl(0, termios.TIOCSWINSZ, size)
                os.write(clock_in, struct.pack("d", time.monotonic()))
                os.execve(arguments[0], arguments, environment)
            finally:
                os._exit(127)
        os.close(clock_in)
        self.started = struct.unpack("d", os.read(clock_out, 8))[0]
        os.close(clock_out)
        self.handle = os.pidfd_open(self.pid)
        self.poll = select.poll()
        self.poll.register(self.descriptor, select.POLLIN)
        self.poll.register(self.handle, select.POLLIN)
        self.reads: list[tuple[float, bytes]] = []
        self.has_ended = False

    def write(self, data: bytes) -> float:
        """Writes input and returns when."""
        when = time.monotonic()
        os.write(self.descriptor, data)
        return when

    def read_until(self, done: Callable[[], bool], deadline: float) -> bool:
        """Reads until a condition holds or the deadline has passed; returns whether it holds."""
        while not done():
            remaining = deadline - time.monotonic()
            if remaining <= 0:
                return False
            ready = dict(self.poll.poll(remaining * 1000))
            if self.descriptor in ready:
                self._read()
            elif self.handle in ready:
                self.has_ended = True
                raise Ended(f"ended after {time.monotonic() - self.started:.2f} s")
        return True

    def _read(self) -> None:
        try:
            data = os.read(self.descriptor, 65536)
        except OSError:  # Linux reports EIO when the last writer has closed the terminal.
            data = b""
        if not data:
            self.poll.unregister(self.descriptor)
            return
        self.reads.append((time.monotonic(), data))
        for question in QUESTION.finditer(data):
            for pattern, reply in REPLIES.items():
                if match := re.fullmatch(pattern, question[0]):
                    os.write(self.descriptor, reply % match.groups() if match.groups() else reply)

    def read_for(self, seconds: float) -> list[tuple[float, bytes]]:
        """Reads for this long and returns the reads of that time."""
        first = len(self.reads)
        self.read_until(lambda: False, time.monotonic() + seconds)
        return self.reads[first:]

    def read_until_quiet(self, quiet: float, limit: float) -> list[tuple[float, bytes]]:
        """Reads until no data has come for `quiet` seconds, at most for `limit` seconds."""
        first, begun = len(self.reads), time.monotonic()
        while time.monotonic() < begun + limit and self.read_for(quiet):
            pass
        return self.reads[first:]

    def text(self, first: int = 0) -> str:
        """The text that was written since a read, without control sequences and in the order of writing."""
        raw = b"".join(data for _, data in self.reads[first:])
        return CONTROL.sub(b"", raw).decode("utf-8", "replace")

    def wait_for(self, words: list[str], limit: float) -> float | None:
        """Reads until all words were written; returns the seconds from exec to the last of them."""
        missing, seen = list(words), -1

        def all_written() -> bool:
            nonlocal missing, seen
            if missing and len(self.reads) != seen:
                seen = len(self.reads)
                text = self.text()
                missing = [word for word in missing if word not in text]
            return not missing

        if self.read_until(all_written, time.monotonic() + limit):
            return self.reads[-1][0] - self.started
        return None

    def first_byte_after(self, key: bytes, limit: float) -> float | None:
        """Presses a key; returns the seconds until the program writes anything."""
        first = len(self.reads)
        pressed = self.write(key)
        if self.read_until(lambda: len(self.reads) > first, pressed + limit):
            return self.reads[first][0] - pressed
        return None

    def quit(self, key: bytes) -> tuple[float | None, int]:
        """Presses the key that quits; returns the seconds until the program has ended, and how many of
        its processes were still running two seconds later. Those are killed."""
        known = identities(family(self.pid))
        pressed = time.monotonic()
        gone = None
        try:
            self.write(key)
            self.read_until(lambda: False, pressed + 5)
        except (Ended, OSError):
            gone = time.monotonic() - pressed
        if gone is None and not self.has_ended:
            os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)
        os.close(self.descriptor)
        os.close(self.handle)
        deadline = time.monotonic() + 2
        while still_there(known) and time.monotonic() < deadline:
            time.sleep(0.01)
        left = still_there(known)
        for pid in left:
            os.kill(pid, signal.SIGKILL)
        return gone, len(left)
