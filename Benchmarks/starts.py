"""Starts of widgets, in the sandbox, with a network of their own in it, and without it: from `initialize` to its answer, as the trace has them."""

import json
import shutil
import subprocess
from pathlib import Path

from measure import Results
from programs import Page, Today

PAGES = (Page(1, "rest"), Page(40, "rest"))
CHOICES = {"auto": "sandboxed", "off": "plain"}
NETWORK = "{ \"com.apple.security.network.client\" = YES; }"


def starts(results: Results, program: Today, rounds: int) -> None:
    """One widget, and 40 at once; alternately in both ways, as the state of the machine matters."""
    for page in PAGES:
        for _ in range(rounds):
            times = {}
            for choice, word in CHOICES.items():
                times[choice] = start(program, page, choice)
                results.add(program, f"{page.count} {word} start", times[choice])
            if (on := times["auto"]) is not None and (off := times["off"]) is not None:
                results.add(program, f"{page.count} sandbox", on - off)
            if shutil.which("slirp4netns"):
                own = start(program, page, "auto", has_network=True)
                if own is not None and on is not None:
                    results.add(program, f"{page.count} network", own - on)


def entitled(folder: Path) -> Path:
    """A copy of a folder of bundles that request the network."""
    copy = folder.with_name(f"{folder.name}-network")
    if not copy.exists():
        shutil.copytree(folder, copy, symlinks=True)
        for bundle in copy.iterdir():
            (bundle / "Entitlements.plist").write_text(NETWORK)
    return copy


def start(program: Today, page: Page, choice: str, has_network: bool = False) -> float | None:
    """Milliseconds from the first request to the last answer; None if one is missing."""
    environment = program.environment(page)
    (folder := program.scratch / f"config-{choice}" / "today").mkdir(parents=True, exist_ok=True)
    (folder / "config.json").write_text(json.dumps({"sandbox": choice}))
    environment["XDG_CONFIG_HOME"] = str(folder.parent)
    trace = program.scratch / "starts.trace"
    trace.unlink(missing_ok=True)
    arguments = program.arguments(page)
    if has_network:
        arguments[-1] = str(entitled(Path(arguments[-1])))
    arguments[1:1] = ["snapshot", "--trace", str(trace)]
    subprocess.run(
        arguments, env=environment, check=False, timeout=60,
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )
    return answered(trace.read_text().splitlines(), page.count)


def answered(lines: list[str], count: int) -> float | None:
    """The time in a trace from the first request to the answers of so many widgets."""
    asked: list[float] = []
    answers: dict[str, float] = {}
    for line in lines:
        entry = json.loads(line)
        if "message" not in entry:  # The first line, and what happened on the page.
            continue
        message, widget = entry["message"], entry["widget"]
        if entry["direction"] == "to" and message.get("method") == "initialize":
            asked.append(entry["t"])
        elif entry["direction"] == "from" and isinstance(message, dict) and "result" in message:
            answers.setdefault(widget, entry["t"])
    return (max(answers.values()) - min(asked)) * 1000 if len(answers) == count else None
