"""The parts of the card."""

import copy

import entries

ADDING = "Add a reminder"


def stack(children):
    return {"type": "vstack", "alignment": "leading", "children": children}


def say(text, colour=None, dim=False):
    style = {"foreground": colour} if colour else {"dim": True} if dim else {}
    return {"type": "text", "text": text, "style": style}


def folded(name, words, rows):
    """A list that is shown on request."""
    listed = {"type": "list", "id": "done" if name == "finished" else name, "rows": rows, "allowsAdding": False}
    label = {"type": "text", "text": words, "style": {"foreground": "secondaryLabel"}, "lineLimit": 1}
    return {"type": "fold", "id": name, "label": label, "children": [listed]}


def drafting(*words):
    """The last line: the field for another entry, which is always there, and words behind it.

    It says nothing of its text, so that what is typed stays when the card is drawn again.
    """
    field = {"type": "field", "id": "draft", "placeholder": ADDING, "action": "add"}
    spans = [span for span in words if span]
    if not spans:
        return field
    spans = [part for span in spans for part in ([*span] if isinstance(span, list) else [span]) + ["  "]][:-1]
    behind = {"type": "text", "text": spans, "lineLimit": 1, "layoutPriority": 1}
    return {"type": "hstack", "spacing": 1, "children": [field, {**behind, "style": {"foreground": "secondaryLabel"}}]}


def clear(view):
    """The view with an empty field, for the next entry."""
    view = copy.deepcopy(view)
    foot = view["children"][-1]
    for node in [foot, *foot.get("children", [])]:
        if node.get("id") == "draft":
            node["text"] = ""
    return view


def more_words(rest):
    """How many open entries there is no room for; None without any."""
    if not rest:
        return None
    late = sum(1 for entry in rest if entry.due and entry.due < entries.today())
    return [f"{len(rest)} more, ", {"text": f"{late} late", "style": {"foreground": "red"}}] if late else f"{len(rest)} more"
