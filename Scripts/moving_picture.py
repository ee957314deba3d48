"""Records the dashboard in a terminal as one SVG that moves and repeats."""

import fcntl
import html
import os
import pty
import re
import select
import signal
import struct
import termios
import time

try:
    import pyte
except ImportError as error:
    raise SystemExit("the moving picture needs pyte (Debian: python3-pyte, PyPI: pyte)") from error

CELL, LINE = 8.43, 18
# What a terminal with 24-bit colours and synchronized output answers.
REPLIES = {
    rb"\x1b\[0?c": b"\x1b[?62;22c",
    rb"\x1b\[\?2026\$p": b"\x1b[?2026;2$y",
    rb"\x1b\[\?(?!2026)(\d+)\$p": b"\x1b[?%s;0$y",
    rb"\x1b\]11;\?(?:\x07|\x1b\\)": b"\x1b]11;rgb:1616/1818/1d1d\x1b\\",
}
QUESTION = re.compile(b"|".join(b"(?:" + question + b")" for question in REPLIES))
# Modes, questions and strings, which do not change a cell.
OTHER = re.compile(rb"\x1b\[[?>=][0-9;]*\$?[a-zA-Z]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b[P_][^\x1b]*\x1b\\")
# A picture is complete if nothing follows for this time.
QUIET = 0.004
# More frames a second do not look smoother and make the file longer.
FRAME_TIME = 1 / 25
GROUND, TEXT = "#16181d", "#e6e8ec"
# The colours that a program may request by name.
NAMED = {
    "black": "#16181d", "red": "#e5646f", "green": "#5fd38d", "brown": "#e5c07b",
    "blue": "#6aa5ff", "magenta": "#c792ea", "cyan": "#56c8d8", "white": "#b9bec7",
    "brightblack": "#6b7280", "brightwhite": "#f2f4f7",
}


class Recording:
    """A program in a terminal, and what the terminal showed at which time."""

    def __init__(self, arguments, environment, columns, rows):
        self.columns, self.rows = columns, rows
        self.screen = pyte.Screen(columns, rows)
        self.stream = pyte.ByteStream(self.screen)
        self.frames = []  # (time, rows as tuples of cells)
        self.rest = b""
        self.pid, self.descriptor = pty.fork()
        if self.pid == 0:
            try:
                fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
                os.execve(arguments[0], arguments, environment)
            finally:
                os._exit(127)
        self.start = time.monotonic()

    def press(self, keys):
        os.write(self.descriptor, keys.encode())

    def watch(self, seconds):
        """Follows the program for some time."""
        end = time.monotonic() + seconds
        is_new = False
        while (left := end - time.monotonic()) > 0:
            wait = QUIET if is_new else left
            if not select.select([self.descriptor], [], [], wait)[0]:
                if is_new:
                    self.take()
                is_new = False
                continue
            try:
                data = os.read(self.descriptor, 65_536)
            except OSError:
                break
            for question in QUESTION.finditer(data):
                for pattern, reply in REPLIES.items():
                    if match := re.fullmatch(pattern, question[0]):
                        os.write(self.descriptor, reply % match.groups() if match.groups() else reply)
            self._feed(data)
            is_new = True

    def _feed(self, data):
        """Shows what has arrived; a sequence without its end waits for the next read."""
        data = self.rest + data
        start = data.rfind(b"\x1b")
        is_cut = start >= 0 and re.fullmatch(rb"\x1b(?:\[[0-?]*[ -/]*|\][^\x07]*)?", data[start:])
        self.rest = data[start:] if is_cut else b""
        self.stream.feed(OTHER.sub(b"", data[:start] if is_cut else data))

    def take(self):
        now = time.monotonic() - self.start
        rows = tuple(
            tuple(self._cell(line[column]) for column in range(self.columns))
            for line in (self.screen.buffer[row] for row in range(self.rows))
        )
        if self.frames and now - self.frames[-1][0] < FRAME_TIME:
            self.frames[-1] = (self.frames[-1][0], rows)
        elif not self.frames or self.frames[-1][1] != rows:
            self.frames.append((now, rows))

    @staticmethod
    def _cell(cell):
        # pyte has no bright colours: it makes the plain ones bold.
        bright = cell.bold and cell.fg in NAMED
        front, back = (color(f"bright{cell.fg}" if bright else cell.fg, TEXT), color(cell.bg, GROUND))
        if cell.reverse:
            front, back = back, front
        return (cell.data, front, back, cell.bold and not bright, cell.underscore)

    def close(self):
        os.kill(self.pid, signal.SIGTERM)
        self.watch(3)
        os.waitpid(self.pid, 0)
        os.close(self.descriptor)

    def svg(self, label):
        """The frames from the first on, repeated for ever."""
        begin = self.frames[0][0]
        duration = self.frames[-1][0] - begin + 2
        width, height = self.columns * CELL + 32, self.rows * LINE + 50
        parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.2f} {height}" '
            f'width="{width:.2f}" height="{height}" role="img" aria-label="{html.escape(label)}">',
            f'<rect x="0.5" y="0.5" width="{width - 1:.2f}" height="{height - 1}" rx="11" '
            f'fill="{self.frames[-1][1][-1][-1][2]}" stroke="#808080" stroke-opacity="0.4"/>',
            '<g fill="#808080" fill-opacity="0.5"><circle cx="22" cy="17" r="5.5"/><circle cx="40" cy="17" r="5.5"/>'
            '<circle cx="58" cy="17" r="5.5"/></g>',
            '<g transform="translate(16 34)" font-family="ui-monospace,SFMono-Regular,Menlo,'
            "'DejaVu Sans Mono',Consolas,monospace\" font-size=\"14\" "
            'style="white-space:pre;font-variant-ligatures:none">',
        ]
        for row in range(self.rows):
            parts += self._row(row, begin, duration)
        return "\n".join([*parts, "</g>", "</svg>", ""])

    def last_svg(self, label):
        """The last frame alone."""
        last = self.frames[-1][1]
        self.frames = [(0, last)]
        return self.svg(label)

    def _row(self, row, begin, duration):
        """The looks of one row, each visible at its times."""
        looks = {}
        for index, (_, rows) in enumerate(self.frames):
            looks.setdefault(rows[row], set()).add(index)
        for cells, shown in looks.items():
            drawn = draw(cells, row)
            if not drawn:
                continue
            if len(looks) == 1:
                yield f"<g>{drawn}</g>"
                continue
            times, values = ["0"], ["visible" if 0 in shown else "hidden"]
            for index in range(1, len(self.frames)):
                value = "visible" if index in shown else "hidden"
                if value != values[-1]:
                    times.append(f"{(self.frames[index][0] - begin) / duration:.4f}")
                    values.append(value)
            yield (
                f'<g visibility="{values[0]}"><animate attributeName="visibility" '
                f'calcMode="discrete" dur="{duration:.2f}s" repeatCount="indefinite" '
                f'keyTimes="{";".join(times)}" values="{";".join(values)}"/>{drawn}</g>'
            )


def color(name, default):
    if name == "default":
        return default
    return NAMED.get(name) or NAMED.get(name.removeprefix("bright"), f"#{name}")


def draw(cells, row):
    """Runs of cells with the same look, as text on rectangles."""
    parts, column = [], 0
    while column < len(cells):
        look = cells[column][1:]
        end = column
        while end < len(cells) and cells[end][1:] == look:
            end += 1
        text = "".join(cell[0] for cell in cells[column:end])
        front, back, bold, underline = look
        if back != GROUND:
            parts.append(
                f'<rect x="{column * CELL:.2f}" y="{row * LINE}" '
                f'width="{(end - column) * CELL:.2f}" height="{LINE}" fill="{back}"/>'
            )
        parts += shapes(cells[column:end], column, row, front)
        text = SHAPES.sub(" ", text)
        for piece in re.finditer(r"[^ ]+(?: [^ ]+)*", text):
            start = column + len_cells(cells[column:end], piece.start())
            count = len_cells(cells[column:end], piece.end()) + column - start
            extra = ' font-weight="600"' if bold else ""
            extra += ' text-decoration="underline"' if underline else ""
            if count > 1:
                extra += f' textLength="{count * CELL:.2f}" lengthAdjust="spacingAndGlyphs"'
            parts.append(
                f'<text x="{start * CELL:.2f}" y="{row * LINE + 13.2:.1f}" fill="{front}"{extra} '
                f'xml:space="preserve">{html.escape(piece[0])}</text>'
            )
        column = end
    return "".join(parts)


# Lines and blocks, which a font would not draw without gaps: each line from the middle of a cell.
LINES = {
    "─": "M0 {m}H{w}", "┌": "M{w} {m}H{c}V{h}", "┐": "M0 {m}H{c}V{h}", "└": "M{w} {m}H{c}V0", "┘": "M0 {m}H{c}V0",
    "│": "M{c} 0V{h}", "┤": "M{c} 0V{h}M0 {m}H{c}", "├": "M{c} 0V{h}M{c} {m}H{w}",
    "╭": "M{w} {m}Q{c} {m} {c} {h}", "╮": "M0 {m}Q{c} {m} {c} {h}",
    "╰": "M{w} {m}Q{c} {m} {c} 0", "╯": "M0 {m}Q{c} {m} {c} 0",
}
UPWARD, RIGHTWARD = "▁▂▃▄▅▆▇█", "▏▎▍▌▋▊▉"
# How far on the right parts of a cell begin, how wide they are, and how high.
PARTS = {"▀": (0, 1, 0.5), "▐": (0.5, 0.5, 1), "▝": (0.5, 0.5, 0.5), "▘": (0, 0.5, 0.5)}
THICK = {"━": "M0 {m}H{w}", "╾": "M0 {m}H{c}"}
SHAPES = re.compile(f"[{''.join(LINES)}{UPWARD}{RIGHTWARD}{''.join(THICK)}{''.join(PARTS)}░\u2801-\u28ff]")


def shapes(cells, column, row, front):
    """Draws the lines and blocks of a run; equal neighbours are one shape."""
    index = 0
    while index < len(cells):
        character = cells[index][0]
        end = index + 1
        if not character or not SHAPES.fullmatch(character):
            index = end
            continue
        repeats = character in "─━█░▀▄"
        while repeats and end < len(cells) and cells[end][0] == character:
            end += 1
        left, top, width = (column + index) * CELL, row * LINE, (end - index) * CELL
        if character in LINES:
            path = LINES[character].format(c=CELL / 2, m=LINE / 2, w=round(width, 2), h=LINE)
            yield (
                f'<path transform="translate({left:.2f} {top})" d="{path}" fill="none" '
                f'stroke="{front}" stroke-width="1.1"/>'
            )
        elif character in THICK:
            path = THICK[character].format(c=CELL / 2, m=LINE / 2, w=round(width, 2))
            yield (
                f'<path transform="translate({left:.2f} {top})" d="{path}" fill="none" '
                f'stroke="{front}" stroke-width="3"/>'
            )
            if character == "╾":
                yield (
                    f'<path d="M{left + CELL / 2:.2f} {top + LINE / 2}h{CELL / 2:.2f}" fill="none" '
                    f'stroke="{front}" stroke-width="1.1"/>'
                )
        elif character in PARTS:
            right, wide, high = PARTS[character]
            yield (
                f'<rect x="{left + right * CELL:.2f}" y="{top}" width="{width * wide:.2f}" '
                f'height="{LINE * high:g}" fill="{front}"/>'
            )
        elif "\u2801" <= character <= "\u28ff":
            yield from dots(ord(character) - 0x2800, left, top, front)
        else:
            high = (UPWARD.index(character) + 1) / 8 if character in UPWARD else 1
            wide = (RIGHTWARD.index(character) + 1) / 8 if character in RIGHTWARD else 1
            faint = ' fill-opacity="0.25"' if character == "░" else ""
            yield (
                f'<rect x="{left:.2f}" y="{top + LINE * (1 - high):.2f}" width="{width * wide:.2f}" '
                f'height="{LINE * high:.2f}" fill="{front}"{faint}/>'
            )
        index = end


# The places of the dots of braille, in the order of their bits.
DOTS = [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2), (0, 3), (1, 3)]


def dots(bits, left, top, front):
    path = "".join(
        f"M{left + CELL * (0.27 + 0.46 * column):.2f} {top + LINE * (row + 0.5) / 4:.2f}h0"
        for index, (column, row) in enumerate(DOTS)
        if bits & 1 << index
    )
    yield f'<path d="{path}" stroke="{front}" stroke-width="2.4" stroke-linecap="round"/>'


def len_cells(cells, characters):
    """How many cells the first characters of a run take; the second half of a wide one is empty."""
    count = taken = 0
    for cell in cells:
        if taken >= characters and cell[0]:
            break
        taken += len(cell[0])
        count += 1
    return count
