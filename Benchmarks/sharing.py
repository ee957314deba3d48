"""The list of `today share`: its first picture, and keys where 500 extensions are to be searched."""

from pathlib import Path

from measure import LIVE, Results
from programs import Today
from terminal import Ended, Terminal

# Of the extensions that accept the content, in both lists.
COUNTS = (10, 500)
SCRIPT = '#!/bin/sh\n# today: action accepts="public.plain-text" title="Action {number} of many"\nexec cat\n'
TYPED = "action 4 many"
LIMIT = 5


def home(program: Today, count: int) -> Path:
    """A folder of configuration with so many scripts for content."""
    folder = program.scratch / f"sharing-{count}"
    scripts = folder / "today" / "scripts"
    if not scripts.exists():
        scripts.mkdir(parents=True)
        for number in range(count):
            script = scripts / f"action-{number}.sh"
            script.write_text(SCRIPT.format(number=number))
            script.chmod(0o755)
        (folder / "note.txt").write_text("A note that is shared.\n")
    return folder


def sharing(results: Results, program: Today, rounds: int) -> None:
    """Opens the list, types, and leaves it, with few and with many extensions."""
    for count in COUNTS:
        folder = home(program, count)
        environment = program.environment(LIVE) | {"XDG_CONFIG_HOME": str(folder)}
        for number in range(rounds + 1):
            terminal = Terminal([str(program.binary), "share", str(folder / "note.txt")], environment)
            try:
                seconds = terminal.wait_for(["type to filter"], LIMIT)
                terminal.read_for(0.1)
                keys = [terminal.first_byte_after(key.encode(), LIMIT) for key in TYPED]
            except Ended as error:
                results.note(program, f"{error}; it said: {terminal.text()[-120:]!r}")
                return
            finally:
                terminal.quit(b"\x1b")
            # The first round brings the files into memory.
            if number and seconds is not None:
                results.add(program, f"list of {count}", seconds * 1000)
                results.add(program, f"key in {count}", *[key and key * 1000 for key in keys])
