"""The programs that are measured, each with its command line and its keys."""

import json
import os
import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from processes import executable, family, read
from Widgets.make_bundles import make_bundles, titles

SCRIPT = Path(__file__).parent / "Widgets/widget.bash"


@dataclass(frozen=True)
class Page:
    """A page of cards; the mode is that of the widgets (`push`, `rest`, `due`, `more` or `bash`)."""

    count: int
    mode: str
    tiles: bool = False

    @property
    def feeds(self) -> list[str]:
        """The arguments of the pushers of the floor and of Textual."""
        return [] if self.mode == "push" else ["rest"]


class Program:
    """One of the programs, with the keys that move its focus to the next card and back."""

    name = ""
    next_key, previous_key, quit_key = b"j", b"k", b"q"
    resize_key: bytes | None = b"m"

    def __init__(self, built: Path, scratch: Path) -> None:
        self.built, self.scratch = built, scratch
        self.visible: dict[Page, list[str]] = {}

    def missing(self) -> str | None:
        """Why it cannot be measured here, or None."""
        return None

    def arguments(self, page: Page) -> list[str]:
        raise NotImplementedError

    def environment(self, page: Page) -> dict[str, str]:
        """An environment for the test: home and all XDG folders are in the scratch folder, one for each
        page."""
        kind = "-tiles" if page.tiles else ""
        world = self.scratch / f"{self.name}-{page.count}-{page.mode}{kind}"
        made = {
            "PATH": os.environ.get("PATH", "/usr/bin:/bin"),
            "TERM": "xterm-256color",
            "LANG": "C.UTF-8",
            "HOME": str(world),
        }
        for kind in ("CONFIG_HOME", "STATE_HOME", "CACHE_HOME", "DATA_HOME", "RUNTIME_DIR"):
            folder = world / kind.lower()
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            made[f"XDG_{kind}"] = str(folder)
        return made

    def words(self, page: Page) -> list[str]:
        """The words that the complete first picture contains; of many cards, those at the top."""
        return self.visible.get(page, titles(page.count))[:16]

    def prepare(self, page: Page) -> None:
        """Prepares the state of a page that has been in use for a long time."""

    def feeder(self, host: int, number: int) -> int | None:
        """The process that supplies the card with a number."""
        return None


class Today(Program):
    name = "today"
    resize_key = b"\r"

    def environment(self, page: Page) -> dict[str, str]:
        made = super().environment(page)
        settings = Path(made["XDG_CONFIG_HOME"]) / "today" / "config.json"
        settings.parent.mkdir(exist_ok=True)
        settings.write_text(json.dumps({"tiles": page.tiles}))
        return made

    def __init__(self, built: Path, scratch: Path, binary: Path) -> None:
        super().__init__(built, scratch)
        self.binary = binary

    def missing(self) -> str | None:
        if os.access(self.binary, os.X_OK):
            return None
        return f"no program at {self.binary}; build it or name it in TODAY_BINARY"

    def arguments(self, page: Page) -> list[str]:
        folder = self.scratch / f"widgets-{page.count}-{page.mode}"
        source = SCRIPT if page.mode == "bash" else self.built / "widget"
        widget = self.scratch / source.name
        if not widget.exists():
            shutil.copy2(source, widget)
        if not folder.exists():
            make_bundles(folder, widget, page.count, page.mode)
        return [str(self.binary), "--widgets", str(folder)]

    def prepare(self, page: Page) -> None:
        # Every widget has been updated once; a new page updates widgets off the screen one by one.
        arguments = self.arguments(page)
        arguments[1:1] = ["refresh", "--timeout", "60"]
        subprocess.run(
            arguments, env=self.environment(page), check=False,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )

    def feeder(self, host: int, number: int) -> int | None:
        bundle = re.compile(rf"/Bench0*{number}\.widget/")
        found = (pid for pid in family(host)[1:] if bundle.search(executable(pid)))
        return next(found, None)


class Floor(Program):
    name = "F"

    def arguments(self, page: Page) -> list[str]:
        return [str(self.built / "floor"), str(page.count), str(self.built / "pusher"), *page.feeds]

    def feeder(self, host: int, number: int) -> int | None:
        found = (pid for pid in family(host)[1:] if f"\0{number}\0" in read(f"/proc/{pid}/cmdline"))
        return next(found, None)


class Htop(Program):
    name = "htop"
    next_key, previous_key = b"\x1bOB", b"\x1bOA"
    resize_key = None

    def missing(self) -> str | None:
        return None if shutil.which("htop") else "not installed"

    def arguments(self, page: Page) -> list[str]:
        return [shutil.which("htop") or "htop", "-d10"]

    def words(self, page: Page) -> list[str]:
        return ["Load average", "PID", "Quit"]


class Textual(Program):
    name = "Textual"

    @property
    def python(self) -> Path:
        return self.built / "venv/bin/python"

    def missing(self) -> str | None:
        found = list(self.built.glob("venv/lib/python*/site-packages/textual"))
        return None if found else "pip could not bring it"

    def arguments(self, page: Page) -> list[str]:
        script = Path(__file__).parent / "Peers/textual_cards.py"
        pusher = str(self.built / "pusher")
        return [str(self.python), str(script), str(page.count), pusher, *page.feeds]

    def words(self, page: Page) -> list[str]:
        return titles(page.count) if page.count <= 16 else []


class I3blocks(Program):
    """A bar that starts a script each second for every block that is due."""

    name = "i3blocks"
    resize_key, quit_key = None, b"\x03"

    def missing(self) -> str | None:
        return None if shutil.which("i3blocks") else "not installed"

    def arguments(self, page: Page) -> list[str]:
        blocks = self.scratch / f"i3blocks-{page.count}.conf"
        script = Path(__file__).parent / "Peers/block.sh"
        blocks.write_text(f"command={script}\ninterval=1\n\n" + "".join(
            f"[{title}]\n" for title in titles(page.count)
        ))
        return [shutil.which("i3blocks") or "i3blocks", "-c", str(blocks)]

    def words(self, page: Page) -> list[str]:
        return []
