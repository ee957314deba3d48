"""Compiles the programs in C that load a library of the system."""

import subprocess
from pathlib import Path

SOURCES = Path(__file__).resolve().parents[2] / "Sources"


def compile_agent(name, program, *more, only="*.c"):
    """Compiles a target with what all of them share; `only` some of its files, and `more` files."""
    folders = SOURCES / name, SOURCES / "CAgent"
    files = [*folders[0].glob(only), *folders[1].glob("*.c")]
    options = ["-std=gnu17", "-D_GNU_SOURCE", "-Wall", "-Wextra", "-Werror", "-O1"]
    options += [f"-I{folders[0]}", f"-I{folders[1] / 'include'}"]
    subprocess.run(["cc", *options, *more, *sorted(map(str, files)), "-o", program, "-ldl"], check=True)
