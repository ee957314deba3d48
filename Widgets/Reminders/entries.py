"""What the sources of reminders have in common: entries, their rows, and refusals."""

import datetime

LINE_LIMIT = 500
COLOURS = {"A": "red", "B": "orange", "C": "yellow", "H": "red", "M": "orange", "L": "yellow"}
CHANGED = "That entry was changed by somebody else; nothing was written."
PENCIL = {
    "type": "text",
    "text": "✎",
    "lineLimit": 1,
    "layoutPriority": 1,
    "style": {"foreground": "tertiaryLabel"},
    "accessibilityLabel": "Edit",
    "help": "Edit this reminder",
}
TEST_CLOCK = []  # the time of a test, if there is one
SORTED = "Reminders are sorted by priority and date; it cannot be moved there."


class Refusal(Exception):
    """Why something was not done, in words for the user."""


class Entry:
    """An entry, open or done; a source says what tells it from others.

    `identifier` is that of its element, `name` that of its row and `action` that of a press; `words`
    are pairs of a word and whether it is a tag; `text` is what the user edits.
    """

    identifier = name = action = text = ""
    is_done = False
    priority = None
    due = None
    start = None  # the day before which it is not listed
    project = ""
    words = ()

    @property
    def is_waiting(self):
        """Whether its day has not come yet."""
        return bool(self.start and self.start > today() and not self.is_done)

    def row(self, is_editing=False, says_due=True, lines=1, has_pencil=False):
        """The row: a press ticks it off, or edits it while the widget is edited; one on the pencil edits it always."""
        row = {"id": self.name, "view": self.node(says_due, lines, has_pencil and not is_editing)}
        return {**row, "action": f"edit {self.name}"} if is_editing else row

    def node(self, says_due=True, lines=1, has_pencil=False):
        spans = []
        if self.priority:
            colour = COLOURS.get(self.priority, "secondaryLabel")
            style = {"foreground": colour, "bold": True}
            spans.append({"text": f"{self.priority} ", **({} if self.is_done else {"style": style})})
        for word, is_tag in self.words:
            # What is done is dim as a whole, which a style of a part would undo.
            spans.append({"text": word + " ", **({} if self.is_done else {"style": {"dim": is_tag}})})
        if spans:
            spans[-1]["text"] = spans[-1]["text"].rstrip()
        words = {"type": "text", "text": spans or " ", "lineLimit": lines}
        if self.is_done:
            words["style"] = {"dim": True, "strikethrough": True}
        toggle = {"type": "toggle", "isOn": self.is_done, "label": words}
        place = {"id": f"entry {self.identifier}", "action": self.action}
        behind = []
        if self.is_waiting:
            behind.append({"type": "text", "lineLimit": 1, "layoutPriority": 1, **start_look(self.start)})
        elif self.due and not self.is_done and says_due:
            behind.append({"type": "text", "lineLimit": 1, "layoutPriority": 1, **due_look(self.due)})
        if has_pencil:
            pencil = {**PENCIL, "id": f"pencil {self.identifier}", "action": f"edit {self.name}"}
            # The row and its check box are one element, as they have one action; the pencil is another.
            toggle["action"] = self.action
            return {**place, "type": "hstack", "spacing": 1, "children": [toggle, {"type": "spacer"}, *behind, pencil]}
        if behind:
            toggle["label"] = {"type": "hstack", "spacing": 1, "children": [words, {"type": "spacer"}, *behind]}
        return {**toggle, **place}


def typed_words(text):
    """The words of what was typed; neither control characters nor half of a surrogate pair."""
    if len(text) > LINE_LIMIT:
        raise Refusal(f"An entry has at most {LINE_LIMIT} characters.")
    return "".join(c if c.isprintable() else " " for c in text).split()


def now():
    """The time in the zone of the user; under test it is that of the test."""
    return TEST_CLOCK[0] if TEST_CLOCK else datetime.datetime.now().astimezone()


def set_now(text):
    """Sets the time of a test, as the host sends it."""
    try:
        TEST_CLOCK[:] = [datetime.datetime.fromisoformat(text.replace("Z", "+00:00")).astimezone()]
    except (AttributeError, ValueError, OverflowError):
        TEST_CLOCK.clear()


def today():
    return now().date()


def day(text):
    try:
        return datetime.date.fromisoformat(text)
    except ValueError:
        return None


def due_look(due):
    """The due date in few words, bold where it is late: colour does not carry it alone."""
    days = (due - today()).days
    names = {-1: "yesterday", 0: "today", 1: "tomorrow"}
    text = names.get(days) or (f"{due.day} {due:%b}" if abs(days) < 300 else None)
    if days < 0:
        style = {"foreground": "red", "bold": True}
    else:
        style = {"foreground": "orange" if days == 0 else "secondaryLabel"}
    return {"text": text or due.isoformat(), "style": style}


def start_look(start):
    """From when on an entry is listed."""
    return {"text": f"from {due_look(start)['text']}", "style": {"foreground": "secondaryLabel"}}


def reason(error):
    return error.strerror.lower() if isinstance(error.strerror, str) else str(error)
