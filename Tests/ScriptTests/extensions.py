"""Share extensions and actions that are scripts, run as the host runs them: content in, content out."""

import os
import subprocess

from protocol_schema import ROOT
from programs import Programs


class Extension:
    """A script of Extensions/ with stand-ins for the programs that it uses."""

    def __init__(self, test, name):
        self.path = ROOT / "Extensions" / name
        self.programs = Programs(test)

    def run(self, content, type="public.plain-text", variables=None, path=None, **options):
        """What it makes of a content: a finished process, with bytes."""
        environment = {"PATH": path or f"{self.programs.path}:{os.environ['PATH']}", "HOME": "/home/ann", "LANG": "C.UTF-8"}
        environment["TODAY_TYPE"] = type
        environment.update({f"TODAY_OPTION_{name.upper()}": value for name, value in options.items()})
        environment.update(variables or {})
        content = content.encode() if isinstance(content, str) else content
        return subprocess.run(
            [self.path], input=content, capture_output=True, env=environment, check=False, start_new_session=True
        )
