"""The words of markup: of HTML, of text that may be HTML, and of plain text."""

import base64
import html
import re
from collections import Counter

# What is looked at of a text; a row needs the beginning.
LIMIT = 10_000

BLOCKS = frozenset(
    "address article aside blockquote body br center dd details dialog dir div dl dt fieldset figcaption figure footer form"
    " h1 h2 h3 h4 h5 h6 header hr legend li main menu nav ol optgroup option p pre section summary table tbody td tfoot th"
    " thead title tr ul".split()
)
VOID = frozenset("area base br col embed hr img input link meta param source track wbr".split())
# Elements that may end without a tag.
OPEN_ENDED = frozenset("dd dt li option p tbody td tfoot th thead tr".split())
HIDDEN = frozenset("head iframe noscript script style template".split())
INLINE = frozenset(
    "a abbr acronym audio b bdi bdo big blink button canvas caption cite code colgroup data datalist del dfn em figure font"
    " html i ins kbd label map mark marquee math meter nobr object output picture progress q rp rt ruby s samp select slot"
    " small span strike strong sub sup svg textarea time tt u var video".split()
)
NAMES = BLOCKS | VOID | OPEN_ENDED | HIDDEN | INLINE

TAG = re.compile(
    r"<(?P<end>/?)(?P<name>[A-Za-z][A-Za-z0-9:-]{0,30})"
    r"(?P<rest>(?:[\s/](?:[^<>\"']*(?:(?:\"[^\"<]*\"|'[^'<]*')[^<>\"']*)*))?)>"
)
REFERENCE = re.compile(r"&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{0,30});")
# What an author never means to be seen, and sees if a program has escaped his text once more.
ESCAPED_AGAIN = re.compile(r"&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|amp|quot|apos);")
# One inside of another has lost its last characters.
CDATA = re.compile(r"<!\[CDATA\[(.*?)(?:\]\]>?|\Z)", re.DOTALL)
# Controls, and what has no width and no meaning outside of a line that is broken.
UNSEEN = re.compile("[\x00-\x08\x0e-\x1b\x7f\u00ad\u200b\u2060\ufeff\ufffe\uffff]")
# Halves of characters, and controls where those who wrote them meant characters of Windows.
ODD = re.compile("[\x80-\x9f\ud800-\udfff]")


def plain(text, is_declared=True):
    """The words of text that is not markup; what does not declare to be that may be escaped twice."""
    text = beginning(text)
    return tidy(text if is_declared else ESCAPED_AGAIN.sub(character, text))


def of_html(text):
    """The words of HTML. What looks like a tag, and is none of HTML, is a word."""
    return of_tags(text, is_known=True)


def of_either(text):
    """The words of text that is HTML where its tags are tags of HTML with an end, as in RSS, where nothing says it."""
    return of_tags(text, is_known=False)


def of_tags(text, is_known):
    text = CDATA.sub(r"\1", without_comments(beginning(text)))
    parts, last, hidden = [], 0, None
    for tag, name, has_end in tags(text, is_known):
        if hidden is None:
            parts.append(text[last : tag.start()])
            if name in BLOCKS:
                parts.append(" ")
        if name in HIDDEN and has_end:
            hidden = None if tag["end"] and hidden == name else hidden or name
        last = tag.end()
    if hidden is None:
        parts.append(text[last:])
    return tidy(ESCAPED_AGAIN.sub(character, REFERENCE.sub(character, "".join(parts))))


def tags(text, is_known):
    """The tags of a text, with their names and whether they have an end.

    What looks like a tag may be none: Vec<T>, Box<u8> and “what is <p> for?” have none.
    """
    found = [(tag, tag["name"].lower()) for tag in TAG.finditer(text)]
    starts = Counter(name for tag, name in found if not tag["end"])
    pairs = starts.keys() & {name for tag, name in found if tag["end"]}

    def is_certain(tag, name):
        return name in NAMES and (name in VOID or name in pairs or "=" in tag["rest"])

    is_markup = is_known or any(is_certain(*one) for one in found)

    def is_tag(tag, name):
        if name not in NAMES:
            return is_known and (name in pairs or ":" in name or "-" in name or "=" in tag["rest"])
        if is_known or is_certain(tag, name):
            return True
        return name in OPEN_ENDED and (is_markup or starts[name] > 1 or tag.start() == 0)

    return [(tag, name, name in pairs) for tag, name in found if is_tag(tag, name)]


def of_base64(text):
    """The text whose bytes are in base64, as in Atom 0.3, in UTF-8 or else in Windows-1252; itself where it is none."""
    try:
        content = base64.b64decode("".join(text.split()), validate=True)
    except ValueError:
        return text
    try:
        return content.decode("utf-8")
    except UnicodeError:
        return content.decode("cp1252", "replace")


def without_comments(text):
    parts, last = [], 0
    while (start := text.find("<!--", last)) >= 0 and (end := text.find("-->", start)) >= 0:
        parts.append(text[last:start])
        last = end + 3
    return "".join([*parts, text[last:]])


def character(reference):
    """What a reference such as &rsquo; means; itself if it means nothing."""
    return html.unescape(reference[0])


def beginning(text):
    """As much of a text as is looked at, without half a tag at its end."""
    if len(text) <= LIMIT:
        return text
    text = text[:LIMIT]
    start = text.rfind("<")
    return text[:start] if start > text.rfind(">") else text


def tidy(text):
    return " ".join(ODD.sub(meant, UNSEEN.sub("", text)).split())


def meant(found):
    return found[0].encode("latin-1", "replace").decode("cp1252", "replace") if found[0] <= "\x9f" else "\ufffd"


def cut(text, count):
    """The beginning of a text that is too long."""
    return text if len(text) <= count else text[: count - 1].rstrip() + "…"
