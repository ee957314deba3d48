import os
import sys
import tempfile
import threading
import time
import types
import unittest
import unittest.mock
from pathlib import Path

from widget import ROOT, KitWidget, text

LINE = "{number} 1 8:{number} / {folder} rw,relatime shared:1 - {kind} {device} rw\n"


def nodes(view, kind):
    """All nodes of a type in a view."""
    if isinstance(view, list):
        return [found for one in view for found in nodes(one, kind)]
    if not isinstance(view, dict):
        return []
    own = [view] if view.get("type") == kind else []
    return own + nodes(view.get("children", []), kind) + nodes(view.get("rows", []), kind)


def mock_status(**values):
    return types.SimpleNamespace(f_frsize=4096, f_bsize=4096, **values)


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
            view, error = widget.fail_update()
            self.assertIn("/nowhere/at/allno such file or directory", text(view))
            self.assertEqual(error, "/nowhere/at/all no such file or directory")
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

    def table(self, *lines):
        """The folders of the disks of a table, whose lines are `number root folder kind source`."""
        rows = [line.split(" ") for line in lines]
        content = "".join(f"{at} 1 {row[0]} {row[1]} {row[2]} rw shared:1 - {row[3]} {row[4]} rw\n" for at, row in enumerate(rows))
        found, unread = self.module.mounts(content.encode("utf-8", "surrogateescape"))
        self.assertEqual(unread, 0)
        return [folders[0] for folders in self.module.disks(found)]

    @classmethod
    def setUpClass(cls):
        cls.path = str(ROOT / "Widgets" / "Disks")
        sys.path.insert(0, cls.path)
        import mount_table

        cls.module = mount_table

    @classmethod
    def tearDownClass(cls):
        sys.path.remove(cls.path)

    def test_a_disk_has_the_name_of_its_own_place(self):
        file = self.folder / "hosts"
        file.touch()
        cases = [
            (["8:1 /share /b ext4 /dev/sda1", "8:1 / /media/storage ext4 /dev/sda1"], ["/media/storage"]),
            (["8:1 / /media/storage ext4 /dev/sda1", "8:1 / /s ext4 /dev/sda1"], ["/media/storage"]),
            (["8:1 / /sysroot ext4 /dev/root", "8:1 / / ext4 /dev/sda1", "8:1 /usr /u ext4 /dev/sda1"], ["/"]),
            # Subvolumes of one btrfs, whose root is not that of the machine.
            (["0:40 /@home /home btrfs /dev/sda2", "0:40 /a/@root / btrfs /dev/sda2", "0:40 / /mnt/all btrfs /dev/sdb1"], ["/"]),
            (["0:40 /@b /srv/b btrfs /dev/sda2", "0:40 /@a /a btrfs /dev/sda2"], ["/srv/b"]),
            # A container: its root is an overlay, and files of the host are mounted.
            (["0:50 / / overlay overlay", f"8:1 /var/hosts {file} ext4 /dev/sda1", "8:1 /data /data ext4 /dev/sda1"], ["/", "/data"]),
            (["0:50 / /var/lib/docker/overlay2/x/merged overlay overlay", "0:6 / /dev devtmpfs udev"], []),
            # A later mount hides the one before on the same folder.
            (["8:1 / /data ext4 /dev/sda1", "0:60 / /data tmpfs tmpfs"], []),
            (["0:30 / /n autofs systemd-1", "0:61 / /n nfs4 server:/n", "0:62 / /m nfs4 server:/m"], ["/m", "/n"]),
            (["0:70 / /p zfs pool/a", "0:71 / /q zfs pool/b", "0:72 / /r 9p none", "0:73 / /s 9p none"], ["/p", "/q", "/r", "/s"]),
            (["8:1 / /a\\040b\\011c\\134d ext4 /dev/sda1"], ["/a b\tc\\d"]),
            (["8:1 / /Gr\\303\\266e ext4 /dev/sda1"], ["/Gröe"]),
            (["8:1 / /My\u00a0Disk\u3000\x0c ext4 /dev/sda1", "8:2 / /x\udce9 ext4 /dev/sda2"], ["/My\u00a0Disk\u3000\x0c", "/x\udce9"]),
        ]
        for lines, folders in cases:
            with self.subTest(lines):
                self.assertEqual(self.table(*lines), folders)

    def test_disks_of_virtual_machines_clusters_and_clouds_are_disks(self):
        kinds = ["vboxsf", "fuse.vmhgfs-fuse", "drvfs", "fuse.s3fs", "fuse.ntfs-3g", "lustre", "ocfs2"]
        others = ["fuse.gvfsd-fuse", "fuse.portal", "squashfs", "iso9660", "overlay"]
        lines = "".join(f"{number} 1 0:{number} / /mnt/{kind} rw - {kind} {kind} rw\n" for number, kind in enumerate(kinds + others, 30))
        found, _ = self.module.mounts(lines.encode())
        self.assertEqual(self.module.disks(found), sorted([f"/mnt/{kind}"] for kind in kinds))

    def test_what_can_be_written_on_a_device_is_a_disk_whatever_its_kind_is(self):
        for kind, source, options, others in (
            ("jffs2", "mtd:data", "rw", "rw"), ("udf", "/dev/sdb1", "rw,noatime", "rw"), ("reiser5", "/dev/sdb1", "rw", "rw"), ("afs", "cell:volume", "rw", "rw"),
            ("fuse.mfs", "mfs:9421", "rw", "rw"), ("udf", "/dev/sr0", "ro,nosuid", "ro"), ("squashfs", "/dev/loop0", "ro", "ro"),
            ("iso9660", "/dev/loop1", "rw", "ro,norock"), ("fuse", "/dev/fuse", "rw", "rw"), ("fuse.other", "/dev/sdb", "rw", "rw"), ("devtmpfs", "udev", "rw", "rw"),
        ):
            found, _ = self.module.mounts(f"30 1 0:30 / /mnt {options} - {kind} {source} {others}\n".encode())
            self.assertEqual(len(self.module.disks(found)), int(options[:2] == others[:2] == "rw" and kind not in ("fuse", "fuse.other", "devtmpfs")), kind)

    def test_programs_that_only_give_their_own_name_have_several_disks(self):
        for kind, source, count in (
            ("fuse.s3fs", "s3fs", 2), ("fuse.vmhgfs-fuse", "vmhgfs-fuse", 2), ("fuse.ceph-fuse", "ceph-fuse", 2), ("fuse.shfs", "shfs", 2),
            ("fuse.sshfs", "me@nas:/srv", 1), ("nfs4", "nas:/srv", 1),
        ):
            lines = [{"folder": str(self.folder / name), "kind": kind, "device": source} for name in ("one", "two")]
            for name in ("one", "two"):
                (self.folder / name).mkdir(exist_ok=True)
            with self.widget(lines) as widget:
                widget.initialize()
                view = widget.call("widgetPerformUpdate", reason="user")["view"]
                self.assertEqual(len(nodes(view, "gauge")), count, kind)

    def test_a_table_that_cannot_be_read_is_no_machine_without_disks(self):
        lines = [{"folder": "/", "kind": "ext4", "device": "/dev/sda1"}]
        with self.widget(lines, hidden=["/"]) as widget:
            widget.initialize()
            self.assertEqual(text(widget.call("widgetPerformUpdate", reason="user")["view"]), "All disks are hidden by the settings.")
            with self.mounts.open("a") as file:
                file.write("31 1 8:1 odd\n")
            self.assertIn("1mounts of", text(widget.call("widgetPerformUpdate", reason="user")["view"]))
            for content in ("", "odd\n"):
                self.mounts.write_text(content)
                answer = widget.call("widgetPerformUpdate", reason="user")
                self.assertIn("lists no mount that can be read", answer.get("error", ""))

    def test_a_name_of_other_bytes_and_a_folder_that_may_not_be_entered(self):
        odd = os.path.join(os.fsencode(self.folder), b"caf\xe9")
        os.mkdir(odd)
        line = b"30 1 8:1 / " + odd + b" rw - ext4 /dev/sda1 rw\n31 1 8:2 / /gone rw - xfs /dev/sdb1 rw\n"
        line += b"32 1 8:2 /part " + os.fsencode(self.folder) + b" rw - xfs /dev/sdb1 rw\n"
        with self.widget([]) as widget:
            self.mounts.write_bytes(line)
            widget.initialize()
            view = widget.call("widgetPerformUpdate", reason="user")["view"]
        self.assertIn("caf\ufffd", text(view))
        # It has its own name, and the sizes that another folder gives.
        self.assertIn("/gone", text(view))
        self.assertEqual(len(nodes(view, "gauge")), 2)

    def test_the_inodes_that_are_used_are_said_and_red_where_they_are_nearly_gone(self):
        sys.path.insert(0, str(ROOT / "Widgets" / "Shared"))
        self.addCleanup(sys.path.remove, str(ROOT / "Widgets" / "Shared"))
        import disks

        widget = disks.Disks()
        widget.initialize()
        widget.history, widget.is_expanded = {}, True
        for files, free, words, colour in ((100, 5, "95 % of inodes", "red"), (100, 90, "10 % of inodes", "secondaryLabel"), (0, 0, None, None)):
            answer = mock_status(f_blocks=100, f_bfree=50, f_bavail=50, f_files=files, f_ffree=free)
            with unittest.mock.patch("os.statvfs", lambda folder: answer):
                widget.disks = [one.disk for one in widget.ask([["/a"], ["/b"], ["/c"]])]
            cell = widget.draw()["rows"][1][2]
            self.assertEqual((cell["text"], cell["style"]["foreground"]) if cell else (None, None), (words, colour))

    def test_one_that_hangs_is_asked_once_and_keeps_nobody_waiting(self):
        sys.path.insert(0, str(ROOT / "Widgets" / "Shared"))
        self.addCleanup(sys.path.remove, str(ROOT / "Widgets" / "Shared"))
        import disks

        answer, asked, ended = os.statvfs("/"), [], threading.Event()
        self.addCleanup(ended.set)

        def statvfs(folder):
            asked.append(folder)
            if folder.startswith("/far"):
                ended.wait()
            return answer

        widget = disks.Disks()
        widget.initialize()
        with unittest.mock.patch("os.statvfs", statvfs):
            for _ in range(2):
                start = time.monotonic()
                found = widget.ask([["/far/1"], ["/far/2"], ["/far/3"], ["/near"]])
                self.assertLess(time.monotonic() - start, 2 * disks.CALL_SECONDS)
                self.assertEqual([one.trouble for one in found], ["does not answer"] * 3 + [None])
            self.assertEqual(sorted(asked), ["/far/1", "/far/2", "/far/3", "/near", "/near"])


if __name__ == "__main__":
    unittest.main()
