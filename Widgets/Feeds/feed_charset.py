"""The characters of a document of XML: what RFC 7303 says, with the meanings that browsers give to names of charsets."""

import codecs
import email.message
import re

# That of UTF-32 begins with that of UTF-16.
BOMS = [(codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF32_LE, "utf-32-le"), (codecs.BOM_UTF32_BE, "utf-32-be")]
BOMS += [(codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be")]
# A document without a mark, whose first characters have two bytes (XML 1.0, appendix F).
WIDE = [(re.compile(rb"(?:\s\0){0,99}<\0[^\0]\0"), "utf-16-le"), (re.compile(rb"(?:\0\s){0,99}\0<\0[^\0]"), "utf-16-be")]
DECLARED = re.compile(rb"<\?xml\s[^>]{0,200}?encoding\s*=\s*[\"']\s*([A-Za-z0-9._:-]{1,40})")
# Those who write the first mean the second: https://encoding.spec.whatwg.org/#names-and-labels
MEANT = {
    "iso8859-1": "cp1252", "iso8859-9": "cp1254", "iso8859-11": "cp874", "tis-620": "cp874", "gb2312": "gb18030",
    "gbk": "gb18030", "shift_jis": "cp932", "euc_kr": "cp949", "big5": "big5hkscs",
}  # fmt: skip
# Names that Python knows for what is not a charset of documents.
OTHER = {"idna", "punycode", "unicode_escape", "raw_unicode_escape", "utf_7", "undefined", "mbcs", "oem"}
SEVERAL_BYTES = re.compile(rb"[\xc2-\xf4][\x80-\xbf]")


def decode(content, media_type=""):
    """The text of a document, by its mark, the header of the server, its declaration, or as UTF-8.

    Where the bytes are not of the charset, the next of these is tried; where none is right, the first replaces them.
    """
    for mark, name in BOMS:
        if content.startswith(mark):
            return content[len(mark) :].decode(name, "replace")
    names = [charset(of_header(media_type)), *(name for start, name in WIDE if start.match(content))]
    declared = DECLARED.search(content[:2000])
    # What could be read byte by byte is not in units of two or four.
    if declared and not declared[1].lower().startswith((b"utf-16", b"utf-32", b"ucs")):
        names.append(charset(declared[1].decode("ascii")))
    names = [name for name in [*names, "utf-8"] if name]
    for name in names:
        try:
            text = content.decode(name)
        except (UnicodeError, LookupError):
            continue
        if "<" in text:
            return utf8_in_disguise(content, text) if name == "cp1252" else text
    # Text of one byte a character, which nobody declared, is that of Windows.
    name = "cp1252" if names[0] == "utf-8" and not SEVERAL_BYTES.search(content) else names[0]
    return content.decode(name, "replace")


def utf8_in_disguise(content, text):
    """Text of one byte a character, which is UTF-8 if its bytes are: servers say ISO-8859-1 of all that they have."""
    if SEVERAL_BYTES.search(content):
        try:
            return content.decode("utf-8")
        except UnicodeError:
            pass
    return text


def of_header(media_type):
    """The charset of a Content-Type."""
    message = email.message.Message()
    message["Content-Type"] = re.sub(r"[\r\n]", " ", media_type[:500])
    return str(message.get_param("charset") or "")


def charset(label):
    """The name that Python has for a charset; None if it is none."""
    label = label.strip(" \t'\"").lower()
    name = {"sjis": "cp932", "x-sjis": "cp932"}.get(label, label[2:] if label.startswith("x-") else label)
    try:
        known = codecs.lookup(name).name
        b"<>".decode(known, "replace")
    except (LookupError, ValueError):
        return None
    return None if known.replace("-", "_") in OTHER else MEANT.get(known, known)
