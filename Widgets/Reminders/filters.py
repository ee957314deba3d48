"""Projects and contexts as filters: a line of them, of which a press shows the entries of one alone."""

LIMIT = 10


def tags(entry):
    """The projects, contexts and tags of an entry, each once."""
    return {word for word, is_tag in entry.words if is_tag and ":" not in word}


class Filter:
    """The one that is chosen, until the card is closed; None shows everything."""

    def __init__(self):
        self.tag = None

    def press(self, tag):
        """Chooses one, or all again where it is the chosen one."""
        self.tag = None if tag == self.tag else tag

    def applied(self, entries):
        return [entry for entry in entries if not self.tag or self.tag in tags(entry)]

    def row(self, entries):
        """The line; None where there is nothing to tell apart."""
        counts = {}
        for entry in entries:
            for tag in tags(entry):
                counts[tag] = counts.get(tag, 0) + 1
        if self.tag:
            counts.setdefault(self.tag, 0)
        if len(counts) < 2 and not self.tag:
            return None
        # Projects before contexts, so that the line stays as it is while entries come and go.
        names = sorted(counts, key=lambda tag: (-counts[tag], tag))[:LIMIT]
        if self.tag and self.tag not in names:
            names[-1] = self.tag
        names.sort(key=lambda tag: (tag.startswith("@"), tag.casefold()))
        spans = []
        for name in names:
            spans += [self.chosen()] if name == self.tag else [self.span(name), {"text": f" {counts[name]}", "style": FAINT}]
            spans.append("   ")
        return {"type": "text", "id": "filters", "text": spans[:-1], "lineLimit": 2}

    def span(self, tag):
        return {"text": tag, "action": f"filter {tag}", "style": {"foreground": "secondaryLabel"}}

    def chosen(self):
        """The chosen one, of which a press shows everything again."""
        return {"text": f"{self.tag} ×", "action": f"filter {self.tag}", "style": {"foreground": "accent", "bold": True}}


FAINT = {"foreground": "tertiaryLabel"}
