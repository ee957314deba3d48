"""The unread messages of a Maildir."""

import os
import re

import headers
from todaykit import Failure, reason

HEAD_LIMIT = 64 * 1024
# A head with thousands of addresses, or with what each server on the way has signed, is longer than that.
LONG_HEAD_LIMIT = 1024 * 1024
END_OF_HEAD = re.compile(rb"\n\r?\n|\r\r")
# What some programs write for the colon where a file system has none.
FLAGS = re.compile(r"[:;!]2,([^:;!]*)$")


def unread(folder):
    """The paths of the unread messages: those in `new` and `cur` without the flags S and T."""
    if os.path.isfile(folder):
        raise Failure(f"{folder} is a file and not a Maildir; set another folder with ,")
    if not os.path.isdir(os.path.join(folder, "cur")):
        raise Failure(f"{folder} is not a Maildir; set another folder with ,")
    found = []
    for part in ("new", "cur"):
        try:
            with os.scandir(os.path.join(folder, part)) as entries:
                found += [entry.path for entry in entries if is_unread(entry)]
        except OSError as error:
            raise Failure(f"{folder}/{part} cannot be read: {reason(error)}") from error
    return found


def is_unread(entry):
    flags = FLAGS.search(entry.name)
    if entry.name.startswith(".") or (flags and set(flags.group(1)) & set("ST")):
        return False
    try:
        return entry.is_file()
    except OSError:
        return True  # It is there, and costs itself where it is read.


def delivered(path):
    """When a message was delivered: as its name says, which copies keep, else as its file does."""
    match = re.match(r"(\d{9,11})\.", os.path.basename(path))
    try:
        return int(match.group(1)) if match else os.stat(path).st_mtime
    except OSError:
        return 0


def newest(paths, count):
    """What is shown of the newest files, and the number of those that cannot be read."""
    found, broken = [], 0
    for path in sorted(paths, key=delivered, reverse=True):
        if len(found) + broken == count:
            break
        try:
            descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
            with os.fdopen(descriptor, "rb") as file:
                found.append(headers.message(head_of(file)))
        except FileNotFoundError:
            continue  # Another program has moved it meanwhile.
        except (OSError, headers.Unreadable):
            broken += 1
    return found, broken


def head_of(file):
    """The beginning of a message, up to the end of its head."""
    head = file.read(HEAD_LIMIT)
    if len(head) == HEAD_LIMIT and not END_OF_HEAD.search(head):
        head += file.read(LONG_HEAD_LIMIT - HEAD_LIMIT)
    return head
