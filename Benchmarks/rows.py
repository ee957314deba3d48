"""The figures of the table and their goals."""

import math
import statistics
from collections.abc import Callable
from dataclasses import dataclass


def median(values: list[float]) -> float | None:
    return statistics.median(values) if values else None


def percentile_95(values: list[float]) -> float | None:
    """The nearest-rank 95th percentile."""
    return sorted(values)[math.ceil(0.95 * len(values)) - 1] if values else None


def largest(values: list[float]) -> float | None:
    return max(values, default=None)


@dataclass
class Row:
    """A figure of the table; `limits` are pairs of a peer (or none) and the largest allowed value.

    The peer called "its own" is the product in the figure `own`.
    """

    goal: str
    title: str
    figure: str
    limits: list[tuple[str, float]]
    digits: int = 1
    reduce: Callable[[list[float]], float | None] = median
    own: str = ""


ROWS = [
    Row("1", "first picture, 16 cards, ms", "first picture", [("F", 3), ("htop", 0.1)]),
    Row("2", "idle CPU of the tree, %", "idle tree CPU", [("htop", 0.8), ("Textual", 0.1)], 2),
    Row("2", "idle CPU of the host, %", "idle host CPU", [("F", 2)], 2),
    Row("", "idle wake-ups of the tree, /s", "idle tree wake-ups", []),
    Row("", "idle wake-ups of the host, /s", "idle host wake-ups", []),
    Row("3", "at rest: wake-ups of the tree, /s", "rest tree wake-ups", [("", 0.1)], 2),
    Row("3", "at rest: bytes, /s", "rest bytes", [("", 0)]),
    Row("", "at rest: CPU of the tree, %", "rest tree CPU", [], 3),
    Row("", "key to screen p50, ms", "key", [], 2),
    Row("4", "key to screen p95, ms", "key", [("F", 1), ("htop", 0.3)], 2, percentile_95),
    Row("5", "bytes a tick, 16 cards", "idle bytes", [("F", 0.9), ("Textual", 0.02)], 0),
    Row("6", "resize: bytes for each of the characters that change", "resize bytes a change",
        [("", 1.3)], 2),
    Row("6", "resize: bytes", "resize bytes", [("Textual", 0.1)], 0),
    Row("6", "resize: CPU of the host, ms", "resize CPU", [("Textual", 0.05)]),
    Row("6", "resize: largest gap, ms", "resize gap", [("", 20)]),
    Row("", "resize: frames", "resize frames", [], 0),
    Row("7", "a refresh: CPU of the host, µs", "refresh due host CPU", [("F", 5)], 0),
    Row("7", "a refresh in bash: CPU of the tree, µs", "refresh bash tree CPU",
        [("spawned bash", 0.3)], 0),
    Row("8", "200: CPU of the tree, %", "200 tree CPU", [("F", 0.5), ("i3blocks", 0.02)], 2),
    Row("8", "200: key to screen p95, ms", "200 key", [("F", 2)], 2, percentile_95),
    Row("8", "200: bytes a tick and visible card", "200 bytes a card", [("its own", 1)], 1,
        own="idle bytes a card"),
    Row("8", "200: first picture, ms", "200 first picture", [("its own", 1.5)],
        own="first picture"),
    Row("8", "200 never seen before: CPU of the tree in the first minute, s", "200 first minute",
        [("F", 3)], 2),
    Row("", "200 in tiles: CPU of the tree, %", "200 tiles tree CPU", [], 2),
    Row("", "200: CPU of the host while the wheel turns, %", "200 scroll CPU", [("", 30)]),
    Row("", "CPU of the host while a card is always moving, %", "motion CPU", []),
    Row("9", "memory of the host, MB", "memory", [("empty", 1.4)]),
    Row("9", "memory a widget more, KiB", "memory a widget", [("", 8)]),
    Row("", "calm: key seen p95, ms", "calm key", [], 2, percentile_95),
    Row("10", "flood: key seen p95, ms", "flood key", [("its own", 1.2)], 2, percentile_95,
        own="calm key"),
    Row("", "calm: longest pause of a card, s", "calm gap", [], 2, largest),
    Row("10", "flood: longest pause of a card, s", "flood gap", [("", 1.05)], 2, largest),
    Row("10", "flood: CPU of the host, %", "flood host CPU", [("F", 0.1)], 2),
    Row("10", "flood: memory of the host more, MB", "flood memory", [("", 1)], 1, largest),
    Row("10", "flood: quitting, ms", "flood quit", [("F", 5)]),
    Row("", "before the notices: key seen p95, ms", "notices calm key", [], 2, percentile_95),
    Row("", "1,000 notices a second: key seen p95, ms", "notices key", [("its own", 1.2)], 2,
        percentile_95, own="notices calm key"),
    Row("", "1,000 notices a second: pictures, /s", "notices draws", [("", 10)], 1, largest),
    Row("", "1,000 notices a second: CPU of the host, %", "notices host CPU", [], 1),
    Row("", "1,000 notices a second: posted, /s", "notices posted", [], 0),
    Row("", "1,000 notices a second: lost", "notices lost", [("", 0)], 0, largest),
    Row("11", "1,000: first picture, ms", "1000 first picture", [("its own", 2)],
        own="first picture"),
    Row("11", "1,000: CPU of the tree, %", "1000 tree CPU", [("", 1)], 2),
    Row("11", "1,000: key to screen p95, ms", "1000 key", [("", 2)], 2, percentile_95),
    Row("12", "200 scripts a second: CPU of the tree, %", "200 polled tree CPU",
        [("i3blocks", 0.7)], 1),
    Row("", "200 scripts a second: CPU of the host, %", "200 polled host CPU", [], 1),
    Row("12", "200 scripts a second: the latest start, s", "polled late", [("", 0.1)], 2, largest),
    Row("", "200 scripts a second: starts, /s", "polled runs", [], 0),
    Row("13", "quitting, ms", "quit", [("F", 5)]),
    Row("", "costliest view: decode, layout, draw, ms", "worst view", [("", 20)]),
    Row("", "costliest view: layout and draw, ms", "worst on screen", [("", 20)]),
    Row("", "views past 20 ms", "worst views past", [], 0),
    Row("", "a picture of 20 rows: from the start to its characters, ms", "picture", [], 0),
    Row("", "12 such pictures: CPU of the host for a turn of the wheel, ms", "picture scroll", []),
    Row("", "share: the list of 10 extensions, ms", "list of 10", [("F", 3)]),
    Row("", "share: the list of 500 extensions, ms", "list of 500", []),
    Row("", "share: a key in the list of 500, p95, ms", "key in 500", [("", 5)], 2, percentile_95),
    Row("", "start of a widget without the sandbox, ms", "1 plain start", []),
    Row("", "start of a widget: more in the sandbox, ms", "1 sandbox", [("", 10)]),
    Row("", "start of a widget: more with a network of its own, ms", "1 network", []),
    Row("", "40 widgets at once: more with networks of their own, ms", "40 network", [], 0),
    Row("", "40 widgets at once in the sandbox, ms", "40 sandboxed start", [("", 200)], 0),
    Row("", "40 widgets at once without it, ms", "40 plain start", [], 0),
]
