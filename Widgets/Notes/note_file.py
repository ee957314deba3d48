"""Adding lines to the end of a text file of the user, and changing single ones."""

import codecs
import errno
import os
import re
import stat

import file_change

LARGEST = 16 * 1024 * 1024


def append(path, lines):
    """Adds lines at the end, behind a line feed where the last line has none, and makes the file if there is none.

    A link is followed, and all names of a file have the new lines.
    """
    # The superuser may write every file; one without a bit for that is not meant to be written.
    if os.path.isfile(path) and not (os.access(path, os.W_OK) and os.stat(path).st_mode & 0o222):
        raise OSError(errno.EACCES, "the file is read-only")
    # In one write at the end, wherever that is by then, so that nothing of another program is overwritten.
    flags = os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_NONBLOCK | os.O_CLOEXEC
    with os.fdopen(os.open(path, flags, 0o600), "r+b", buffering=0) as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise OSError(errno.EINVAL, "it is not a file")
        beginning = file.read(4096)
        if beginning.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) or b"\0" in beginning[:4]:
            raise OSError(errno.EINVAL, "it is not a text in UTF-8")
        size = file.seek(0, os.SEEK_END)
        file.seek(max(0, size - 4096))
        ending = file.read(4096)
        # A file of Windows stays one, also where its first line is long.
        end = b"\r\n" if b"\r\n" in beginning + ending else b"\n"
        is_open = not ending.endswith(b"\n") and size > 0
        added = b"".join(line.encode("utf-8", "replace") + end for line in lines)
        file.write((end if is_open else b"") + added)
        os.fsync(file.fileno())


def change(path, number, old, new):
    """Puts a line in the place of another one, `number` lines before the end, where 1 is the last that is not blank.

    All other bytes stay. Returns False, and writes nothing, if that line is not `old` any more.
    """
    with open(path, "rb") as file:
        content = file.read(LARGEST + 1)
    if len(content) > LARGEST:
        raise OSError(errno.EFBIG, "it is larger than 16 MiB")
    mark = codecs.BOM_UTF8 if content.startswith(codecs.BOM_UTF8) else b""
    lines = re.split(rb"(?<=\n)|(?<=\r)(?!\n)", content[len(mark) :])
    while lines and not lines[-1].strip():
        lines.pop()
    if number > len(lines):
        return False
    line = lines[-number]
    words = line.rstrip(b"\r\n")
    if words.decode("utf-8", "replace").rstrip() != old.rstrip():
        return False
    begin = len(mark) + sum(map(len, lines[: len(lines) - number]))
    changed = content[:begin] + new.encode("utf-8", "replace") + content[begin + len(words) :]
    return file_change.replace(path, content, changed)
