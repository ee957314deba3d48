"""The examples in the documentation, as a reader copies them."""

import re
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGES = ["README.md", *sorted(str(path.relative_to(ROOT)) for path in (ROOT / "Docs").rglob("*.md"))]


@dataclass
class Block:
    """A block of a page; `path` is the file that it is, if the words before it name one."""

    page: str
    line: int
    language: str
    text: str
    path: str

    @property
    def name(self):
        """Its page and its first line that is no comment, by which exceptions name it."""
        lines = [line for line in self.text.splitlines() if line.strip() and not line.startswith(("#!", "//"))]
        return f"{self.page}: {lines[0].strip()}" if lines else f"{self.page}:{self.line}"


def blocks(page):
    lines = (ROOT / page).read_text().splitlines()
    found, start, paragraph = [], None, []
    for number, line in enumerate(lines):
        if start is None and line.startswith("```"):
            start = number
        elif start is not None and line == "```":
            text = "\n".join(lines[start + 1 : number]) + "\n"
            found.append(Block(page, start + 1, lines[start][3:], text, file_name(" ".join(paragraph))))
            start, paragraph = None, []
        elif start is None and line.strip():
            # A line after a blank one begins another paragraph.
            if number and not lines[number - 1].strip():
                paragraph = []
            paragraph.append(line)
    return found


def file_name(paragraph):
    """The file that a paragraph introduces: the last path in it, if it ends with a colon."""
    paths = re.findall(r"`([\w.-]+(?:/[\w.-]+)+)`", paragraph) if paragraph.endswith(":") else []
    return paths[-1] if paths else ""
