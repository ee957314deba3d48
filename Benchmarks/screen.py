"""The content of each cell of the terminal, and when it was written. It implements the parts of a
terminal that the measured programs use."""

import codecs
import re
from collections import defaultdict
from dataclasses import dataclass

from terminal import COLUMNS, ROWS

PIECE = re.compile(
    r"\x1b\[(?P<parameters>[0-?]*)[ -/]*(?P<final>[@-~])"
    r"|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b[P_][^\x1b]*\x1b\\|\x1b[()][0-9A-B]"
    r"|\x1b(?P<escape>[^\[\]()P_])"
    r"|(?P<control>[\x00-\x1a\x1c-\x1f\x7f])"
    r"|(?P<text>[^\x00-\x1f\x7f]+)"
)
TITLE = re.compile(r"Bench(\d+)")
COUNT = re.compile(r"count +\d+")


@dataclass(frozen=True)
class Write:
    """A run of cells that was written at once."""

    when: float
    row: int
    columns: range


class Screen:
    """Cells of one column each. Scrolled cells do not count as written."""

    def __init__(self) -> None:
        self.cells = [[" "] * COLUMNS for _ in range(ROWS)]
        self.row = self.column = 0
        self.saved, self.region = (0, 0), (0, ROWS)
        self.writes: list[Write] = []
        self.changes: dict[tuple[int, int], list[float]] = defaultdict(list)
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._rest = ""

    @staticmethod
    def of(reads: list[tuple[float, bytes]]) -> "Screen":
        """The screen after all of a terminal's reads."""
        screen = Screen()
        for when, data in reads:
            screen.feed(when, data)
        return screen

    def feed(self, when: float, data: bytes) -> None:
        text, at = self._rest + self._decoder.decode(data), 0
        while at < len(text) and (piece := PIECE.match(text, at)):
            at = piece.end()
            if piece["text"]:
                self._put(when, piece["text"])
            elif piece["control"]:
                self._control(piece["control"])
            elif piece["escape"]:
                self._escape(piece["escape"])
            elif piece["final"]:
                self._sequence(when, piece["parameters"], piece["final"])
        self._rest = text[at:]  # a sequence whose end has not been received yet

    def _put(self, when: float, text: str, moves: bool = True) -> None:
        row, first = self.row, min(self.column, COLUMNS - 1)
        text = text[: COLUMNS - first]
        for column, character in enumerate(text, first):
            if self.cells[row][column] != character:
                self.cells[row][column] = character
                self.changes[row, column].append(when)
        self.writes.append(Write(when, row, range(first, first + len(text))))
        if moves:
            self.column = first + len(text)

    def _control(self, control: str) -> None:
        if control == "\r":
            self.column = 0
        elif control == "\n" and self.row == self.region[1] - 1:
            self._scroll(self.region[0], 1)
        elif control == "\n":
            self.row = min(self.row + 1, ROWS - 1)
        elif control == "\b":
            self.column = max(min(self.column, COLUMNS - 1) - 1, 0)

    def _escape(self, letter: str) -> None:
        if letter == "7":
            self.saved = self.row, self.column
        elif letter == "8":
            self.row, self.column = self.saved
        elif letter == "M" and self.row == self.region[0]:
            self._scroll(self.row, -1)
        elif letter == "M":
            self.row = max(self.row - 1, 0)

    def _scroll(self, top: int, count: int) -> None:
        """Moves the rows from `top` to the end of the region up, or down if `count` is negative."""
        end = self.region[1]
        rows = self.cells[top:end]
        blank = [[" "] * COLUMNS for _ in range(min(abs(count), len(rows)))]
        kept = rows[count:] + blank if count > 0 else blank + rows[:count]
        self.cells[top:end] = kept[: end - top]

    def _sequence(self, when: float, parameters: str, final: str) -> None:
        if parameters[:1] in set("<=>?"):
            return
        numbers = [int(number or 0) for number in parameters.replace(":", ";").split(";")]
        count = max(numbers[0], 1)
        if final in "Hf":
            column = numbers[1] if len(numbers) > 1 else 1
            self.row, self.column = count - 1, max(column, 1) - 1
        elif final in "G`":
            self.column = count - 1
        elif final == "d":
            self.row = count - 1
        elif final in "AB":
            self.row += count if final == "B" else -count
        elif final in "CD":
            self.column += count if final == "C" else -count
        elif final in "ST":
            self._scroll(self.region[0], count if final == "S" else -count)
        elif final in "LM":
            self._scroll(self.row, count if final == "M" else -count)
        elif final == "r":
            end = numbers[1] if len(numbers) > 1 else ROWS
            self.region, self.row, self.column = (count - 1, end or ROWS), 0, 0
        elif final == "b":
            last = self.cells[self.row][max(min(self.column, COLUMNS) - 1, 0)]
            self._put(when, last * count)
        elif final == "X":
            self._put(when, " " * count, moves=False)
        elif final == "K":
            self._erase(when, self.row, numbers[0])
        elif final == "J":
            below, above = range(self.row + 1, ROWS), range(self.row)
            whole = {0: below, 1: above}.get(numbers[0], range(ROWS))
            for row in whole:
                self._erase(when, row, 2)
            if numbers[0] < 2:
                self._erase(when, self.row, numbers[0])
        self.row = max(0, min(self.row, ROWS - 1))
        self.column = max(0, min(self.column, COLUMNS))

    def _erase(self, when: float, row: int, part: int) -> None:
        """Part 0 is right of the cursor, 1 left of it, 2 the whole row."""
        kept = self.row, self.column
        first = self.column if part == 0 else 0
        end = self.column + 1 if part == 1 else COLUMNS
        self.row, self.column = row, first
        self._put(when, " " * (end - first))
        self.row, self.column = kept

    def found(self, pattern: re.Pattern[str]) -> list[tuple[int, re.Match[str]]]:
        """The positions of a pattern, from the top."""
        lines = enumerate("".join(line) for line in self.cells)
        return [(row, match) for row, line in lines for match in pattern.finditer(line)]

    def counters(self) -> list[tuple[int, int, int]]:
        """The counters of the cards on the screen: row, column of the last digit, and value."""
        return [
            (row, match.end() - 1, int(match[0].split()[1])) for row, match in self.found(COUNT)
        ]

    def title_writes(self) -> list[float]:
        """When any card's title was written."""
        titles = [(row, range(*match.span())) for row, match in self.found(TITLE)]
        return [
            write.when
            for write in self.writes
            if any(
                write.row == row and write.columns.start < columns.stop
                and columns.start < write.columns.stop
                for row, columns in titles
            )
        ]
