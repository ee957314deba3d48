"""A widget's process, spoken to as the host speaks to it."""

import json
import os
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


class Widget:
    def __init__(self, path, configuration=None, **environment):
        self.identifier = 0
        self.configuration = configuration
        self.process = subprocess.Popen(
            [ROOT / "Widgets" / path],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={"PATH": os.environ["PATH"], "TZ": "UTC", **environment},
        )

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        self.process.wait(timeout=10)
        self.process.stdout.close()

    def send(self, line):
        """The answer to a line."""
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())

    def call(self, method, **params):
        """The result of a request."""
        self.identifier += 1
        message = {"id": self.identifier, "jsonrpc": "2.0", "method": method, "params": params}
        answer = self.send(json.dumps(message, separators=(",", ":")))
        assert answer["id"] == self.identifier, answer
        return answer["result"]

    def initialize(self, **params):
        if self.configuration is not None:
            params.setdefault("configuration", self.configuration)
        return self.call("initialize", protocolVersion=1, timeZone="Europe/Copenhagen", **params)


def text(node):
    """The words of a node and all inside it."""
    if isinstance(node, str):
        return node
    if isinstance(node, list):
        return "".join(text(part) for part in node)
    inside = [node.get(key) for key in ("text", "label")] + node.get("children", [])
    inside += [cell for row in node.get("rows", []) for cell in row]
    return "".join(text(part) for part in inside if part)


def pressable(node):
    """The elements that a press acts on, in order."""
    if "action" in node:
        return [node]
    return [found for child in node.get("children", []) for found in pressable(child)]
