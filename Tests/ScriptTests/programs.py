"""Stand-ins for other programs: each prints what a test recorded, and notes how it was called."""

import os
import tempfile
from pathlib import Path

STAND_IN = """#!/bin/sh
printf '%s\\n' "$*" >>"$0.calls"
case "$*" in
{cases}
*) echo "unexpected: $*" >&2; exit 64 ;;
esac
"""


class Programs:
    """A folder of programs to stand first in PATH."""

    def __init__(self, test):
        folder = tempfile.TemporaryDirectory()
        test.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        # The widget's interpreter is looked for by its full path; sh, cat and sleep are all that stand-ins need.
        for name in ("sh", "cat", "sleep"):
            (self.folder / name).symlink_to(f"/bin/{name}")

    @property
    def path(self):
        return str(self.folder)

    def add(self, name, *answers):
        """`answers` are a pattern of sh for the arguments, what is printed, and optionally the exit status."""
        cases = []
        for index, (pattern, output, *status) in enumerate(answers):
            recorded = self.folder / f"{name}.{index}"
            recorded.write_bytes(output if isinstance(output, bytes) else output.encode())
            stream = ">&2" if status and status[0] != 0 else ""
            cases.append(f'{pattern}) cat "{recorded}" {stream}; exit {status[0] if status else 0} ;;')
        path = self.folder / name
        # A link to a program of the machine is replaced, and not that program.
        path.unlink(missing_ok=True)
        path.write_text(STAND_IN.format(cases="\n".join(cases)))
        path.chmod(0o755)

    def add_real(self, name):
        """A program of the machine."""
        found = next(f"{folder}/{name}" for folder in os.environ["PATH"].split(":") if os.access(f"{folder}/{name}", os.X_OK))
        (self.folder / name).symlink_to(found)

    def calls(self, name):
        path = self.folder / f"{name}.calls"
        return path.read_text().rstrip("\n").split("\n") if path.exists() else []
