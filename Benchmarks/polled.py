"""Scripts that are run each second, 200 of them on a screen that shows all: their cost, and how late they are."""

import contextlib
import shutil
from pathlib import Path

import terminal
from measure import Results, Session, idle
from programs import Page, Today
from Widgets.make_bundles import titles

SCRIPT = Path(__file__).parent / "Peers/block.sh"
# What notes its own starts, in hundredths of a second since the start of the machine.
NOTING = 'read now _ </proc/uptime\nprintf "%s\\n" "$now" >>"$HOME/starts/${0##*/}"\nprintf "%s\\n" "$now"\n'
# Seven columns of cards with three rows each.
SCREEN = (100, 420)


class Scripts(Today):
    """The page with scripts in its folder, and nothing else on it."""

    def __init__(self, today: Today, text: str | None) -> None:
        super().__init__(today.built, today.scratch, today.binary)
        self.text = text

    def arguments(self, page: Page) -> list[str]:
        return [str(self.binary)]

    def environment(self, page: Page) -> dict[str, str]:
        made = super().environment(page)
        folder = Path(made["XDG_CONFIG_HOME"]) / "today/scripts"
        if folder.exists():
            return made
        folder.mkdir(parents=True)
        Path(made["HOME"], "starts").mkdir()
        # The widgets of the program are not on a page that says which cards it has; scripts are.
        (folder.parent / "config.json").write_text('{ pages: [{ name: "Home", cards: [] }] }')
        for title in titles(page.count):
            script = folder / f"{title}.1s.sh"
            if self.text is None:
                shutil.copy2(SCRIPT, script)
            else:
                script.write_text("#!/bin/sh\n" + self.text)
                script.chmod(0o755)
        return made

    def words(self, page: Page) -> list[str]:
        return []


@contextlib.contextmanager
def large_screen():
    usual = terminal.ROWS, terminal.COLUMNS
    terminal.ROWS, terminal.COLUMNS = SCREEN
    try:
        yield
    finally:
        terminal.ROWS, terminal.COLUMNS = usual


def polled(results: Results, today: Today, seconds: float) -> None:
    """The cost of 200 scripts of a second, and the longest time from one start to the next."""
    with large_screen():
        page = Page(200, "polled")
        with Session(results, Scripts(today, None), page) as pty:
            pty.read_for(4)
            idle(results, today, pty, "200 polled", seconds)
        page = Page(200, "noted")
        program = Scripts(today, NOTING)
        with Session(results, program, page) as pty:
            pty.read_for(4 + seconds)
        starts = Path(program.environment(page)["HOME"], "starts")
        late, runs = 0.0, 0
        for file in starts.iterdir():
            times = [float(line) for line in file.read_text().split()]
            runs += len(times)
            late = max([late, *(later - earlier - 1 for earlier, later in zip(times[1:], times[2:]))])
        results.add(today, "polled late", late)
        results.add(today, "polled runs", runs / max(1.0, 4 + seconds))
