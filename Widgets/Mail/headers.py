"""The head of a message: its fields (RFC 5322), its sender and its subject, from bytes of any kind."""

import codecs
import re

from encoded_words import WORD, decoded, raw_letters

# More of a field is not looked at; no name and no subject is that long.
FIELD_LIMIT = 8 * 1024
# An address is looked for in so many words of a field.
TOKEN_LIMIT = 400
FIELD = re.compile(rb"([!-9;-~]+)[ \t]*:(.*)", re.DOTALL)
# An encoded word can have any of the signs that follow; a quoted string and an address too.
TOKEN = re.compile(
    re.sub(r"\((?!\?)", "(?:", WORD.pattern)
    + r'|"(?:\\.|[^"\\])*"|<[^<>]*>|[,;:()]|(?:(?!=\?)[^\s"<>,;:()])+|\s+|.',
    re.DOTALL,
)


class Message:
    """What is shown of a message."""

    def __init__(self, sender, subject):
        self.sender, self.subject = sender, subject


class Unreadable(Exception):
    """A file that has no field of a message."""


def message(head):
    """What is shown of a message with this head; raises Unreadable if it is none."""
    found = fields(head)
    if not found:
        raise Unreadable
    match = re.search(rb"""charset(?:\*0?\*?)?\s*=\s*["']?(?:[\w-]*'[\w-]*')?([A-Za-z0-9_.:-]+)""", found.get("content-type", b""), re.IGNORECASE)
    charset = match.group(1).decode() if match else ""
    text = {name: raw_letters(found.get(name, b""), charset) for name in ("from", "sender", "subject")}
    who = without_quotes(sender(text["from"]) or sender(text["sender"]))
    return Message(who or "unknown sender", decoded(text["subject"]) or "no subject")


def fields(head):
    """The fields by their names in small letters, unfolded: of those with one name the first that is not empty."""
    found, name = {}, None
    for line in re.split(rb"\r\n|\n|\r", head.replace(b"\0", b"").removeprefix(codecs.BOM_UTF8).lstrip(b"\r\n")):
        if not line:
            break
        match = FIELD.fullmatch(line)
        if line[:1] in b" \t":
            if name and len(found[name]) < FIELD_LIMIT:
                found[name] += line[:FIELD_LIMIT]
        elif match:
            name = match.group(1).decode().lower()
            # A field that is repeated, continued or not, is collected where nobody looks.
            name = name if not found.get(name, b"").strip() else name + " again"
            found[name] = match.group(2)[:FIELD_LIMIT].strip()
        else:
            name = None  # such as the first line of a message of mbox
    return found


def sender(value):
    """The name of the first mailbox of a field, else its address; empty if there is none.

    An address is taken apart before its encoded words are decoded: they can have an @ or a comma (RFC 2047, section 6.2).
    """
    words, comments, address = [], [], None
    depth = 0
    tokens = TOKEN.findall(value[:FIELD_LIMIT // 4])[:TOKEN_LIMIT]
    if tokens.count("(") > tokens.count(")"):
        tokens = [token for token in tokens if token not in "()"]  # A comment that does not end is none.
    for index, token in enumerate(tokens):
        if token == "(":
            depth += 1
        elif token == ")" and depth:
            depth -= 1
            comments.append(" ")
        elif depth:
            comments.append(token)
        elif token.startswith("<") and token.endswith(">") and len(token) > 1:
            address = token[1:-1].rpartition(":")[2].strip()
            break
        elif token == ":" and ";" in tokens[index:]:
            # The name of a group is shown only where nobody is in it.
            if re.fullmatch(r"\s*", "".join(tokens[index + 1:tokens.index(";", index)])):
                break
            words = []
        elif token in (",", ";") and (not "".join(words).strip() or "@" in "".join(unencoded(words))):
            if "".join(words).strip():
                break
        else:
            words.append(token)
    if address is None and any("@" in word for word in unencoded(words)):
        # An address alone, with its name in a comment at most.
        return decoded("".join(comments)) or decoded("".join(map(unquoted, words)))
    return decoded("".join(map(unquoted, words))) or address or decoded("".join(comments))


def without_quotes(name):
    """A name without the quotation marks that were encoded with it."""
    inner = name[1:-1].strip()
    return inner if name[:1] == name[-1:] == '"' and inner and '"' not in inner else name


def unencoded(words):
    return [word for word in words if not word.startswith(("=?", '"'))]


def unquoted(word):
    """The words of a quoted string; one quotation mark alone is none."""
    if len(word) > 1 and word.startswith('"') and word.endswith('"'):
        return re.sub(r"\\(.)", r"\1", word[1:-1])
    return "" if word in ('"', "<", ">") else word
