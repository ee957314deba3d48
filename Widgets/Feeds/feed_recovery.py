"""XML of what is nearly XML: each entry of a feed as a document of its own, so that what is wrong in it costs it alone."""

import html.entities
import re

from feed_xml import ALL_ELEMENTS, DEPTH, ENTRY_NAMES, TOO_MANY

# A mark, or a tag with what is in it. Quotes of a tag end in it, so that the search is linear.
MARK = re.compile(
    r"<(?:(?P<mark>!--|!\[CDATA\[|\?|![A-Za-z])|(?P<end>/?)(?P<tag>[A-Za-z_][\w.:-]*)(?![\w.:-])"
    r"(?P<rest>[^<>\"']*(?:(?:\"[^\"<]*\"|'[^'<]*')[^<>\"']*)*)>)"
)
ATTRIBUTE = re.compile(r"(?<![\w.:-])([A-Za-z_][\w.:-]{0,100})\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s\"'=]+))")
REFERENCE = re.compile(r"&(?:(#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z_][\w.-]{0,40});)?")
ENTITY = re.compile(r"<!ENTITY\s+([A-Za-z_][\w.-]{0,40})\s+(?:\"([^\"]{0,200})\"|'([^']{0,200})')\s*>")
# A character above U+FFFF as references to its two halves.
PAIR = re.compile(r"&#(?:([0-9]{5})|[xX]([0-9a-fA-F]{4}));&#(?:([0-9]{5})|[xX]([0-9a-fA-F]{4}));")
NO_CHARACTER = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
# Inside of a section of characters, the end of an entry and the next one: the section has no end of its own.
NEXT_ENTRY = re.compile(r"</(?:\w+:)?(?:item|entry)\s*>\s*<(?:\w+:)?(?:item|entry)[\s>]", re.IGNORECASE)
END_OF_SUBSET = re.compile(r"\]\s*>")
ENTITY_LENGTH = 200
# What entities that a feed declares may add to it.
GROWTH = 65_536
ENCLOSING = 16_384
# An entry has as many open elements as what it is in.
HALF_DEPTH = DEPTH // 2 - 1
# Elements of an entry that have none of these inside.
LEAVES = {"title", "link", "guid", "pubdate", "id", "updated", "published"}
FIELDS = LEAVES | {"description", "summary", "content", "author", "category", "comments", "enclosure"}


class Recovery:
    """`documents` gives pairs: whether it is an entry, and its text."""

    def __init__(self, text):
        self.text = PAIR.sub(joined, NO_CHARACTER.sub("", text))
        self.entities = {}
        self.growth = GROWTH
        #: Why not all was read, in words.
        self.problem = None
        self._known = {}

    def documents(self):
        around, outer = [], []
        entry = None
        for kind, name, value in self.tokens():
            if kind == "start" and name.rpartition(":")[2] in ENTRY_NAMES and outer and (entry is None or name == entry.name):
                if entry:
                    yield True, entry.document()
                entry = Piece(name, outer)
            piece = entry.parts if entry else around
            opened = entry.opened if entry else outer
            if kind == "text":
                piece.append(value)
            elif kind == "start":
                if entry and len(opened) == 2 and opened[1][0] in LEAVES and name in FIELDS:
                    piece.append(f"</{opened.pop()[0]}>")
                if len(opened) < HALF_DEPTH:
                    piece.append(value)
                    opened.append((name, value))
            elif kind == "empty":
                piece.append(value)
            elif any(one == name for one, _ in opened):
                while opened:
                    one, _ = opened.pop()
                    piece.append(f"</{one}>")
                    if one == name:
                        break
            elif entry and any(one == name for one, _ in outer):
                # The end of what the entry is in: the entry has none.
                yield True, entry.document()
                entry = None
                while outer:
                    one, _ = outer.pop()
                    around.append(f"</{one}>")
                    if one == name:
                        break
            if entry and not entry.opened:
                yield True, entry.document()
                entry = None
            if kind == "end" and around and not outer:
                # What follows the feed is none of it.
                break
        if entry:
            # Its last words may be half of what they were.
            yield True, None
        if outer:
            self.problem = self.problem or "the feed ends too early"
        yield False, "".join([*around, *(f"</{one}>" for one, _ in reversed(outer))])

    def tokens(self):
        """The kind of each token, its name, and its text as XML."""
        at, name, count = 0, "", 0
        while found := MARK.search(self.text, at):
            count += 1
            if count > 2 * ALL_ELEMENTS:
                self.problem = TOO_MANY
                return
            yield "text", "", self.escaped(self.text[at : found.start()])
            if found["mark"] is None:
                # In small letters, as a start may differ from its end in that alone.
                name = found["tag"].lower()
                at = found.end()
                if found["end"]:
                    yield "end", name, ""
                    continue
                rest = found["rest"].rstrip()
                tag = f"<{name}{self.attributes(rest)}"
                if rest.endswith("/"):
                    yield "empty", name, tag + "/>"
                else:
                    yield "start", name, tag + ">"
            elif found["mark"] == "![CDATA[":
                end, at = self.end_of_characters(found.end(), name)
                yield "text", "", escape(self.text[found.end() : end])
            else:
                at = self.end_of_mark(found)
        yield "text", "", self.escaped(self.text[at:])

    def end_of_characters(self, start, name):
        """Where a section of characters ends, and where it goes on after that.

        One without an end, or that has swallowed the next entry, ends with its element.
        """
        end = self.next("]]>", start)
        stop = end if end >= 0 else len(self.text)
        if end >= 0 and not 0 <= self.next(NEXT_ENTRY, start) < stop:
            return end, end + 3
        match = re.compile(f"</{re.escape(name)}(?![\\w.:-])", re.IGNORECASE).search(self.text, start, stop)
        close = match.start() if match else -1
        return (close, close) if close >= 0 else (stop, stop if end < 0 else end + 3)

    def end_of_mark(self, found):
        """Where a comment, an instruction or a declaration ends."""
        start, mark = found.end(), found["mark"]
        if mark.startswith("!") and mark != "!--":
            return self.end_of_declaration(start)
        closing = "-->" if mark == "!--" else "?>"
        end = self.next(closing, start)
        return end + len(closing) if end >= 0 else start

    def end_of_declaration(self, start):
        end, subset = self.next(">", start), self.next("[", start)
        last = self.next(END_OF_SUBSET, subset) if 0 <= subset < end else -1
        if last >= 0:
            self.declare(self.text[subset:last])
            end = self.next(">", last)
        return end + 1 if end >= 0 else start

    def declare(self, subset):
        """Entities with short values; those that grow out of each other stay what they are in the text."""
        for name, first, second in ENTITY.findall(subset[:ENCLOSING]):
            value = REFERENCE.sub(self.meaning, first or second)
            if len(value) <= ENTITY_LENGTH:
                self.entities.setdefault(name, value)

    def next(self, words, start):
        """Where words, or a pattern, are next; -1 if nowhere. Each is looked for once in each part of the text."""
        found = self._known.get(words, -2)
        if found == -1 or found >= start:
            return found
        if isinstance(words, str):
            found = self.text.find(words, start)
        else:
            match = words.search(self.text, start)
            found = match.start() if match else -1
        self._known[words] = found
        return found

    def attributes(self, rest):
        found = {name.lower(): first or second or third for name, first, second, third in reversed(ATTRIBUTE.findall(rest))}
        return "".join(f' {name}="{self.escaped(value)}"' for name, value in reversed(found.items()))

    def escaped(self, text):
        """Text in which references are what they mean, and what is none stays as it is."""
        return escape(REFERENCE.sub(self.meaning, text))

    def meaning(self, found):
        """The characters that a reference means; itself if it means none."""
        name = found[1] or ""
        if name in self.entities:
            self.growth -= len(self.entities[name])
            return self.entities[name] if self.growth >= 0 else found[0]
        if name.startswith("#"):
            number = int(name[2:], 16) if name[1] in "xX" else int(name[1:])
            is_character = number <= 0x10FFFF and not 0xD800 <= number <= 0xDFFF
            return NO_CHARACTER.sub("", chr(number)) if is_character else "\ufffd"
        return html.entities.html5.get(name + ";", found[0]) if name else found[0]


class Piece:
    """An entry that is being read, inside of the start tags of what it is in."""

    def __init__(self, name, outer):
        self.name = name
        self.opened = []
        tags = [tag for _, tag in outer]
        if sum(map(len, tags)) > ENCLOSING:
            tags = [f"<{name}>" for name, _ in outer]
        self.parts = tags
        self.ends = "".join(f"</{name}>" for name, _ in reversed(outer))

    def document(self):
        return "".join([*self.parts, *(f"</{name}>" for name, _ in reversed(self.opened)), self.ends])


def joined(found):
    """The character of two references; themselves if they are none of its halves."""
    high, low = (int(found[at]) if found[at] else int(found[at + 1], 16) for at in (1, 3))
    is_pair = 0xD800 <= high <= 0xDBFF and 0xDC00 <= low <= 0xDFFF
    return chr(0x10000 + ((high & 0x3FF) << 10) + (low & 0x3FF)) if is_pair else found[0]


def escape(text):
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")
