import json
import re
import unittest

from protocol_schema import PATH, ROOT, Draft202012Validator, Exchange, ProtocolSchema

WIRE = ROOT / "Sources/WidgetKitCore/Wire"
NODES = ROOT / "Sources/WidgetKitCore/Nodes/Types"
# Examples that are no messages, by a member that only they have, and the rule that they follow, if there is one.
PARTS = {"trace": None, "event": None, "result": "widgetPerformUpdate.result", "type": "node", "height": "preferredSize"}


def blocks(page):
    """The blocks of a page, with their language and the number of their first line."""
    text = (ROOT / page).read_text()
    for found in re.finditer(r"^```(\w*)\n(.*?)^```", text, flags=re.M | re.S):
        yield found.group(1), text.count("\n", 0, found.start()) + 2, found.group(2)


class ProtocolSchemaTests(unittest.TestCase):
    def setUp(self):
        self.schema = ProtocolSchema()

    def test_it_is_a_schema(self):
        Draft202012Validator.check_schema(json.loads(PATH.read_text()))
        Draft202012Validator.check_schema(self.schema.schema)

    def test_it_has_the_methods_of_the_sources(self):
        names = set()
        for source in WIRE.rglob("*.swift"):
            names |= set(re.findall(r'(?:public|package) static let method = "([\w.]+)"', source.read_text()))
        self.assertGreater(len(names), 40)
        self.assertEqual(names, self.schema.methods("toWidget") | self.schema.methods("toHost"))

    def test_it_has_the_types_of_nodes_of_the_sources(self):
        text = "".join(path.read_text() for path in sorted(NODES.glob("*.swift")))
        names = set(re.findall(r': (?:NodeContent|StackNode) \{\n(?:.*\n){0,3}?  static let type = "(\w+)"', text))
        self.assertGreater(len(names), 15)
        self.assertEqual({f"node.{name}" for name in names}, {name for name in self.schema.original["$defs"] if name.startswith("node.")})

    def test_every_rule_is_used(self):
        text = json.dumps(self.schema.original)
        for name in self.schema.original["$defs"]:
            if not name.endswith(".result"):
                self.assertIn(f'"#/$defs/{name}"', text)
            else:
                self.assertIn(f'"#/$defs/{name[:-7]}.params"', text)

    def test_each_method_has_a_heading_or_a_row_in_the_protocol(self):
        text = (ROOT / "Docs/Protocol.md").read_text()
        names = set(re.findall(r"[\w.]+", " ".join(re.findall(r"^### (.*)", text, flags=re.M))))
        for table in re.findall(r"^\| method \|.*\n((?:\|.*\n)+)", text, flags=re.M):
            names |= set(re.findall(r"^\| `(\w+)` \|", table, flags=re.M))
        self.assertEqual(names, self.schema.methods("toWidget") | self.schema.methods("toHost"))

    def test_the_tables_of_the_protocol_have_the_members_of_requests_for_content(self):
        text = (ROOT / "Docs/Protocol.md").read_text()
        count = 0
        for table in re.findall(r"^\| method \| params \| result \|.*\n((?:\|.*\n)+)", text, flags=re.M):
            for row in re.findall(r"^\| `(\w+)` \|([^|]*)\|([^|]*)\|", table, flags=re.M):
                for rule, words in ((f"{row[0]}.params", row[1]), (f"{row[0]}.result", row[2])):
                    members = self.members(self.schema.original["$defs"].get(rule, {}))
                    named = set(re.findall(r"`(\w+)`", words))
                    with self.subTest(rule):
                        self.assertLessEqual(members, named)
                        count += len(members)
        self.assertGreater(count, 25)

    def members(self, rule):
        if "$ref" in rule:
            return self.members(self.schema.original["$defs"][rule["$ref"].split("/")[-1]])
        return set(rule.get("properties", {}))

    def test_the_examples_of_the_documentation_are_valid(self):
        count = 0
        for page in sorted((ROOT / "Docs").rglob("*.md")):
            name = page.relative_to(ROOT)
            exchange = Exchange(self.schema)
            for language, line, text in blocks(name):
                if language == "json" and name.name in ("Protocol.md", "Widgets.md", "Testing.md") and "steps" not in text:
                    with self.subTest(f"{name}:{line}"):
                        count += self.check_lines(exchange, text)
        self.assertGreater(count, 80)

    def check_lines(self, exchange, text):
        """Checks the JSON of a block, whose answers are those to requests before them; returns how many values it has."""
        values = [json.loads(line) for line in text.splitlines()]
        for value in values:
            message = value.get("message", value)
            if "jsonrpc" in message:
                self.assertEqual(self.problem_of(exchange, message), "", message)
            else:
                rule = next(rule for member, rule in PARTS.items() if member in value)
                self.assertEqual(self.schema.problem(value, rule) if rule else "", "", value)
        return len(values)

    def problem_of(self, exchange, message):
        if "method" in message:
            to_widget = message["method"] in self.schema.methods("toWidget")
            return exchange.problem("to" if to_widget else "from", message)
        if "error" in message and message["id"] not in {**exchange.open["to"], **exchange.open["from"]}:
            # The request, which is a wrong one, is not shown.
            return self.schema.problem(message)
        return exchange.problem("to" if message["id"] in exchange.open["from"] else "from", message)

    def test_nodes_within_the_text_of_the_documentation_are_valid(self):
        count = 0
        for page in (ROOT / "Docs").rglob("*.md"):
            for text in re.findall(r'`(\{"[^`]*\})`', re.sub(r"^```.*?^```", "", page.read_text(), flags=re.M | re.S)):
                if text.startswith(('{"type"', '{"result"')):
                    with self.subTest(text):
                        count += 1
                        value = json.loads(text)
                        rule = "node" if "type" in value else "widgetPerformUpdate.result"
                        self.assertEqual(self.schema.problem(value, rule), "")
        self.assertGreater(count, 1)

    def test_what_is_wrong_is_found(self):
        for rule, value in (
            ("message", {"jsonrpc": "2.0", "method": "setView", "params": {"view": 7}}),
            ("message", {"jsonrpc": "2.0", "method": "setView", "params": {}}),
            ("message", {"jsonrpc": "2.0", "method": "setView", "params": {"view": "a", "vew": "b"}}),
            ("message", {"jsonrpc": "2.0", "method": "performAction", "params": {"action": "a"}}),
            ("message", {"jsonrpc": "2.0", "id": 1, "method": "viewDidAppear", "params": {}}),
            ("message", {"jsonrpc": "2.0", "method": "frobnicate"}),
            ("message", {"jsonrpc": "2.0", "method": "loadItem", "params": {"attachment": "a1", "type": "public.text", "as": "text"}}),
            ("message", {"jsonrpc": "2.0", "id": 1, "method": "loadItem", "params": {"attachment": "a1", "type": "public.text", "as": "stream"}}),
            ("message", {"jsonrpc": "2.0", "id": 1, "method": "setCompose", "params": {}}),
            ("message", {"jsonrpc": "2.0", "method": "setCompose", "params": {"configurationItems": [{"id": "a"}]}}),
            ("message", {"jsonrpc": "2.0", "id": 1, "method": "completeRequest", "params": {"returningItems": [{"attachments": [{"text": "a"}]}]}}),
            ("contentDidChange.result", {"charactersRemaining": 7}),
            ("message", {"jsonrpc": "2.0", "id": 1}),
            ("message", {"jsonrpc": "2.0", "id": 1, "result": {}, "error": {"code": 1, "message": "a"}}),
            ("message", {"id": 1, "result": {}}),
            ("node", {"type": "text"}),
            ("node", {"type": "text", "text": "a", "txt": "b"}),
            ("node", {"type": "vstack", "children": ["a", {"type": "gauge"}]}),
            ("node", {"type": "button", "label": "a", "style": {"foreground": "rot"}}),
            ("initialize.result", {"protocolVersion": 1}),
            ("widgetPerformUpdate.result", {"result": "newData", "timeline": {"entries": [{"date": "today"}], "policy": "never"}}),
        ):
            with self.subTest(value):
                self.assertNotEqual(self.schema.problem(value, rule), "")


if __name__ == "__main__":
    unittest.main()
