"""Adding lines to the end of a text file of the user."""

import codecs
import errno
import os
import stat


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
