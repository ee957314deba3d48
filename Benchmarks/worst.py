"""The most expensive views within the limits: how long the product is busy with each of them."""

import subprocess
from pathlib import Path

from measure import Results
from programs import Today

LIMIT = 20


def worst(results: Results, program: Today, costliest: Path) -> None:
    """Milliseconds for each view, as `costliest` measures them: decoding, layout and drawing; the slowest ones are
    noted. It has the parts of the product that do this, from the same sources."""
    run = subprocess.run([str(costliest)], capture_output=True, text=True, check=False)
    rows = []
    for line in run.stdout.splitlines()[1:]:
        parts = line.split(" ", 8)
        rows.append((*(float(part) for part in parts[:4]), parts[8]))
    if run.returncode != 0 or not rows:
        program_said = run.stderr.strip() or f"exit {run.returncode}"
        results.note(program, f"the costliest views could not be measured: {program_said}")
        return
    rows.sort(reverse=True)
    results.add(program, "worst view", rows[0][0])
    results.add(program, "worst on screen", max(row[2] + row[3] for row in rows))
    results.add(program, "worst views past", sum(row[0] > LIMIT for row in rows))
    for total, decode, layout, draw, name in rows[:5]:
        results.note(
            program,
            f"{name}: {total:.1f} ms (decode {decode:.1f}, layout {layout:.1f}, draw {draw:.1f})",
        )
