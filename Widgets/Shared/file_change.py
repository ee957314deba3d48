"""Replacing a file of the user whole, if it still is what was read."""

import contextlib
import ctypes
import errno
import os
import stat

EXCHANGE = 2  # RENAME_EXCHANGE of renameat2(2)
AT_FDCWD = -100


def replace(path, before, data):
    """Puts `data` in the place of a file whose content is `before`, None for a file that is not there.

    The file is written beside itself, synced and put in place at once, so that it is never half of either.
    A link stays a link, and what it leads to is replaced; a file with several names is written in its place, so
    that all of them have the new content. Mode and owner stay. Returns False, and leaves everything as it was, if
    another program has written the file since it was read. A file that its owner has made read-only is not written.
    """
    path = os.path.realpath(path)
    folder, name = os.path.split(path)
    check(path, folder)
    temporary = os.path.join(folder, f".{name}.{os.getpid()}.{os.urandom(4).hex()}")
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    try:
        with open(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            with contextlib.suppress(FileNotFoundError):
                status = os.stat(path)
                with contextlib.suppress(PermissionError):  # the group or the owner may be another's
                    os.fchown(descriptor, status.st_uid, status.st_gid)
                os.fchmod(descriptor, stat.S_IMODE(status.st_mode))
            os.fsync(descriptor)
        is_done = put(temporary, path, before)
    finally:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(temporary)
    if is_done:
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
    return is_done


def check(path, folder):
    """Refuses, in words, a file that may not be written, though its folder would let another one take its name."""
    try:
        mode = os.stat(path).st_mode
    except FileNotFoundError:
        pass
    else:
        # The superuser may write every file; one without a bit for that is not meant to be written.
        if not mode & 0o222 or not os.access(path, os.W_OK):
            raise OSError(errno.EACCES, "the file is read-only")
    if os.path.isdir(folder) and not os.access(folder, os.W_OK | os.X_OK):
        raise OSError(errno.EACCES, f"the folder {folder} is read-only")


def put(temporary, path, before):
    """Gives the file its name, if what has that name is `before`."""
    if before is None:
        try:
            os.link(temporary, path)  # fails if there is a file now
            return True
        except FileExistsError:
            return False
    if content(path) != before:
        return False
    if os.stat(path).st_nlink > 1:
        return overwrite(path, temporary)
    # The two files change their names, so that the old one can be looked at once more: whatever another
    # program has written until then is not lost.
    if not exchange(temporary, path):
        os.replace(temporary, path)
        return True
    if content(temporary) == before:
        return True
    exchange(temporary, path)
    return False


def overwrite(path, temporary):
    """Writes a file with several names in its place: another file would leave the other names behind."""
    with open(path, "r+b") as file, open(temporary, "rb") as new:
        file.write(new.read())
        file.truncate()
        file.flush()
        os.fsync(file.fileno())
    return True


def exchange(one, other):
    """Lets two files change their names at once; False where the file system cannot."""
    try:
        call = ctypes.CDLL(None, use_errno=True).renameat2
    except (OSError, AttributeError):
        return False
    return call(AT_FDCWD, os.fsencode(one), AT_FDCWD, os.fsencode(other), EXCHANGE) == 0


def content(path):
    try:
        with open(path, "rb") as file:
            return file.read()
    except FileNotFoundError:
        return None
