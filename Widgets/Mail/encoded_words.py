"""Encoded words of mail headers (RFC 2047) and letters that are not encoded (RFC 6532), read tolerantly.

Programs cut encoded words in the middle of a letter, name a charset that is too small, leave blanks in them or encode
nothing. What can be read is shown; U+FFFD has the place of what cannot. Nothing here raises for any input.
"""

import base64
import binascii
import codecs
import re

import japanese

# A word ends at the first ?= behind its text, or with a field that was cut; a charset may have a language (RFC 2231, 5).
WORD = re.compile(r"=\?([^?\s]*)\?([bBqQ])\?(.*?\?=|[^?\s]*\??$)", re.DOTALL)
# A character above U+FFFF as two halves, each in three bytes (CESU-8).
HALVES = re.compile(rb"\xed[\xa0-\xaf][\x80-\xbf]\xed[\xb0-\xbf][\x80-\xbf]")

# Base64 that ends within the four letters of three bytes.
UNFINISHED = re.compile(r"(?:[A-Za-z0-9+/]{4})*[A-Za-z0-9+/]{1,3}")

# What programs call a charset, and what they write: the superset that is used in its place.
SUPERSETS = {
    "gb18030": ("gb2312", "gb_2312-80", "gb2312-80", "gbk", "euc-cn", "x-gbk", "cp936"),
    "hz": ("hz-gb-2312", "hz-gb"),
    "cp932": ("shift_jis", "shift-jis", "sjis", "x-sjis", "ms_kanji", "windows-31j", "csshiftjis"),
    "cp949": ("euc-kr", "euckr", "ks_c_5601-1987", "ks_c_5601-1989", "ksc5601", "ksc_5601", "korean", "windows-949"),
    "big5hkscs": ("big5", "big5-hkscs", "x-x-big5", "cn-big5", "csbig5"),
    "cp1252": ("iso-8859-1", "iso8859-1", "iso_8859-1", "latin1", "latin-1", "l1", "windows1252", "x-ansi", "ansi"),
    "cp1254": ("iso-8859-9", "iso8859-9", "latin5"),
    "cp874": ("iso-8859-11", "tis-620", "windows-874"),
    "iso8859-8": ("iso-8859-8-i", "iso-8859-8-e", "logical"),
    "iso2022_jp_ext": ("iso-2022-jp", "csiso2022jp"),
    "utf-7": ("unicode-1-1-utf-7", "x-unicode-2-0-utf-7"),
    "mac_roman": ("mac", "macintosh", "x-mac-roman", "x-macroman", "macroman"),
    "utf-8": ("cesu-8", "utf8", "utf-8mb4", "utf8mb4", "unicode-1-1-utf-8"),
}
CODECS = {name: codec for codec, names in SUPERSETS.items() for name in names}
# Codecs of Python that no mail is written in.
FOREIGN = {"idna", "punycode", "unicode_escape", "raw_unicode_escape", "unicode-escape", "raw-unicode-escape", "undefined"}
# Charsets that say nothing.
UNKNOWN = {"", "us-ascii", "ascii", "x-unknown", "unknown", "unknown-8bit", "8bit", "binary", "default", "none"}


def codec_of(charset):
    """The name of the codec that reads a charset; None if it is not known."""
    name = charset.split("*")[0].strip().strip("\"'").lower()
    if name in UNKNOWN:
        return None
    if name not in CODECS and name.startswith("x-"):
        name = name[2:]
    try:
        found = codecs.lookup(CODECS.get(name, name))
        b"ab".decode(found.name, "replace")
    except (LookupError, ValueError):
        return None
    return None if found.name in FOREIGN else found.name


def letters(content, charset=""):
    """Bytes as text: in their charset, else in UTF-8, else with U+FFFD for what is not of the charset."""
    codec = codec_of(charset)
    if codec == "iso2022_jp_ext":
        return whole(japanese.letters(content))
    if codec in (None, "utf-8"):
        content = HALVES.sub(joined, content)
    if codec == "utf-16" and not content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        codec = "utf-16-be"  # without a mark (RFC 2781, 4.3)
    for name in (codec, "utf-8"):
        try:
            if name:
                return whole(content.decode(name))
        except ValueError:
            continue
    # What is called unknown is most often of Windows.
    is_unknown = charset.strip().lower() in UNKNOWN - {"", "us-ascii", "ascii"}
    return whole(content.decode(codec or ("cp1252" if is_unknown else "ascii"), "replace"))


def raw_letters(content, charset=""):
    """Bytes of a header that are not encoded: UTF-8, else in the charset of the message, else in Windows-1252."""
    if japanese.is_escaped(content):
        return whole(japanese.letters(content))
    content = HALVES.sub(joined, content)
    text = content.decode("utf-8", "replace")
    broken = text.count("\ufffd")
    # One that is cut, or has a few wrong bytes, is UTF-8 all the same.
    if broken <= sum(letter > "\x7f" for letter in text) - broken:
        return text
    codec = codec_of(charset)
    is_wider = codec is not None and b"a".decode(codec, "replace") == "a"
    return whole(content.decode(codec if codec and is_wider else "cp1252", "replace"))


def joined(halves):
    """A character of two halves as one."""
    return halves[0].decode("utf-8", "surrogatepass").encode("utf-16-le", "surrogatepass").decode("utf-16-le").encode()


def whole(text):
    """A text without halves of surrogate pairs, which some codecs give."""
    return text.encode("utf-8", "replace").decode()


def content_of(encoding, text, charset):
    """The bytes of an encoded word; those of its text itself where it is not encoded as it says."""
    plain = text.encode("utf-8", "replace")
    if encoding in "qQ":
        return re.sub(rb"=([0-9A-Fa-f]{2})", lambda match: bytes([int(match.group(1), 16)]), plain.replace(b"_", b" "))
    compact = re.sub(r"\s", "", text).translate(str.maketrans("-_", "+/"))
    if re.search(r"[^A-Za-z0-9+/=]", compact):
        return plain
    found, is_cut = b"", len(compact) != len(text)
    for part in compact.split("="):
        is_cut = is_cut or len(part) % 4 == 1
        part = part[:-1] if len(part) % 4 == 1 else part
        try:
            found += base64.b64decode(part + "=" * (-len(part) % 4))
        except binascii.Error:
            return plain
    # Plain words can have the letters of base64; what they would mean is not text.
    return plain if is_cut and not is_text(found, charset) else found


def is_text(content, charset):
    try:
        return content.decode(codec_of(charset) or "utf-8").isprintable()
    except ValueError:
        return False


def decoded(value):
    """A header, whose letters are text, with its encoded words decoded and its blanks made one.

    What is nothing but encoded words once more was encoded twice.
    """
    found = once_decoded(value)
    is_twice = WORD.search(value) and WORD.search(found) and not WORD.sub("", found).strip()
    return once_decoded(found) if is_twice else found


def once_decoded(value):
    found, pending, last = [], None, 0
    for match in WORD.finditer(value):
        charset, encoding, text = match.groups()
        text = text[:-2] if text.endswith("?=") else text.rstrip("?")
        between = value[last:match.start()]
        last = match.end()
        # Blanks between two words are none. A letter may begin in one word and end in the next.
        if pending and not between.strip() and codec_of(charset) == codec_of(pending[0]):
            if encoding in "bB" and UNFINISHED.fullmatch(pending[2]):
                # The letters of base64 that mean three bytes are in two words.
                pending[2] += text
                pending[1] = pending[3] + content_of(encoding, pending[2], charset)
            else:
                pending[3], pending[2] = pending[1], text if encoding in "bB" else ""
                pending[1] += content_of(encoding, text, charset)
            continue
        if pending:
            found.append(letters(pending[1], pending[0]))
            between = between if between.strip() else ""
        found.append(between)
        # With the letters of the last word of base64, and the bytes before it.
        pending = [charset, content_of(encoding, text, charset), text if encoding in "bB" else "", b""]
    if pending:
        found.append(letters(pending[1], pending[0]))
    found.append(value[last:])
    return " ".join(whole("".join(found)).split())
