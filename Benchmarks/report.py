"""The tables: medians and goals, ratios for goals that are ratios, and how the figures grow."""

from crowd import COUNTS
from measure import Results
from rows import ROWS, Row, median

PEERS = ["today", "F", "htop", "Textual"]
GROWING = PEERS[:2]
# Names in goals that have no column of their own.
OTHERS = ["i3blocks", "spawned bash", "empty"]
BESIDE = [
    ("empty", "memory", 1, "empty static Swift program with FoundationEssentials: # MB"),
    ("spawned bash", "refresh bash tree CPU", 0, "bash, started for one refresh: # µs of CPU"),
    ("i3blocks", "200 tree CPU", 1, "i3blocks with 200 scripts a second: # % of a core"),
    ("today", "flood offered", 0, "flood where nobody pushes back: # MB/s (at least 100)"),
]


def number(value: float | None, digits: int) -> str:
    return "–" if value is None else f"{value:.{digits}f}"


def peers_of(results: Results, row: Row) -> dict[str, float | None]:
    """The figures of all peers that a limit of the row can name."""
    named = {name: row.reduce(results.samples[name, row.figure]) for name in [*PEERS, *OTHERS]}
    return {**named, "its own": row.reduce(results.samples["today", row.own])}


def verdict(row: Row, value: float | None, peers: dict[str, float | None]) -> str:
    """Each limit of a row as the ratio, the goal, and the word for the result."""
    parts = []
    for peer, limit in row.limits:
        goal = f"(goal ≤ {limit:g})"
        base = peers.get(peer) if peer else 1.0
        if value is None or base is None:
            parts.append(f"{peer} {goal} not measured".lstrip())
            continue
        ratio = value / base if base else (0.0 if value == 0 else float("inf"))
        # A figure is compared as it is printed: with one digit, 1.04 is 1.0.
        said = "met" if round(ratio, 2) <= limit else "missed"
        parts.append(f"{ratio:.2f} {peer} {goal} {said}" if peer else f"{goal} {said}")
    return "; ".join(parts)


def derive(results: Results) -> None:
    """Figures that come from others: the memory of each additional widget, what i3blocks takes for the scripts
    of a second, which are all that it has, and the first picture of the floor, which has no list."""
    blocks = results.samples["i3blocks", "200 tree CPU"]
    results.samples["i3blocks", "200 polled tree CPU"] = blocks
    results.samples["F", "list of 10"] = results.samples["F", "first picture"]
    for name in PEERS:
        few, many = (median(results.samples[name, key]) for key in ("memory", "200 memory"))
        if few is not None and many is not None:
            results.samples[name, "memory a widget"] = [(many - few) * 1024 / (200 - 16)]


def table(results: Results) -> str:
    derive(results)
    lines = [["goal", "figure (median)", *PEERS, "today against the goal"]]
    for row in ROWS:
        values = peers_of(results, row)
        against = verdict(row, values["today"], values)
        cells = [number(values[name], row.digits) for name in PEERS]
        lines.append([row.goal, row.title, *cells, against])
    inside = {name: results.samples[name, "resize inside 2026"] for name in PEERS}
    words = ["–" if not inside[name] else "yes" if all(inside[name]) else "no" for name in PEERS]
    said = {"yes": "met", "no": "missed"}.get(words[0], "not measured")
    at = 1 + max(index for index, line in enumerate(lines) if line[1].startswith("resize"))
    lines.insert(at, ["6", "resize: frames inside mode 2026", *words, f"(goal yes) {said}"])
    printed = [*aligned(lines, 2, len(PEERS) + 2), "", *aligned(growth(results), 1, 7), ""]
    for name, figure, digits, title in BESIDE:
        value = median(results.samples[name, figure])
        printed.append(title.replace("#", number(value, digits)))
    return "\n".join(printed + results.notes)


def growth(results: Results) -> list[list[str]]:
    """Start, idle CPU and memory of the hosts for increasing numbers of widgets."""
    figures = [
        ("first picture", 1, "first picture, ms"),
        ("host CPU", 2, "idle CPU of the host, %"),
        ("memory", 1, "memory of the host, MB"),
    ]
    lines = [["widgets", *(f"{name}: {title}" for _, _, title in figures for name in GROWING)]]
    for count, prefix in {16: "", **{count: f"{count} " for count in COUNTS}}.items():
        cells = [f"{count:,}"]
        for figure, digits, _ in figures:
            key = "idle host CPU" if figure == "host CPU" and not prefix else prefix + figure
            cells += [number(median(results.samples[name, key]), digits) for name in GROWING]
        lines.append(cells)
    return lines


def aligned(lines: list[list[str]], words: int, end: int) -> list[str]:
    """Lines with aligned columns: `words` to the left, then numbers, then text."""
    widths = [max(len(line[column]) for line in lines) for column in range(end)]
    printed = []
    for line in lines:
        cells = [line[at].ljust(widths[at]) for at in range(words)]
        cells += [line[at].rjust(widths[at]) for at in range(words, end)]
        printed.append("  ".join([*cells, *line[end:]]).rstrip())
    return printed
