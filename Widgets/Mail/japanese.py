"""ISO-2022-JP (RFC 1468) as it is written: with the characters of Windows, without escapes, or with eight bits."""

import re

# The sets that an escape sequence chooses: those of two bytes a letter, and those of one.
ESCAPE = re.compile(rb"\x1b(\$[@B]|\$\([@BD]|\([BJI])")
WIDE = {b"$@", b"$B", b"$(@", b"$(B"}
KANA = b"(I"


def is_escaped(content):
    return ESCAPE.search(content) is not None


def letters(content):
    """Bytes as text; U+FFFD has the place of what cannot be read."""
    try:
        return content.decode("iso2022_jp_ext")
    except ValueError:
        pass
    first, *rest = ESCAPE.split(content)
    parts = [plain(first)]
    for name, part in zip(rest[::2], rest[1::2]):
        if name in WIDE:
            parts.append(wide(part))
        elif name == KANA:
            parts.append(bytes(byte | 0x80 if 0x20 < byte < 0x60 else byte for byte in part).decode("cp932", "replace"))
        elif name.startswith(b"$"):
            parts.append((b"\x1b" + name + part + b"\x1b(B").decode("iso2022_jp_ext", "replace"))
        else:
            parts.append(plain(part))
    return "".join(parts)


def plain(part):
    """Bytes that no escape sequence is before: ASCII, or what the program has written without saying so."""
    for codec in ("utf-8", "euc_jp", "cp932"):
        try:
            return part.decode(codec)
        except ValueError:
            continue
    return part.decode("ascii", "replace")


def wide(part):
    """Letters of two bytes, in the rows of Windows, which has more of them."""
    found = []
    seven = bytes(byte & 0x7F for byte in part)
    index = 0
    while index < len(seven):
        if seven[index] <= 0x20:
            found.append(chr(seven[index]))
            index += 1
            continue
        row, cell = seven[index], seven[index + 1] if index + 1 < len(seven) else 0
        index += 2
        if not (0x21 <= row <= 0x7E and 0x21 <= cell <= 0x7E):
            found.append("\ufffd")
            continue
        # As Shift_JIS has them.
        cell += (0x1F if cell < 0x60 else 0x20) if row % 2 else 0x7E
        row = (row - 0x21) // 2 + (0x81 if row < 0x5F else 0xC1)
        try:
            found.append(bytes((row, cell)).decode("cp932"))
        except ValueError:
            found.append("\ufffd")
    return "".join(found)
