"""Names of mailboxes of IMAP: modified UTF-7 (RFC 3501, section 5.1.3)."""

import base64
import binascii
import re


def encoded(name):
    """A name as a server has it: Entwürfe is Entw&APw-rfe. Control characters are left out."""
    def shifted(match):
        if match.group() == "&":
            return "&-"
        content = base64.b64encode(match.group().encode("utf-16-be", "replace")).decode()
        return "&" + content.rstrip("=").replace("/", ",") + "-"

    clean = "".join(letter for letter in name if letter.isprintable())
    return re.sub(r"&|[^\x20-\x7e]+", shifted, clean)


def decoded(name):
    """A name of a server as people write it; None if it is not modified UTF-7."""
    if not re.fullmatch(r"(?:[\x20-%'-\x7e]|&[A-Za-z0-9+,]*-)*", name):
        return None

    def letters(match):
        content = match.group(1).replace(",", "/")
        if not content:
            return "&"
        return base64.b64decode(content + "=" * (-len(content) % 4), validate=True).decode("utf-16-be")

    try:
        return re.sub(r"&([A-Za-z0-9+,]*)-", letters, name)
    except (binascii.Error, UnicodeDecodeError):
        return None


def quoted(name):
    """A name as a quoted string of IMAP (RFC 3501)."""
    return '"' + name.replace("\\", "\\\\").replace('"', '\\"') + '"'
