"""What was done with an entry last: the row that offers to bring back a removed one, or says how a typed one was read."""

import os
import time

import entries

# How long the row is shown, unless something else is done before.
SECONDS = float(os.environ.get("TODAY_UNDO_SECONDS", 30))


class Removal:
    def __init__(self, entry, undo):
        self.entry = entry
        self.undo = undo
        self.end = time.monotonic() + SECONDS

    def row(self):
        words = " ".join(word for word, _ in self.entry.words)
        removed = {"type": "text", "text": f"Removed “{words}”", "lineLimit": 1, "layoutPriority": -1}
        removed["style"] = {"foreground": "secondaryLabel"}
        undo = {"type": "button", "id": "undo", "label": "Undo", "action": "undo"}
        return {"type": "hstack", "id": "removed", "spacing": 1, "children": [removed, undo]}


class Reading:
    """An entry that was typed, with its dates as they were read: `words` says what was done with it."""

    undo = None

    def __init__(self, entry, words):
        self.entry = entry
        self.words = words
        self.end = time.monotonic() + SECONDS

    @property
    def facts(self):
        """What was read besides the words; none where there was nothing to read."""
        found = [f"due {entries.due_look(self.entry.due)['text']}"] if self.entry.due else []
        found += [f"listed {entries.start_look(self.entry.start)['text']}"] if self.entry.is_waiting else []
        found += [f"“{word}” is not a day" for word, _ in self.entry.words if word.lower().startswith("due:")]
        return found

    def row(self):
        words = f"{self.words}: {', '.join(self.facts)}"
        return {"type": "text", "id": "read", "text": words, "lineLimit": 1, "style": {"foreground": "secondaryLabel"}}
