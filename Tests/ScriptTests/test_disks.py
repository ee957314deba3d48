import os
import tempfile
import unittest
from pathlib import Path

from widget import KitWidget, text

LINE = "{number} 1 8:{number} / {folder} rw,relatime shared:1 - {kind} {device} rw\n"


def nodes(view, kind):
    """All nodes of a type in a view."""
    if isinstance(view, list):
        return [found for one in view for found in nodes(one, kind)]
    if not isinstance(view, dict):
        return []
    own = [view] if view.get("type") == kind else []
    return own + nodes(view.get("children", []), kind) + nodes(view.get("rows", []), kind)


class DisksTests(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.mounts = self.folder / "mountinfo"

    def widget(self, lines, data=None, **values):
        self.mounts.write_text("".join(LINE.format(number=number, **line) for number, line in enumerate(lines)))
        return KitWidget("Disks/disks.py", configuration=values, data=data, TODAY_MOUNTS=str(self.mounts))

    def test_each_file_system_is_shown_once_and_views_of_the_kernel_are_not(self):
        spaced = self.folder / "a b"
        spaced.mkdir()
        lines = [
            {"folder": "/", "kind": "ext4", "device": "/dev/sda1"},
            {"folder": "/proc", "kind": "proc", "device": "proc"},
            {"folder": str(spaced).replace(" ", "\\040"), "kind": "xfs", "device": "/dev/sdb1"},
            {"folder": str(spaced / "again").replace(" ", "\\040"), "kind": "xfs", "device": "/dev/sdb1"},
        ]
        with self.widget(lines) as widget:
            widget.initialize()
            view = widget.call("widgetPerformUpdate", reason="user")["view"]
            self.assertEqual(len(nodes(view, "gauge")), 2)
            self.assertIn(str(spaced), text(view))
            self.assertNotIn("/proc", text(view))
            status = os.statvfs("/")
            share = 100 * (status.f_blocks - status.f_bfree) / (status.f_blocks - status.f_bfree + status.f_bavail)
            values = [gauge["value"] for gauge in nodes(view, "gauge")]
            self.assertTrue(any(abs(value - share) < 2 for value in values), values)

    def test_hidden_and_missing_folders_and_a_file_that_is_not_there(self):
        lines = [
            {"folder": "/", "kind": "ext4", "device": "/dev/sda1"},
            {"folder": "/nowhere/at/all", "kind": "nfs4", "device": "server:/x"},
        ]
        with self.widget(lines, hidden=["/"]) as widget:
            widget.initialize()
            words = text(widget.call("widgetPerformUpdate", reason="user")["view"])
            self.assertIn("/nowhere/at/alldoes not answer", words)
            self.mounts.unlink()
            answer = widget.call("widgetPerformUpdate", reason="user")
            self.assertEqual(answer["result"], "failed")
            self.assertIn("mountinfo: No such file or directory", answer["error"])

    def test_the_growth_of_a_day_is_kept_over_restarts(self):
        lines = [{"folder": "/", "kind": "ext4", "device": "/dev/sda1"}]
        with self.widget(lines) as widget:
            widget.initialize(now="2031-02-01T10:00:00Z")
            widget.call("widgetPerformUpdate", reason="user")
            data = widget.data
        history = Path(data, "history.json")
        used = int(history.read_text().split(":")[-1].strip(" }\n"))
        history.write_text('{"/": {"2031-02-01": %d}}' % (used - 4 * 1024**3))
        with self.widget(lines, data=data) as widget:
            widget.initialize(now="2031-02-03T10:00:00Z", activeDisplayMode="expanded")
            words = text(widget.call("widgetPerformUpdate", reason="user")["view"])
            self.assertRegex(words, r"· \+2 GiB a day, full in \d+ (d|h)")
        for odd in ("[]", '{"/": 5}', '{"/": {"2031-02-01": "x"}}', '{"/": {"yesterday": 5}}', "{"):
            with self.subTest(odd=odd), self.widget(lines, data=data) as widget:
                history.write_text(odd)
                widget.initialize(now="2031-02-03T10:00:00Z", activeDisplayMode="expanded")
                answer = widget.call("widgetPerformUpdate", reason="user")
                self.assertEqual(answer["result"], "newData")
                self.assertNotIn("a day", text(answer["view"]))


if __name__ == "__main__":
    unittest.main()
