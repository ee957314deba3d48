"""Tells that files may have changed, with inotify, for which nothing runs while they do not.

A file may be replaced by another, removed, a link, or not be there yet, nor the folders that lead to it. Of a folder it tells
what comes into it, goes, or is renamed there.
"""

import ctypes
import errno
import os
import select
import stat
import struct
import threading
import time

MODIFY, ATTRIB, CLOSE_WRITE = 0x2, 0x4, 0x8
MOVED_FROM, MOVED_TO, CREATE, DELETE = 0x40, 0x80, 0x100, 0x200
DELETE_SELF, MOVE_SELF, OVERFLOW, IGNORED = 0x400, 0x800, 0x4000, 0x8000
SELF = DELETE_SELF | MOVE_SELF
# Of a folder, and of what is in it: a file that may not be read cannot be watched itself.
NAMES = MOVED_FROM | MOVED_TO | CREATE | DELETE | ATTRIB
CONTENT = MODIFY | ATTRIB | CLOSE_WRITE
LINK_LIMIT = 40  # as in the kernel
# After a change others may follow; files that never rest are read now and then nevertheless.
QUIET_SECONDS = 0.05
PATIENCE_SECONDS = 0.5
# How often what cannot be read is tried again: where a folder may not be watched either, no event tells that it can be.
RETRY_SECONDS = 2
EVENT = struct.Struct("iIII")
ANY = None  # in place of a name: all of them count


def places(path):
    """What to watch for one file: paths, each with its events and the names that count in it."""
    found = {}
    rest = [part for part in reversed(os.path.abspath(path).split("/")) if part]
    folder, links = "/", 0
    while rest:
        # Where something is found on the way, what happens beside it is of no interest, and costs nothing.
        name = rest.pop()
        if name == "..":
            folder = os.path.dirname(folder)
            continue
        below = os.path.join(folder, name)
        try:
            mode = os.lstat(below).st_mode
        except OSError:
            note(found, folder, NAMES | SELF, name)
            break
        if stat.S_ISLNK(mode):
            note(found, folder, NAMES | SELF, name)
            links += 1
            try:
                target = os.readlink(below)
            except OSError:
                break
            if links > LINK_LIMIT:
                break
            rest += [part for part in reversed(target.split("/")) if part not in ("", ".")]
            folder = "/" if target.startswith("/") else folder
        elif rest:
            note(found, below, SELF | ATTRIB)
            folder = below
        else:
            note(found, folder, NAMES | SELF, name)
            if stat.S_ISDIR(mode):
                note(found, below, NAMES | SELF, ANY)
            else:
                # By another name of the file too, and where its folder is not the real one, as in a sandbox.
                note(found, below, CONTENT | SELF)
    return found


def note(found, path, events, *names):
    before, known = found.get(path, (0, frozenset()))
    found[path] = (before | events, known | set(names))


class FileWatch:
    """The files that are followed; `fileno` is readable when there is something to ask `has_changed`."""

    def __init__(self):
        self.descriptor = -1
        self.trouble = None
        self.paths = ()
        self._watches = {}  # the names that count, by the number of the watch
        self._places = {}
        try:
            self._library = ctypes.CDLL(None, use_errno=True)
            self.descriptor = self._library.inotify_init1(os.O_NONBLOCK | os.O_CLOEXEC)
            if self.descriptor < 0:
                self.trouble = os.strerror(ctypes.get_errno())
        except (OSError, AttributeError) as error:
            self.trouble = str(error)

    def fileno(self):
        return self.descriptor

    @property
    def is_complete(self):
        """Whether every change of the files will be told."""
        return self.descriptor >= 0 and bool(self.paths) and self.trouble is None

    def follow(self, paths):
        """Watches what is at the paths now, and the folders where it can come, go or be replaced."""
        self.paths = tuple(paths)
        if self.descriptor < 0:
            return
        # What changes while it is looked for is looked for again.
        for _ in range(3):
            wanted = {}
            for path in self.paths:
                for place, (events, names) in places(path).items():
                    note(wanted, place, events, *names)
            if wanted == self._places and self.trouble is None:
                return
            self._watch(wanted)

    def _watch(self, wanted):
        watches, self.trouble = {}, None
        for place, (events, names) in wanted.items():
            number = self._library.inotify_add_watch(self.descriptor, os.fsencode(place), ctypes.c_uint32(events))
            code = ctypes.get_errno()
            if number >= 0:
                watches[number] = (watches.get(number, frozenset()) | names)
            elif code not in (errno.ENOENT, errno.ENOTDIR, errno.EACCES):
                self.trouble = os.strerror(code)
        for number in self._watches.keys() - watches.keys():
            self._library.inotify_rm_watch(self.descriptor, number)
        self._watches, self._places = watches, wanted

    def has_changed(self):
        """Whether something happened to the files since the last call; they are to be followed again then."""
        changed = False
        while True:
            try:
                data = os.read(self.descriptor, 64 * 1024)
            except InterruptedError:
                continue
            except OSError:  # there is nothing more
                break
            offset = 0
            while offset + EVENT.size <= len(data):
                number, events, _, length = EVENT.unpack_from(data, offset)
                name = data[offset + EVENT.size : offset + EVENT.size + length].rstrip(b"\0")
                offset += EVENT.size + length
                changed = self._counts(number, events, os.fsdecode(name)) or changed
        if changed:
            # A file with the same name may be another one.
            self._places = {}
        return changed

    def _counts(self, number, events, name):
        if events & OVERFLOW:
            return True
        if number not in self._watches:  # one that was removed, and had events left
            return False
        if events & IGNORED:
            del self._watches[number]
            return True
        return not name or bool({name, ANY} & self._watches[number])


class Follower(threading.Thread):
    """Calls `changed` in a thread of its own when something happens to files, once they rest.

    `paths` says which files they are, whenever it is asked; while `is_waiting` says so, it is called again and again.
    """

    def __init__(self, paths, changed, is_waiting=lambda: False):
        super().__init__(daemon=True)
        self.paths, self.changed, self.is_waiting = paths, changed, is_waiting
        self.watch = FileWatch()

    def run(self):
        if self.watch.fileno() < 0:
            return
        waiting = select.poll()
        waiting.register(self.watch.fileno(), select.POLLIN)
        while True:
            # In this order: what changes while it is read is read again.
            self.watch.follow(self.paths())
            self.changed()
            while True:
                is_told = bool(waiting.poll(1000 * RETRY_SECONDS if self.is_waiting() else None))
                if not is_told or self.watch.has_changed():
                    break
            end = time.monotonic() + PATIENCE_SECONDS
            while time.monotonic() < end and waiting.poll(1000 * QUIET_SECONDS):
                self.watch.has_changed()
