"""Every command and every example of the documentation is run, as a reader copies it."""

import os
import re
import shutil
import unittest
from pathlib import Path

import exceptions
from pages import PAGES, ROOT, blocks
from program import PROGRAM, STAGE, Home, typecheck

MANIFEST = Path(os.path.realpath(shutil.which("swiftc") or "swiftc")).parent.parent / "lib/swift/pm/ManifestAPI"
# The articles of the library for Swift have no commands.
ARTICLES = sorted(str(path.relative_to(ROOT)) for path in (ROOT / "Sources/WidgetKitCore/WidgetKitCore.docc").glob("*.md"))
used = set()


def is_script(block):
    return block.text.startswith("#!")


def commands(block):
    """The lines of a block that are run."""
    kept = []
    for line in block.text.splitlines():
        exception = next((start for start in exceptions.LINES if line.startswith(start)), None)
        used.add(exception)
        for words, other in {**exceptions.SHORTER, "/usr/local/share/today": f"{STAGE}/share/today"}.items():
            line = line.replace(words, other)
        kept.append("" if exception else line)
    return "\n".join(kept)


class ExampleTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        if not PROGRAM.exists():
            raise AssertionError(f"{PROGRAM} is missing: use `make end-to-end`")

    def check_commands(self, page):
        """Runs the commands of a page one after the other, in a folder with its files."""
        script = []
        with Home() as home:
            for other, path in exceptions.FILES.get(page, []):
                home.write(path, next(block.text for block in blocks(other) if block.path == path))
            for name, text in exceptions.PROGRAMS.items():
                home.add(name, text)
            count = 0
            for number, block in enumerate(blocks(page)):
                if block.path and (block.language != "sh" or is_script(block)):
                    # A reader makes the files in the order of the page; they keep whether they can be executed.
                    home.write(f"../files/{number}", block.text)
                    script.append(f'mkdir -p "$(dirname {block.path})"; cat ../files/{number} >{block.path}')
                elif block.language == "sh" and not is_script(block):
                    count += 1
                    before = exceptions.BEFORE.get(block.name, "")
                    used.add(block.name)
                    script.append(f"echo '#### {block.page}:{block.line}'\n{before}\n{commands(block)}")
            if count:
                done = home.run("set -e\n" + "\n".join(script))
                self.assertEqual(done.returncode, 0, f"{done.stdout[-3000:]}\n{done.stderr[-3000:]}")

    def check_scripts(self, page):
        """Runs each script that the page shows, as a widget."""
        for number, block in enumerate(blocks(page)):
            if block.language != "sh" or not is_script(block) or block.path:
                continue
            with self.subTest(f"{page}:{block.line}"), Home() as home:
                for name, text in exceptions.PROGRAMS.items():
                    home.add(name, text)
                home.write(f"example{number}.sh", block.text)
                exception = next((words for words in exceptions.SCRIPTS if words in block.text), None)
                used.add(exception)
                command = "lint --static" if exception else "test"
                done = home.run(f"sh -n example{number}.sh && today {command} example{number}.sh")
                self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def check_swift(self, page):
        for block in blocks(page):
            if block.language != "swift":
                continue
            with self.subTest(f"{page}:{block.line}"):
                name = block.name
                used.add(name)
                text, options = block.text, []
                if name in exceptions.UNCHECKED:
                    continue
                if name in exceptions.PARTS:
                    text = exceptions.PARTS[name].format(text.strip().rstrip(","))
                if "import PackageDescription" in text:
                    options = ["-I", str(MANIFEST), "-package-description-version", "6.0"]
                elif "import WidgetKitCore" not in text:
                    text = "import WidgetKitCore\n" + text
                if "@main" in text:
                    options.append("-parse-as-library")
                self.assertEqual(typecheck(text, *options), "")

    def check_python(self, page):
        for block in blocks(page):
            if block.language == "python":
                with self.subTest(f"{page}:{block.line}"):
                    # Its commands, which use the file, are run with the others.
                    self.assertTrue(block.path, "a widget needs the name of its file before it")
                    compile(block.text, block.path, "exec")


def add_tests():
    for page in PAGES:
        word = re.sub(r"\W+", "_", page.removesuffix(".md").lower())
        for kind in ("commands", "scripts", "swift", "python"):
            languages = {"commands": "sh", "scripts": "sh"}.get(kind, kind)
            if any(block.language == languages for block in blocks(page)):
                check = getattr(ExampleTests, f"check_{kind}")
                setattr(ExampleTests, f"test_{kind}_of_{word}", lambda self, check=check, page=page: check(self, page))


class LastTests(unittest.TestCase):
    """What is left when all examples were run; unittest takes the classes by their names."""

    def test_every_exception_is_used(self):
        for table in (exceptions.LINES, exceptions.PARTS, exceptions.UNCHECKED, exceptions.SCRIPTS, exceptions.BEFORE):
            self.assertEqual(set(table) - used, set())

    def test_articles_of_the_library(self):
        for page in ARTICLES:
            for block in blocks(page):
                if block.language == "swift" and "@main" in block.text:
                    with self.subTest(f"{page}:{block.line}"):
                        text = block.text if "import WidgetKitCore" in block.text else "import WidgetKitCore\n" + block.text
                        self.assertEqual(typecheck(text, "-parse-as-library"), "")


add_tests()

if __name__ == "__main__":
    unittest.main()
