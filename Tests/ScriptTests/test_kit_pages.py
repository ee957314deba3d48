import re
import unittest

from protocol_schema import ROOT

LIBRARY = ROOT / "Sources/WidgetKitCore"

# Of the structures of transfers and of local time; the reference by DocC has them.
OF_TRANSFERS = {
    "sharedContainerIdentifier", "httpAdditionalHeaders", "byteLimit", "background", "url", "httpMethod", "httpHeaders",
    "credential", "authentication", "authenticate", "reason", "description", "status",
    "year", "month", "day", "hour", "minute", "second",
}


class KitPageTests(unittest.TestCase):
    """The pages of reference have every function of the kits; that of Python is in test_todaykit_messages.py."""

    def listed(self, page):
        return set(re.findall(r"\w+", " ".join(re.findall(r"`([^`\n]+)`", (ROOT / "Docs/Kits" / page).read_text()))))

    def test_every_function_for_sh_is_in_its_page(self):
        functions = set(re.findall(r"^(\w+)\(\) \{", (ROOT / "Widgets/Shared/todaykit.sh").read_text(), flags=re.M))
        self.assertGreater(len(functions), 8)
        self.assertEqual(functions - self.listed("Shell.md"), set())

    def test_every_method_view_and_modifier_in_swift_is_in_its_page(self):
        text = "".join(path.read_text() for path in sorted((LIBRARY / "Nodes").rglob("*.swift")))
        names = set(re.findall(r"^public struct (\w+)(?:<.*>)?: (?:Element)?View\b", text, flags=re.M))
        names |= set(re.findall(r"^  public func (\w+)", text, flags=re.M)) - {"encode", "words"}
        widget = (LIBRARY / "Runtime/Widget.swift").read_text()
        names |= set(re.findall(r"^  func (\w+)", widget, flags=re.M))
        self.assertGreater(len(names), 60)
        for path in (LIBRARY / "Runtime").glob("*.swift"):
            if path.name.startswith(("WidgetContext", "SecretStore", "SharedDefaults", "BackgroundSession", "Expiring", "LocalTime", "Transition")):
                names |= set(re.findall(r"^  public (?:static |private\(set\) |mutating )*(?:func|var) (\w+)", path.read_text(), flags=re.M))
        self.assertEqual(names - self.listed("Swift.md") - OF_TRANSFERS, set())


if __name__ == "__main__":
    unittest.main()
