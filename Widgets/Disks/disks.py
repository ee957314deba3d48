#!/usr/bin/python3 -ESB
"""Disks: how full the file systems are, and how much they grow in a day."""

import datetime
import os
import threading
import time

import mount_table
from todaykit import Failure, Widget, bytes_words, duration_words, gauge, grid, number, reason, secondary, text

DAYS = 14
# A server that does not answer keeps a call for ever; all are given up after this.
CALL_SECONDS = 2
TABLE_LIMIT = 4 * 1024 * 1024


class Disk:
    """A file system: its sizes in bytes, the part that its owner can use, and how many of its inodes are used, in percent."""

    def __init__(self, name, used, free, inodes=None):
        self.name, self.used, self.free, self.inodes = name, used, free, inodes

    @property
    def share(self):
        total = self.used + self.free
        return 100 * self.used / total if total > 0 else 0


class Question(threading.Thread):
    """Asks for the sizes of a file system, which can take for ever."""

    def __init__(self, folders):
        super().__init__(daemon=True)
        self.folders = folders
        self.disk, self.trouble = None, "does not answer"

    def run(self):
        trouble = None
        # Its own place can be in a folder that the user may not enter.
        for folder in self.folders:
            try:
                answer = os.statvfs(folder)
            except OSError as error:
                trouble = trouble or reason(error)
                continue
            size = answer.f_frsize or answer.f_bsize
            used = max(0, answer.f_blocks - answer.f_bfree) * size
            if answer.f_blocks:
                # Those of some file systems are made as they are needed.
                has_inodes = 0 < answer.f_files and 0 <= answer.f_ffree <= answer.f_files
                inodes = 100 * (answer.f_files - answer.f_ffree) / answer.f_files if has_inodes else None
                self.disk = Disk(name_of(self.folders[0]), used, max(0, answer.f_bavail) * size, inodes)
            trouble = None if answer.f_blocks else "does not say its size"
            break
        self.trouble = trouble


def name_of(folder):
    """A folder as text; it can have any bytes."""
    return folder.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


class Disks(Widget):
    mountinfo = os.environ.get("TODAY_MOUNTS", "/proc/self/mountinfo")

    def initialize(self):
        self.disks = []
        # Those that cannot be measured, with the reason.
        self.troubles = []
        self.unread = 0
        # Questions that are not answered yet.
        self.open = {}

    def view(self):
        return self.draw() if self.disks or self.troubles else None

    def widget_perform_update(self, reason):
        hidden = set(self.setting("hidden", []))
        try:
            with open(self.mountinfo, "rb") as file:
                found, self.unread = mount_table.mounts(file.read(TABLE_LIMIT))
        except OSError as error:
            raise Failure(f"{self.mountinfo}: {error.strerror}") from error
        if not found:
            raise Failure(f"{self.mountinfo} lists no mount that can be read")
        disks = [folders for folders in mount_table.disks(found) if name_of(folders[0]) not in hidden]
        questions = self.ask(disks)
        self.disks = [one.disk for one in questions if one.disk]
        self.troubles = [(name_of(one.folders[0]), one.trouble) for one in questions if not one.disk]
        self.remember()
        if self.troubles and not self.disks:
            folder, words = self.troubles[0]
            raise Failure(f"{folder} {words}", view=self.draw())
        return self.draw()

    def ask(self, disks):
        """The answers of all file systems; one that is still asked is not asked again."""
        self.open = {folder: one for folder, one in self.open.items() if one.is_alive()}
        questions = []
        for folders in disks:
            question = self.open.get(folders[0]) or Question(folders)
            if not question.ident:
                question.start()
            self.open[folders[0]] = question
            questions.append(question)
        end = time.monotonic() + CALL_SECONDS
        for question in questions:
            question.join(max(0, end - time.monotonic()))
        return questions

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
            full += [row, ["", secondary(f"{bytes_words(disk.used)} used{self.forecast(disk)}"), self.inodes(disk, warn)]]
            short.append((disk.share, row))
        silent = [[text(folder, truncation="head"), text(words, "orange"), ""] for folder, words in self.troubles]
        if self.unread:
            silent.append([text(str(self.unread)), text(f"mounts of {self.mountinfo} cannot be read", "orange"), ""])
        # The fullest ones are those to look at.
        fullest = [row for _, row in sorted(short, key=lambda pair: -pair[0])]
        rows = self.fit(full + silent, silent + fullest)
        if not rows:
            return secondary("All disks are hidden by the settings.")
        shapes = [{"alignment": "leading"}, {"alignment": "leading"}, {"alignment": "trailing", "priority": 1}]
        return grid(rows, shapes)

    @staticmethod
    def inodes(disk, warn):
        """How many files more there can be, in percent; without inodes nothing can be written, whatever is free."""
        if disk.inodes is None:
            return ""
        return text(f"{number(disk.inodes, 0)} % of inodes", "red" if disk.inodes >= warn else "secondaryLabel")

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
