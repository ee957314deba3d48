"""An entry that was removed, and the row that offers to bring it back."""

import os
import time

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
