"""The built program, in a home folder of its own."""

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

from pages import ROOT

PROGRAM = Path(os.environ.get("TODAY_BINARY") or ROOT / ".build/stage-debug/bin/today")
STAGE = PROGRAM.parent.parent
# Where the library was built that the examples in Swift are compiled with.
BUILD = Path(os.environ.get("TODAY_BUILD") or ROOT / ".build/debug")

# In place of the package manager, which would build the library anew: compiles with the one of this build.
PACKAGE_MANAGER = """#!/bin/sh
set -eu
case " $* " in
*" --show-bin-path "*) echo "$PWD/.build/release"; exit ;;
*" build "*) ;;
*) echo "unexpected: swift $*" >&2; exit 64 ;;
esac
mkdir -p .build/release
for folder in Sources/*/; do
    name=$(basename "$folder")
    {compiler} -parse-as-library -o ".build/release/$name" "$folder"*.swift
    lower=$(echo "$name" | tr '[:upper:]' '[:lower:]')
    [ "$name" = "$lower" ] || cp ".build/release/$name" ".build/release/$lower"
done
"""


def compiler():
    """The words of a command that compiles with the library."""
    objects = sorted(str(path) for path in (BUILD / "WidgetKitCore.build").rglob("*.o"))
    # Scripts/build links releases with the libraries of Swift, and their objects name parts of these.
    linking = ["-static-stdlib"] if BUILD.name == "release" else []
    words = [shutil.which("swiftc") or "swiftc", "-swift-version", "6", *linking]
    return [*words, "-I", str(BUILD / "Modules"), *objects]


def typecheck(source, *modules):
    """What the compiler says against a source; empty if nothing."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "example.swift")
        path.write_text(source)
        folders = ["-I", str(BUILD / "Modules"), "-I", str(BUILD / "CPlatform.build"), "-I", str(BUILD / "CMagic.build")]
        words = [shutil.which("swiftc") or "swiftc", "-typecheck", "-swift-version", "6", *folders]
        done = subprocess.run([*words, *modules, str(path)], capture_output=True, text=True, timeout=300, check=False)
        return done.stderr if done.returncode else ""


class Home:
    """A folder with a home, a folder of work, and programs that stand first in PATH."""

    def __init__(self):
        self._folder = tempfile.TemporaryDirectory()
        self.path = Path(self._folder.name)
        self.work = self.path / "work"
        self.programs = self.path / "programs"
        for folder in (self.work, self.programs, self.path / "run"):
            folder.mkdir(mode=0o700)
        self.add("swift", PACKAGE_MANAGER.replace("{compiler}", " ".join(f"'{word}'" for word in compiler())))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._folder.cleanup()

    def add(self, name, text):
        path = self.programs / name
        path.write_text(text)
        path.chmod(0o755)

    def write(self, path, text):
        file = self.work / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        if text.startswith("#!"):
            file.chmod(0o755)

    def run(self, script, seconds=120):
        environment = {
            "PATH": f"{self.programs}:{PROGRAM.parent}:/usr/local/bin:/usr/bin:/bin",
            "HOME": str(self.path / "home"),
            "XDG_RUNTIME_DIR": str(self.path / "run"),
            "LANG": "C.UTF-8",
        }
        return subprocess.run(
            ["/bin/sh", "-c", script],
            cwd=self.work,
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=seconds,
            check=False,
        )
