import plistlib
import unittest

from widget import ROOT


class BundleSettingsTests(unittest.TestCase):
    def test_each_number_of_the_bundled_widgets_has_a_range_so_that_a_wrong_one_is_said_at_once(self):
        for path in sorted((ROOT / "Widgets").glob("*/Info.plist")):
            attributes = plistlib.loads(path.read_bytes())["NSExtension"]["NSExtensionAttributes"]
            for setting in attributes.get("TodaySettings", []):
                if setting["type"] == "number":
                    with self.subTest(f"{path.parent.name} {setting['name']}"):
                        self.assertLess(setting["minimum"], setting["maximum"])


if __name__ == "__main__":
    unittest.main()
