"""The table: medians beside the goals, ratios where a goal is one."""

import math
import statistics
from collections.abc import Callable
from dataclasses import dataclass

from measure import Results

PEERS = ["today", "F", "htop", "Textual"]


def median(values: list[float]) -> float | None:
    return statistics.median(values) if values else None


def percentile_95(values: list[float]) -> float | None:
    """The nearest-rank 95th percentile."""
    return sorted(values)[math.ceil(0.95 * len(values)) - 1] if values else None


@dataclass
class Row:
    """A figure of the table; `limits` are pairs of a peer (or none) and what it must not exceed."""

    goal: str
    title: str
    figure: str
    limits: list[tuple[str, float]]
    digits: int = 1
    reduce: Callable[[list[float]], float | None] = median


ROWS = [
    Row("1", "first picture, 16 cards, ms", "first picture", [("F", 4), ("htop", 0.15)]),
    Row("2", "idle CPU of the tree, %", "idle tree CPU", [("htop", 1.2), ("Textual", 0.1)], 2),
    Row("2", "idle CPU of the host, %", "idle host CPU", [("F", 3)], 2),
    Row("", "idle wake-ups of the tree, /s", "idle tree wake-ups", []),
    Row("", "idle wake-ups of the host, /s", "idle host wake-ups", []),
    Row("3", "at rest: wake-ups of the tree, /s", "rest tree wake-ups", [("", 1)]),
    Row("3", "at rest: bytes, /s", "rest bytes", [("", 0)]),
    Row("", "at rest: CPU of the tree, %", "rest tree CPU", [], 3),
    Row("", "key to screen p50, ms", "key", [], 2),
    Row("4", "key to screen p95, ms", "key", [("F", 2), ("htop", 1)], 2, percentile_95),
    Row("5", "bytes a tick, 16 cards", "idle bytes", [("F", 1.5), ("Textual", 0.05)], 0),
    Row("6", "resize: bytes", "resize bytes", [("F", 2), ("Textual", 0.2)], 0),
    Row("6", "resize: CPU of the host, ms", "resize CPU", [("Textual", 0.2)]),
    Row("6", "resize: largest gap, ms", "resize gap", [("", 33)]),
    Row("", "resize: frames", "resize frames", [], 0),
    Row("9", "memory of the host, MB", "memory", [("empty", 1.5)]),
    Row("9", "memory a widget more, KiB", "memory a widget", [("", 32)]),
    Row("", "quitting, ms", "quit", []),
]


def number(value: float | None, digits: int) -> str:
    return "–" if value is None else f"{value:.{digits}f}"


def verdict(row: Row, value: float | None, peers: dict[str, float | None]) -> str:
    """Each limit of a row as the ratio, the goal, and the word for it."""
    parts = []
    for peer, limit in row.limits:
        goal = f"(goal ≤ {limit:g})"
        base = peers.get(peer) if peer else 1.0
        if value is None or base is None:
            parts.append(f"{peer} {goal} not measured".lstrip())
            continue
        ratio = value / base if base else (0.0 if value == 0 else float("inf"))
        # A figure is compared as it is printed: 1.04 at one digit is 1.0.
        said = "met" if round(ratio, 2) <= limit else "missed"
        parts.append(f"{ratio:.2f} {peer} {goal} {said}" if peer else f"{goal} {said}")
    return "; ".join(parts)


def derive(results: Results) -> None:
    """What is computed from two figures: the memory of each widget more."""
    for name in PEERS:
        few, many = (median(results.samples[name, key]) for key in ("memory", "memory of 200"))
        if few is not None and many is not None:
            results.samples[name, "memory a widget"] = [(many - few) * 1024 / (200 - 16)]


def table(results: Results, empty_mib: float | None) -> str:
    derive(results)
    lines = [["goal", "figure (median)", *PEERS, "today against the goal"]]
    for row in ROWS:
        values = {name: row.reduce(results.samples[name, row.figure]) for name in PEERS}
        against = verdict(row, values["today"], {**values, "empty": empty_mib})
        cells = [number(values[name], row.digits) for name in PEERS]
        lines.append([row.goal, row.title, *cells, against])
    inside = {name: results.samples[name, "resize inside 2026"] for name in PEERS}
    words = ["–" if not inside[name] else "yes" if all(inside[name]) else "no" for name in PEERS]
    said = {"yes": "met", "no": "missed"}.get(words[0], "not measured")
    lines.insert(-3, ["6", "resize: frames inside mode 2026", *words, f"(goal yes) {said}"])
    widths = [max(len(line[column]) for line in lines) for column in range(len(PEERS) + 2)]
    printed = []
    for line in lines:
        cells = [line[0].ljust(widths[0]), line[1].ljust(widths[1])]
        cells += [line[at].rjust(widths[at]) for at in range(2, len(widths))]
        printed.append("  ".join([*cells, line[-1]]).rstrip())
    empty = number(empty_mib, 1)
    printed += ["", f"empty static Swift program with FoundationEssentials: {empty} MB"]
    return "\n".join(printed + results.notes)
