"""The messages of the protocol: what a widget answers, and what it says by itself."""

import json
import sys

from entries import Refusal

NOTIFICATIONS = [
    "widgetDidBeginEditing",
    "widgetDidEndEditing",
    "widgetActiveDisplayModeDidChange",
    "clockDidChange",
]
METHODS = [
    "viewWillAppear",
    "widgetPerformUpdate",
    "performAction",
    "listDidRemoveRow",
    "listDidMoveRow",
    "widgetListPerformAddAction",
    *NOTIFICATIONS,
]


def set_view(view):
    return {"jsonrpc": "2.0", "method": "setView", "params": {"view": view}}


def answer(widget, call):
    """The answer to a message; None where it wants none."""
    if not isinstance(call, dict) or not isinstance(call.get("method"), str):
        return failure(None, -32600, "a message needs a method, a string")
    if "id" not in call:
        if call["method"] == "shutdown":
            sys.exit(0)
        if call["method"] in NOTIFICATIONS:
            return getattr(widget, call["method"])(call.get("params"))
        return None
    if call["method"] not in ["initialize", *METHODS]:
        return failure(call["id"], -32601, f"{call['method']} is not implemented")
    params = call.get("params")
    if not isinstance(params, (dict, type(None))):
        return failure(call["id"], -32602, "params must be an object")
    try:
        result = getattr(widget, call["method"])(params or {})
    except Refusal as refusal:
        return failure(call["id"], -32603, str(refusal))
    return {"jsonrpc": "2.0", "id": call["id"], "result": result}


def failure(identifier, code, message):
    return {"jsonrpc": "2.0", "id": identifier, "error": {"code": code, "message": message}}


def send(widget, message):
    """Sends a message, after whether there is more to show than is said yet."""
    messages = [message] if message else []
    if widget.offers_more != widget.said_more:
        widget.said_more = widget.offers_more
        mode = "expanded" if widget.offers_more else "compact"
        method = "setLargestAvailableDisplayMode"
        messages.insert(0, {"jsonrpc": "2.0", "method": method, "params": {"mode": mode}})
    if messages:
        print("\n".join(json.dumps(shown(message)) for message in messages), flush=True)


def shown(value):
    """A message, or a part of it, without NULs, which the host takes for a fault; what is read has some where it was damaged."""
    if isinstance(value, str):
        return value.replace("\0", "")
    if isinstance(value, dict):
        return {key: shown(one) for key, one in value.items()}
    return [shown(one) for one in value] if isinstance(value, (list, tuple)) else value


def take(widget, line):
    """Answers one line of the host."""
    try:
        call = json.loads(line)
    except ValueError:
        reply = failure(None, -32700, "a line is not JSON")
    else:
        reply = answer(widget, call)
    send(widget, reply)
