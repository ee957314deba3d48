"""The pictures of nodes in Docs/Protocol.md are those of the program."""

import json
import re
import sys
import unittest
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader

from pages import ROOT
from program import Home

sys.path.insert(0, str(ROOT / "Tests/ScriptTests"))
sys.path.insert(0, str(ROOT / "Scripts"))
from protocol_schema import ProtocolSchema  # noqa: E402

EXAMPLE = re.compile(r"```json\n(.*?)```\s*```\n(.*?)```", flags=re.S)
# What is another one at every time.
CLOCKS = ("date",)


def site():
    """The script that makes the site, as a module."""
    loader = SourceFileLoader("site_script", str(ROOT / "Scripts/docs"))
    module = module_from_spec(spec_from_loader("site_script", loader))
    loader.exec_module(module)
    return module


def examples():
    """Each example with the types of its section, and its picture."""
    text = (ROOT / "Docs/Protocol.md").read_text()
    views = text[text.index("\n## Views") : text.index("\n## Updates and freshness")]
    for section in re.split(r"^#### ", views, flags=re.M)[1:]:
        types = re.findall(r"`(\w+)`", section.split("\n", 1)[0]) or ["unknown"]
        for example, picture in EXAMPLE.findall(section):
            yield types, example, picture


def rows(text):
    return [line.rstrip() for line in text.rstrip("\n").split("\n")]


class NodeTests(unittest.TestCase):
    def test_each_type_has_an_example(self):
        described = {name for types, _, _ in examples() for name in types}
        types = {name[5:] for name in ProtocolSchema().original["$defs"] if name.startswith("node.")}
        self.assertEqual(described - {"unknown"}, types)

    def test_the_pictures_are_those_of_the_program(self):
        script = site()
        with Home() as home:
            for number, (types, example, picture) in enumerate(examples()):
                if types[0] in CLOCKS:
                    continue
                folder = f"Example{number}.widget"
                home.write(f"{folder}/Info.plist", script.MANIFEST)
                home.write(f"{folder}/example", script.PROGRAM % json.dumps(json.loads(example)))
                with self.subTest(f"{types[0]}: {example}"):
                    # 42 columns, a margin and a border.
                    done = home.run(f"today snapshot --bundle {folder} --width 46 --format text")
                    self.assertEqual(done.returncode, 0, done.stderr)
                    body = [line[2:-2] for line in done.stdout.splitlines() if line.startswith("│")]
                    self.assertEqual(rows("\n".join(body)), rows(picture))


if __name__ == "__main__":
    unittest.main()
