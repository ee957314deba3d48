#!/usr/bin/python3 -ESB
"""Disks: how full the file systems are, and how much they grow in a day."""

import datetime
import os
import re
import threading

from todaykit import Failure, Widget, bytes_words, duration_words, gauge, grid, number, secondary, text

# File systems that keep files; the rest are views of the kernel, or of other file systems.
KINDS = {
    "ext2", "ext3", "ext4", "xfs", "btrfs", "zfs", "f2fs", "jfs", "reiserfs", "bcachefs", "vfat", "exfat", "ntfs",
    "ntfs3", "hfsplus", "apfs", "nfs", "nfs4", "cifs", "smb3", "9p", "fuseblk", "fuse.sshfs", "fuse.rclone",
}
DAYS = 14
# A server that does not answer keeps a call for ever; it is given up after this.
CALL_SECONDS = 2


class Disk:
    """A file system: its sizes in bytes, and the part that its owner can use."""

    def __init__(self, name, used, free):
        self.name, self.used, self.free = name, used, free

    @property
    def share(self):
        total = self.used + self.free
        return 100 * self.used / total if total > 0 else 0


def mounts(path):
    """The folders on which file systems are mounted, each file system once: [(folder, device)]."""
    found = {}
    with open(path, "rb") as file:
        for line in file.read(1024 * 1024).decode("utf-8", "replace").splitlines():
            fields, _, rest = line.partition(" - ")
            fields, rest = fields.split(), rest.split()
            if len(fields) < 5 or len(rest) < 2 or rest[0] not in KINDS:
                continue
            folder = re.sub(r"\\([0-7]{3})", lambda match: chr(int(match.group(1), 8)), fields[4])
            # The same device is often mounted again elsewhere; the shortest name is its own.
            device = rest[1] if rest[0] != "btrfs" else fields[2]
            if device not in found or len(folder) < len(found[device]):
                found[device] = folder
    return sorted(found.values())


def measure(folder):
    """The sizes of a file system; None if it has none, or does not answer in time."""
    answers = []

    def ask():
        try:
            answers.append(os.statvfs(folder))
        except OSError:
            pass

    thread = threading.Thread(target=ask, daemon=True)
    thread.start()
    thread.join(CALL_SECONDS)
    if not answers or answers[0].f_blocks == 0:
        return None
    answer = answers[0]
    used = (answer.f_blocks - answer.f_bfree) * answer.f_frsize
    return Disk(folder, used, answer.f_bavail * answer.f_frsize)


class Disks(Widget):
    mountinfo = os.environ.get("TODAY_MOUNTS", "/proc/self/mountinfo")

    def initialize(self):
        self.disks = []
        self.silent = []

    def view(self):
        return self.draw() if self.disks or self.silent else None

    def widget_perform_update(self, reason):
        hidden = set(self.setting("hidden", []))
        try:
            folders = [folder for folder in mounts(self.mountinfo) if folder not in hidden]
        except OSError as error:
            raise Failure(f"{self.mountinfo}: {error.strerror}") from error
        measured = [(folder, measure(folder)) for folder in folders]
        self.disks = [disk for _, disk in measured if disk]
        self.silent = [folder for folder, disk in measured if not disk]
        self.remember()
        return self.draw()

    def remember(self):
        """Keeps what was used on each day, for the growth."""
        history = self.load("history", {})
        if not isinstance(history, dict):
            history = {}
        today = self.now().date().isoformat()
        first = (self.now().date() - datetime.timedelta(days=DAYS)).isoformat()
        for disk in self.disks:
            days = history.get(disk.name)
            days = days if isinstance(days, dict) else {}
            days[today] = disk.used
            history[disk.name] = {day: used for day, used in days.items() if day >= first}
        self.store("history", history)
        self.history = history

    def growth(self, disk):
        """Bytes a day since the first day that is remembered; None if that is today."""
        days = self.history.get(disk.name, {})
        oldest = min(days, default=None)
        try:
            past = (self.now().date() - datetime.date.fromisoformat(oldest)).days
            return (disk.used - float(days[oldest])) / past if past > 0 else None
        except (TypeError, ValueError):
            return None

    def draw(self):
        warn = float(self.setting("warn", 90))
        full, short = [], []
        for disk in self.disks:
            bar = gauge(
                min(disk.share, 100), 0, 100, words=f"{number(disk.share, 0)} %",
                thresholds=[(0, "green"), (max(0, warn - 10), "orange"), (warn, "red")],
            )
            row = [
                text(disk.name, truncation="head"),
                bar,
                text(f"{bytes_words(disk.free)} free", "red" if disk.share >= warn else None),
            ]
            full += [row, ["", secondary(f"{bytes_words(disk.used)} used{self.forecast(disk)}"), ""]]
            short.append((disk.share, row))
        silent = [[text(folder), text("does not answer", "orange"), ""] for folder in self.silent]
        # The fullest ones are those to look at.
        fullest = [row for _, row in sorted(short, key=lambda pair: -pair[0])]
        rows = self.fit(full + silent, silent + fullest)
        if not rows:
            return secondary("No disk is shown here.")
        shapes = [{"alignment": "leading"}, {"alignment": "leading"}, {"alignment": "trailing", "priority": 1}]
        return grid(rows, shapes)

    def forecast(self, disk):
        growth = self.growth(disk)
        if growth is None:
            return ""
        if abs(growth) < 1024 * 1024:
            return " · as before"
        words = f" · {'+' if growth > 0 else '−'}{bytes_words(abs(growth))} a day"
        return words + (f", full in {duration_words(86400 * disk.free / growth)}" if growth > 0 else "")


if __name__ == "__main__":
    Disks().run()
