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
        return self.request(method, params)["result"]

    def fail(self, method, **params):
        """The error of a request."""
        return self.request(method, params)["error"]

    def request(self, method, params):
        self.identifier += 1
        message = {"id": self.identifier, "jsonrpc": "2.0", "method": method, "params": params}
        answer = self.send(json.dumps(message, separators=(",", ":")))
        assert answer["id"] == self.identifier, answer
        return answer

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
    inside += cells(node)
    return "".join(text(part) for part in inside if part)


def pressable(node):
    """The elements that a press acts on, in order."""
    if "action" in node:
        return [node]
    inside = node.get("children", []) + cells(node)
    return [found for child in inside for found in pressable(child)]


def cells(node):
    """The nodes in the rows of a grid or a list."""
    rows = [[row["view"]] if isinstance(row, dict) else row for row in node.get("rows", [])]
    return [cell for row in rows for cell in row]
