"""The JSON Schema of the protocol, for tests.

As a program, `protocol_schema.py FILE [--strict]`, it reads lines {"rule": NAME, "value": VALUE} of a file, and prints
for each what is wrong with the value, or an empty line. NAME is one of `$defs`, or `message` for a whole message.
"""

import json
import sys
import warnings
from pathlib import Path

with warnings.catch_warnings():
    # Newer versions have another resolver; that of Debian 12 has only this one.
    warnings.simplefilter("ignore", DeprecationWarning)
    from jsonschema import Draft202012Validator

ROOT = Path(__file__).resolve().parents[2]
PATH = ROOT / "Docs/Schemas/protocol.json"


def strict(rule):
    """The same rule, which also refuses members that the protocol does not have.

    What is an object has a type; rules without one are parts of others, and conditions look at one member alone.
    """
    if isinstance(rule, list):
        return [strict(one) for one in rule]
    if not isinstance(rule, dict):
        return rule
    changed = {key: value if key == "if" else strict(value) for key, value in rule.items()}
    if "object" in json.dumps(rule.get("type", "")) and isinstance(rule.get("properties"), dict):
        changed.setdefault("unevaluatedProperties", False)
    return changed


class ProtocolSchema:
    """Checks messages; with `is_strict`, members that the protocol does not have are errors too."""

    def __init__(self, is_strict=True):
        self.original = json.loads(PATH.read_text())
        self.schema = strict(self.original) if is_strict else self.original
        self._validators = {}

    def methods(self, direction):
        """The methods that are sent `toWidget` or `toHost`."""
        return set(self.original["$defs"][direction]["properties"]["method"]["enum"])

    def _validator(self, rule):
        if rule not in self._validators:
            root = {"$ref": f"#/$defs/{rule}", "$defs": self.schema["$defs"]}
            self._validators[rule] = Draft202012Validator(self.schema if rule == "message" else root)
        return self._validators[rule]

    def problem(self, value, rule="message"):
        """What is wrong with a value, with its place; empty if nothing is."""
        if rule != "message" and rule not in self.original["$defs"]:
            return f"no such rule: {rule}"
        errors = list(self._validator(rule).iter_errors(value))
        if not errors:
            return ""
        error = max(errors, key=lambda one: len(one.absolute_path))
        words = error.message.replace("\n", " ")
        return f"{'.'.join(str(part) for part in error.absolute_path) or rule}: {words[:400]}"


def depth(value):
    """How many nodes are inside of each other."""
    inside = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    own = isinstance(value, dict) and isinstance(value.get("type"), str)
    return own + max(map(depth, inside), default=0)


class Exchange:
    """The messages between one process of a widget and its host: answers are checked by the method they are for."""

    # To look for unknown members takes a minute for a view with 200 rows, and some times as long with each node inside
    # of another one, so they are errors in small messages only.
    STRICT_BYTES = 6 * 1024
    STRICT_DEPTH = 4

    def __init__(self, schema, of_large=None):
        self.strict, self.of_large = schema, of_large or schema
        self.open = {"to": {}, "from": {}}

    def note(self, line):
        """Takes a line to the widget, which need not be a message: what is sent to it in tests is often wrong."""
        try:
            message = json.loads(line)
        except ValueError:
            return
        if isinstance(message, dict) and isinstance(message.get("id"), (int, str)) and "method" in message:
            self.open["to"][message["id"]] = message["method"]

    def problem(self, direction, message):
        """What is wrong with a message `to` or `from` the widget."""
        is_large = len(json.dumps(message)) > self.STRICT_BYTES or depth(message) > self.STRICT_DEPTH
        schema = self.of_large if is_large else self.strict
        if trouble := schema.problem(message):
            return trouble
        if "method" in message:
            expected = "toWidget" if direction == "to" else "toHost"
            if message["method"] not in schema.methods(expected):
                return f"{message['method']} is not sent {direction} a widget"
            if "id" in message:
                self.open[direction][message["id"]] = message["method"]
            return ""
        method = self.open["from" if direction == "to" else "to"].pop(message["id"], None)
        if method is None and message["id"] is not None:
            return f"an answer to no request: {message['id']}"
        return schema.problem(message["result"], f"{method}.result") if "result" in message else ""


def main():
    schema = ProtocolSchema(is_strict="--strict" in sys.argv)
    for line in Path(sys.argv[1]).read_text().splitlines():
        case = json.loads(line)
        print(schema.problem(case["value"], case["rule"]))


if __name__ == "__main__":
    main()
