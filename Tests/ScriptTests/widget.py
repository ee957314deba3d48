"""A widget's process, spoken to as the host speaks to it. What it says is checked with the schema of the protocol."""

import atexit
import json
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

from protocol_schema import ROOT, Exchange, ProtocolSchema

SCHEMA = ProtocolSchema()
SCHEMA_OF_LARGE = ProtocolSchema(is_strict=False)


class Widget:
    def __init__(self, path, configuration=None, user=None, **environment):
        self.identifier = 0
        self.mode = "compact"  # the largest mode that it offers
        self.configuration = configuration
        # The settings that the widget has changed after a press; config.json has those of which the host says so.
        self.kept, self.fixed = {}, ()
        self.exchange = Exchange(SCHEMA, of_large=SCHEMA_OF_LARGE)
        self.process = subprocess.Popen(
            [ROOT / "Widgets" / path],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            user=user,
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
        self.write(line)
        return self.read()

    def write(self, line):
        """Sends a line, which need not be a message."""
        self.exchange.note(line)
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def read(self):
        """The next message of the widget; what it says of its display modes is kept in `mode`."""
        while True:
            message = json.loads(self.process.stdout.readline())
            trouble = self.exchange.problem("from", message)
            assert not trouble, f"{trouble} in {message}"
            if message.get("method") == "org.today.setConfiguration":
                self.keep(message)
            elif message.get("method") == "setLargestAvailableDisplayMode":
                self.mode = message["params"]["mode"]
            else:
                return message

    def keep(self, message):
        """Changes settings as the widget asks for."""
        values = message["params"]["values"]
        fixed = next((name for name in values if name in self.fixed), None)
        error = {"code": -32001, "message": f"{fixed} is set at config.json:1:1; change it there"}
        if not fixed:
            self.kept.update(values)
        outcome = {"error": error} if fixed else {"result": {}}
        self.write(json.dumps({"jsonrpc": "2.0", "id": message["id"], **outcome}))

    def call(self, method, **params):
        """The result of a request."""
        return self.request(method, params)["result"]

    def fail(self, method, **params):
        """The error of a request."""
        return self.request(method, params)["error"]

    def notify(self, method, **params):
        """Sends a notification, and returns what the widget sends next."""
        return self.send(json.dumps({"jsonrpc": "2.0", "method": method, "params": params}))

    def request(self, method, params):
        self.identifier += 1
        message = {"id": self.identifier, "jsonrpc": "2.0", "method": method, "params": params}
        answer = self.send(json.dumps(message, separators=(",", ":")))
        # A widget that follows a file may have seen a change of it before.
        while "id" not in answer:
            answer = self.read()
        assert answer["id"] == self.identifier, answer
        return answer

    def initialize(self, **params):
        if self.configuration is not None:
            params.setdefault("configuration", self.configuration)
        result = self.call("initialize", protocolVersion=1, timeZone="Europe/Copenhagen", **params)
        self.mode = result.get("largestAvailableDisplayMode", "compact")
        return result


def text(node):
    """The words of a node and all inside it."""
    if isinstance(node, str):
        return node
    if isinstance(node, list):
        return "".join(text(part) for part in node)
    if node.get("text") == "✎":  # what edits a row
        return ""
    if node.get("display") == "relative":  # which the host puts into words
        return node["date"][:16]
    inside = [node.get(key) for key in ("text", "label")] + node.get("children", [])
    inside += cells(node)
    return "".join(text(part) for part in inside if part)


def presses(node):
    """The elements that a press acts on, but for fields, in order."""
    return [found for found in pressable(node) if found["type"] != "field"]


def is_on(node):
    """Whether the toggle is on that a node is or has."""
    return node["isOn"] if "isOn" in node else any(is_on(child) for child in node.get("children", []) if child["type"] == "toggle")


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


FOLDERS = tempfile.TemporaryDirectory()
atexit.register(FOLDERS.cleanup)


class KitWidget(Widget):
    """A widget with the shared files beside it, and folders of its own."""

    def __init__(self, path, configuration=None, data=None, **environment):
        shared = str(ROOT / "Widgets" / "Shared")
        self.data = data or tempfile.mkdtemp(dir=FOLDERS.name)
        source = Path(ROOT / "Widgets" / path)
        self._bundle = tempfile.TemporaryDirectory()
        for file in (source, *source.parent.glob("*.json"), *source.parent.glob("*.txt"), *source.parent.glob("*.py")):
            shutil.copy(file, self._bundle.name)
        for name in ("todaykit.py", "todaykit.sh"):
            shutil.copy(Path(shared, name), self._bundle.name)
        super().__init__(Path(self._bundle.name) / source.name, configuration, **environment)

    def __exit__(self, *arguments):
        super().__exit__(*arguments)
        self._bundle.cleanup()

    def initialize(self, **params):
        containers = {"data": self.data, "cache": self.data, "groups": {}}
        return super().initialize(containers=containers, **params)

    def request_of(self, method, params):
        """Sends a request, and returns what the widget requests of the host meanwhile."""
        self.identifier += 1
        message = {"id": self.identifier, "jsonrpc": "2.0", "method": method, "params": params}
        return self.send(json.dumps(message))

    def fail_update(self, reason="user"):
        """The view that comes with an update that has failed, None if there is none, and the words of the failure."""
        view, message = None, self.request_of("widgetPerformUpdate", {"reason": reason})
        while "method" in message:
            view = message["params"]["view"]
            message = self.read()
        assert message["result"]["result"] == "failed", message
        return view, message["result"]["error"]

    def answer(self, request, result):
        """Answers a request of the widget."""
        self.write(json.dumps({"jsonrpc": "2.0", "id": request["id"], **result}))
