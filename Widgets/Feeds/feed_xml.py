"""Elements of XML with their namespaces and base addresses, as expat reads them, one entry of a feed after the other."""

from urllib.parse import urljoin
from xml.parsers import expat

DEPTH = 100
# That are kept of one entry, and of all that is around the entries.
ELEMENTS = 20_000
# That are read of a feed; one of 200 entries has some thousands.
ALL_ELEMENTS = 200_000
TOO_MANY = "the feed has too many elements"
XML = "http://www.w3.org/XML/1998/namespace"
# What those who do not declare a prefix mean by it.
USUAL = {
    "xml": XML,
    "atom": "http://www.w3.org/2005/Atom",
    "content": "http://purl.org/rss/1.0/modules/content/",
    "dc": "http://purl.org/dc/elements/1.1/",
    "dcterms": "http://purl.org/dc/terms/",
    "rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
}
ENTRY_NAMES = {"item", "entry"}
# Namespaces of entries of feeds: of none, as RSS, and of RSS 0.9 and 1.0.
OWN = {"", "http://purl.org/rss/1.0/", "http://my.netscape.com/rdf/simple/0.9/"}


class Broken(Exception):
    """The text is not XML."""


class Finished(Exception):
    """There are more entries or elements than are read."""


class Element:
    """`space` is the address of its namespace, `base` that which its links are relative to."""

    __slots__ = ("attributes", "base", "content", "name", "space")

    def __init__(self, space, name, attributes, base):
        self.space, self.name, self.attributes, self.base = space, name, attributes, base
        self.content = []

    def elements(self):
        return [one for one in self.content if isinstance(one, Element)]

    def find(self, name, *spaces):
        """The elements with a name in small letters in one of the namespaces, those of the first before the others."""
        return [one for space in spaces for one in self.elements() if one.name == name and one.space == space]

    def text(self):
        """All characters inside."""
        parts, rest = [], [self]
        while rest:
            one = rest.pop()
            if isinstance(one, Element):
                rest.extend(reversed(one.content))
            else:
                parts.append(one)
        return "".join(parts)


class Reader:
    """Reads a document: gives each entry of the feed's own namespace to `take`, and keeps the rest in `root`."""

    def __init__(self, base, take):
        self.root = None
        #: Why not all was read, in words.
        self.problem = None
        self.native = None
        self.take = take
        self.base = base
        # The open elements, and the prefixes that each declares.
        self.open = []
        self.declared = []
        self.entry = None
        self.elements = self.inside = self.around = 0

    def read(self, text):
        # Without namespaces of expat, for which a prefix without a declaration is an error.
        parser = expat.ParserCreate()
        parser.buffer_text = True
        parser.StartElementHandler = self.start
        parser.EndElementHandler = self.end
        parser.CharacterDataHandler = self.data
        try:
            parser.Parse(text, True)
        except (expat.ExpatError, UnicodeError) as error:
            raise Broken(str(error)) from error
        except Finished:
            pass

    def start(self, tag, attributes):
        if len(self.open) >= DEPTH:
            raise Broken("too many elements inside of each other")
        self.elements += 1
        if self.elements > ALL_ELEMENTS:
            self.problem = TOO_MANY
            raise Finished
        self.declared.append({key[6:]: value for key, value in attributes.items() if key.startswith("xmlns") and key[5:6] in ("", ":")})
        # Some programs write the names of RSS in capitals, which other readers take too.
        prefix, _, name = tag.rpartition(":")
        name, attributes = name.lower(), {key.lower(): value for key, value in attributes.items()}
        parent = self.open[-1] if self.open else None
        base = parent.base if parent else self.base
        element = Element(self.space(prefix.lower()), name, attributes, joined(base, attributes.get("xml:base")))
        if self.native is None and name in ("feed", "channel"):
            self.native = element.space
        if parent is None:
            self.root = element
        elif self.entry is None and name in ENTRY_NAMES and self.is_own(element.space):
            # It is given away when it is complete, and not kept.
            self.entry, self.inside = element, 0
        elif self.has_room():
            parent.content.append(element)
        self.open.append(element)

    def end(self, tag):
        element = self.open.pop()
        self.declared.pop()
        if element is self.entry:
            self.entry = None
            self.take(element)

    def data(self, characters):
        self.open[-1].content.append(characters)

    def has_room(self):
        self.inside += self.entry is not None
        self.around += self.entry is None
        return (self.inside if self.entry else self.around) <= ELEMENTS

    def is_own(self, space):
        if self.native is not None:
            return space == self.native
        # In an entry that is recovered alone, the channel of RDF is not around it.
        return space in OWN or space == self.declared[0].get("")

    def space(self, prefix):
        """The namespace of a prefix; that of no prefix is empty if there is none."""
        for declared in reversed(self.declared):
            if prefix in declared:
                return declared[prefix]
        return USUAL.get(prefix, f"{prefix}:") if prefix else ""


def joined(base, reference):
    """A reference against a base (RFC 3986, 5); the base if it is none of the web."""
    try:
        found = urljoin(base, reference.strip()) if reference else base
    except ValueError:
        return base
    return found if found.lower().startswith(("http://", "https://")) else base
