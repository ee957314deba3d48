"""Builds the programs that are measured besides the product, in `.build/bench`."""

import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
C_FLAGS = ["-std=gnu17", "-D_GNU_SOURCE", "-O2", "-Wall", "-Wextra", "-Werror"]


def is_fresh(product: Path, *sources: Path) -> bool:
    return product.exists() and all(
        source.stat().st_mtime <= product.stat().st_mtime for source in sources
    )


def build_c(built: Path) -> None:
    for source, libraries in {
        "Floor/floor.c": ["-lncursesw", "-ltinfo"],
        "Floor/pusher.c": [],
        "Widgets/widget.c": [],
        "Widgets/chaos.c": [],
    }.items():
        product = built / Path(source).stem
        if not is_fresh(product, HERE / source, *HERE.glob("Widgets/*.h")):
            subprocess.run(
                ["cc", *C_FLAGS, str(HERE / source), "-o", str(product), *libraries], check=True
            )


def build_empty(built: Path) -> Path | None:
    """The empty Swift program, if there is a compiler."""
    source, product = HERE / "Peers/Empty.swift", built / "empty"
    if is_fresh(product, source):
        return product
    if not shutil.which("swiftc"):
        return None
    command = ["swiftc", "-O", "-static-stdlib", str(source), "-o", str(product)]
    return product if subprocess.run(command, cwd=built, check=False).returncode == 0 else None


def build_views() -> Path:
    """The program that measures the costliest views, built as the product is."""
    command = [str(HERE.parent / "Scripts/build"), "release", "CostliestViews"]
    subprocess.run(command, stdout=sys.stderr, check=True)
    return HERE.parent / ".build/release/CostliestViews"


def install_textual(built: Path) -> None:
    """Installs Textual in a virtual environment, once; without it, its column stays empty."""
    environment = built / "venv"
    if list(environment.glob("lib/python*/site-packages/textual")):
        return
    steps = [
        [sys.executable, "-m", "venv", str(environment)],
        [str(environment / "bin/pip"), "install", "--quiet", "--disable-pip-version-check",
         "--retries", "1", "--timeout", "10", "textual"],
    ]
    for step in steps:
        try:
            if subprocess.run(step, check=False, timeout=90, capture_output=True).returncode != 0:
                return
        except (OSError, subprocess.TimeoutExpired):
            return
