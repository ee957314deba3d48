"""The examples in the comments of the libraries for Swift, and those of their articles that are no whole programs.

They are collected into one file that is type-checked; a fault is reported at its place in the comment.
"""

import re
import unittest

import exceptions
from pages import ROOT, Block, blocks
from program import typecheck

LIBRARIES = ["WidgetKitCore", "WidgetTesting"]
ENGINE = ["WidgetPlatform", "WidgetExtensions", "WidgetScripts", "WidgetSessions", "WidgetCards", "WidgetPages", "WidgetRequests"]
IMPORTS = ["Dispatch", "FoundationEssentials", "Testing", *ENGINE, "WidgetKitCore", "WidgetTesting"]
MEMBER = """final class Fragment{number}: Widget {{
  var body: some View {{ EmptyView() }}
{text}
}}
"""
FUNCTION = """  func run() async throws {{
{text}
  }}"""


def comment_blocks(path):
    """The blocks of Swift in the comments of a file."""
    page = str(path.relative_to(ROOT))
    lines = path.read_text().splitlines()
    start = None
    for number, line in enumerate(lines):
        words = line.strip()
        if start is None and words == "/// ```swift":
            start = number + 1
        elif start is not None and words == "/// ```":
            text = "\n".join(line.strip()[4:] for line in lines[start:number])
            yield Block(page, start + 1, "swift", text, "")
            start = None


def fragments():
    """All of them; whole programs in articles are checked with the other examples."""
    found = []
    for library in LIBRARIES:
        folder = ROOT / "Sources" / library
        for path in sorted(folder.rglob("*.swift")):
            found += comment_blocks(path)
        for path in sorted(folder.rglob("*.md")):
            found += [block for block in blocks(str(path.relative_to(ROOT))) if block.language == "swift"]
    return [block for block in found if not (block.page.endswith(".md") and "@main" in block.text)]


def is_declaration(text):
    return re.match(r"\s*(@main )?(public |private )?(func|struct|final class|extension)\b", text) is not None


def source(number, block, around):
    """A fragment with what is around it, as part of a file; its lines are those of its page."""
    place = f'#sourceLocation(file: "{ROOT / block.page}", line: {block.line + 1 if block.page.endswith(".md") else block.line})'
    # As a whole program, it would be the only one of the file.
    text = f"{place}\n{block.text.replace('@main ', '')}\n#sourceLocation()"
    whole = around.replace("FRAGMENT", text) if around else text
    if not is_declaration(block.text) and not (around and re.search(r"^(@MainActor )?final class \w+ \{$|^func outcome", around, flags=re.M)):
        whole = FUNCTION.format(text=whole)
    return MEMBER.format(number=number, text=whole)


class FragmentTests(unittest.TestCase):
    maxDiff = None

    def test_every_fragment_is_checked_by_the_compiler(self):
        used = set()
        text = "".join(f"import {module}\n" for module in IMPORTS)
        found = fragments()
        self.assertGreater(len(found), 12)
        for number, block in enumerate(found):
            name = next((start for start in exceptions.AROUND if block.name.startswith(start)), None)
            used.add(name)
            text += source(number, block, exceptions.AROUND.get(name))
        self.assertEqual(typecheck(text, "-parse-as-library"), "")
        self.assertEqual(set(exceptions.AROUND) - used, set(), "exceptions that nothing uses")

    def test_a_fault_is_found_at_its_place(self):
        block = Block("Sources/WidgetKitCore/Nodes/Types/Text.swift", 7, "swift", 'Text("a").blod()', "")
        text = "import WidgetKitCore\n" + source(0, block, None)
        self.assertIn("Types/Text.swift:7:", typecheck(text, "-parse-as-library"))


if __name__ == "__main__":
    unittest.main()
