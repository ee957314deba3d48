"""Widgets for today in Python: the message loop, the nodes of a view, and work that must not block.

    from todaykit import Widget, text

    class Hello(Widget):
        def widget_perform_update(self, reason):
            return text("Hello")

    Hello().run()

The names are those of the protocol (Docs/Protocol.md). Only the standard library of Python 3.9 is used.
"""

import datetime
import json
import os
import queue
import shutil
import subprocess
import sys
import threading
import urllib.error
import urllib.request

# The host waits 30 s for an update; what takes longer must fail before.
UPDATE_SECONDS = 25
# The height of a compact card that has an expanded form.
COMPACT_ROWS = 4
ANSWER_LIMIT = 4 * 1024 * 1024


class Failure(Exception):
    """Why something was not done, in words for the user."""


class Widget:
    """A widget: override the methods of the protocol that it needs.

    An update and a press run in a thread of their own, one after the other; they may wait.
    """

    #: Whether there is more to show than the rows of the compact form; `offer_more` sets it.
    expands = False

    def __init__(self):
        self.configuration = {}
        self.width = 40
        self.is_expanded = False
        self.locale = "en_US"
        self.data = None
        self.denied = []
        self._now = None
        self._work = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._answers = {}
        self._count = 0
        self._has_started = False

    # What a widget overrides.

    def initialize(self):
        """Called first, when configuration and folders are known."""

    def view(self):
        """The present view; None if there is none before the first update. It must not wait."""
        return None

    def widget_perform_update(self, reason):
        """Gets new data: returns a view, None if nothing is new, or raises Failure."""
        return None

    def perform_action(self, action, value):
        """Does what a pressed element means: returns a view or None, or raises Failure."""
        return None

    # What a widget calls.

    def now(self):
        """The time, with the zone of the page; under test it is the time of the test."""
        return self._now or datetime.datetime.now().astimezone()

    def setting(self, name, standard=None):
        """The value of a setting; `standard` if it is not set, or empty."""
        value = self.configuration.get(name)
        return standard if value is None or value == "" or value == [] else value

    def set_view(self, view):
        """Shows a view at any time."""
        self._notify("setView", {"view": view})

    def offer_more(self, flag):
        """Sets whether the card has an expanded form; a compact card that has one is 4 rows high."""
        if flag != self.expands and self._has_started:
            self._notify("setLargestAvailableDisplayMode", {"mode": "expanded" if flag else "compact"})
        self.expands = flag

    def fit(self, full, short, rows=COMPACT_ROWS):
        """The rows to show: all of `full` if they fit or the card is expanded, else the first of `short`."""
        more = len(full) > rows
        self.offer_more(more)
        return full if self.is_expanded or not more else short[:rows]

    def log(self, message, level="info"):
        """Writes to the log of the widget."""
        self._notify("log", {"level": level, "message": str(message)})

    def open_url(self, url):
        """Opens a URL after a press; returns whether something was started."""
        return self.request("openURL", {"url": url}).get("success", False)

    def request(self, method, params, seconds=10):
        """Asks the host for something, and waits for the answer; raises Failure if it is refused."""
        answered = threading.Event()
        with self._lock:
            self._count += 1
            identifier = f"kit {self._count}"
            self._answers[identifier] = [answered, None]
        self._send({"id": identifier, "method": method, "params": params})
        answered.wait(seconds)
        message = self._answers.pop(identifier)[1] or {"error": {"message": "the host did not answer"}}
        if "error" in message:
            raise Failure(str(message["error"].get("message", "refused")))
        return message.get("result") or {}

    def load(self, name, standard):
        """A value that was stored in the widget's container; `standard` if there is none."""
        try:
            with open(os.path.join(self.data, name + ".json"), encoding="utf-8") as file:
                return json.load(file)
        except (OSError, ValueError, TypeError):
            return standard

    def store(self, name, value):
        """Stores a value in the widget's container, whole or not at all."""
        if not self.data:
            return
        path = os.path.join(self.data, name + ".json")
        try:
            with open(path + ".new", "w", encoding="utf-8") as file:
                json.dump(value, file)
            os.replace(path + ".new", path)
        except OSError as error:
            self.log(f"{path} was not written: {error.strerror}", "warning")

    # The message loop.

    def run(self):
        """Serves the host until it ends."""
        threading.Thread(target=self._perform, daemon=True).start()
        for line in sys.stdin.buffer:
            try:
                message = json.loads(line)
            except ValueError:
                self._refuse(None, -32700, "a line is not JSON")
                continue
            if not isinstance(message, dict):
                self._refuse(None, -32600, "a message is an object")
            elif "method" not in message:
                self._take_answer(message)
            elif message["method"] == "shutdown":
                break
            else:
                self._handle(message)
        sys.stdout.flush()
        # A thread that still waits for a network must not keep the process.
        os._exit(0)

    def _handle(self, message):
        method, identifier = message["method"], message.get("id")
        params = message.get("params") or {}
        handler = getattr(self, "_" + str(method), None) if method in METHODS else None
        if handler is None:
            if identifier is not None:
                self._refuse(identifier, -32601, f"{method} is not implemented")
        elif not isinstance(params, dict):
            self._refuse(identifier, -32602, "params must be an object")
        elif method in ("widgetPerformUpdate", "performAction"):
            self._work.put((handler, params, identifier))
        else:
            self._answer(handler, params, identifier)

    def _perform(self):
        while True:
            self._answer(*self._work.get())

    def _answer(self, handler, params, identifier):
        try:
            result = handler(params)
        except Failure as failure:
            self._refuse(identifier, -32603, str(failure))
        except Exception as error:  # A fault of the widget costs this answer alone.
            self._refuse(identifier, -32603, f"{type(error).__name__}: {error}")
        else:
            if identifier is not None:
                self._send({"id": identifier, "result": result})

    def _initialize(self, params):
        self.configuration = params.get("configuration") or {}
        self.locale = params.get("locale") or self.locale
        self.denied = params.get("denied") or []
        self.data = (params.get("containers") or {}).get("data")
        self.is_expanded = params.get("activeDisplayMode") == "expanded"
        self._take_width(params.get("maximumSize"))
        self._take_now(params)
        self.initialize()
        result = self._with_view({"protocolVersion": 1, "implements": METHODS[1:-1]}, self.view())
        if self.expands:
            result["largestAvailableDisplayMode"] = "expanded"
        self._has_started = True
        return result

    def _viewWillAppear(self, params):
        before = self.width
        self._take_width(params.get("size"))
        return self._with_view({}, self.view() if self.width != before else None)

    def _viewWillTransitionToSize(self, params):
        self._take_width(params.get("size"))
        view = self.view()
        return {"alongside": view} if view else {}

    def _widgetActiveDisplayModeDidChange(self, params):
        self.is_expanded = params.get("activeDisplayMode") == "expanded"
        self._take_width(params.get("maximumSize"))
        view = self.view()
        if view:
            self.set_view(view)

    def _widgetPerformUpdate(self, params):
        try:
            view = self.widget_perform_update(params.get("reason", "schedule"))
        except Failure as failure:
            return {"result": "failed", "error": str(failure)}
        return {"result": "newData", "view": view} if view else {"result": "noData"}

    def _performAction(self, params):
        return self._with_view({}, self.perform_action(params.get("action"), params.get("value")))

    def _clockDidChange(self, params):
        self._take_now(params)

    def _take_width(self, size):
        if isinstance(size, dict) and isinstance(size.get("width"), int):
            self.width = max(1, size["width"])

    def _take_now(self, params):
        if isinstance(params.get("now"), str):
            self._now = datetime.datetime.fromisoformat(params["now"].replace("Z", "+00:00"))

    @staticmethod
    def _with_view(result, view):
        return {**result, "view": view} if view else result

    def _take_answer(self, message):
        waiting = self._answers.get(message.get("id"))
        if waiting:
            waiting[1] = message
            waiting[0].set()

    def _notify(self, method, params):
        self._send({"method": method, "params": params})

    def _refuse(self, identifier, code, words):
        self._send({"id": identifier, "error": {"code": code, "message": words}})

    def _send(self, message):
        line = json.dumps({"jsonrpc": "2.0", **message}, ensure_ascii=False)
        with self._lock:
            sys.stdout.write(line + "\n")
            sys.stdout.flush()


# The first is for every widget, and the last is sent to none that lists it: it is for tests.
METHODS = [
    "initialize",
    "viewWillAppear",
    "viewWillTransitionToSize",
    "widgetActiveDisplayModeDidChange",
    "widgetPerformUpdate",
    "performAction",
    "clockDidChange",
]


# Nodes of a view.


def text(words, colour=None, *, bold=False, dim=False, limit=1, align=None, **more):
    """A text; `words` is a string or a list of spans."""
    style = {}
    if colour:
        style["foreground"] = colour
    if bold:
        style["bold"] = True
    if dim:
        style["dim"] = True
    node = {"type": "text", "text": words, **more}
    if style:
        node["style"] = style
    if limit:
        node["lineLimit"] = limit
    if align:
        node["alignment"] = align
    return node


def span(words, colour=None, *, bold=False, **more):
    """A part of a text with a style, a link or an action of its own."""
    style = {**({"foreground": colour} if colour else {}), **({"bold": True} if bold else {})}
    return {"text": words, **({"style": style} if style else {}), **more}


def secondary(words, **more):
    """A text that is less important."""
    return text(words, "secondaryLabel", **more)


def vstack(*children, spacing=0):
    return {"type": "vstack", "children": list(children), "spacing": spacing}


def hstack(*children, spacing=1):
    return {"type": "hstack", "children": list(children), "spacing": spacing}


def spacer():
    return {"type": "spacer"}


def divider():
    return {"type": "divider"}


def grid(rows, columns=None, spacing=2):
    """Rows of nodes; a column is "leading", "trailing" or a dictionary."""
    shapes = [{"alignment": one} if isinstance(one, str) else one for one in columns or []]
    return {"type": "grid", "rows": rows, "columns": shapes, "columnSpacing": spacing}


def gauge(value, minimum=0, maximum=1, *, label=None, words=None, thresholds=()):
    """A bar; `thresholds` are pairs of a value and a colour."""
    node = {"type": "gauge", "value": value, "minimum": minimum, "maximum": maximum}
    if label:
        node["label"] = label
    if words:
        node["valueLabel"] = words
    if thresholds:
        node["thresholds"] = [{"at": at, "foreground": colour} for at, colour in thresholds]
    return node


def sparkline(values, *, minimum=None, maximum=None):
    node = {"type": "sparkline", "values": list(values)}
    if minimum is not None:
        node["minimum"] = minimum
    if maximum is not None:
        node["maximum"] = maximum
    return node


def button(words, action):
    return {"type": "button", "label": words, "action": action}


def fold(label, *children, identifier=None):
    node = {"type": "fold", "label": label, "children": list(children)}
    if identifier:
        node["id"] = identifier
    return node


# Other programs and servers.


def run(command, *, seconds=UPDATE_SECONDS, install=None, environment=None, folder=None, codes=(0,)):
    """What a command prints; raises Failure in words if it is missing, slow, or fails."""
    if not shutil.which(command[0]):
        hint = f"; install it with: apt install {install}" if install else ""
        raise Failure(f"{command[0]} is not installed{hint}")
    try:
        done = subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=seconds,
            env={**os.environ, "LC_ALL": "C.UTF-8", **(environment or {})},
            cwd=folder,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise Failure(f"{command[0]} did not answer within {seconds} s") from None
    except OSError as error:
        raise Failure(f"{command[0]}: {error.strerror}") from error
    if done.returncode not in codes:
        lines = done.stderr.decode("utf-8", "replace").strip().splitlines()
        raise Failure(f"{command[0]}: {lines[-1] if lines else f'exit {done.returncode}'}")
    return done.stdout.decode("utf-8", "replace")


def fetch(url, *, seconds=15, headers=None, limit=ANSWER_LIMIT, body=None):
    """The bytes that a server answers, with a body to POST; raises Failure in words for a person."""
    if not url.startswith(("http://", "https://")):
        raise Failure(f"{url} is no address of a server")
    request = urllib.request.Request(url, body, {"User-Agent": "today", **(headers or {})})
    try:
        with urllib.request.urlopen(request, timeout=seconds) as answer:
            content = answer.read(limit + 1)
    except urllib.error.HTTPError as error:
        raise Failure(f"the server answered {error.code} {error.reason}".strip()) from error
    except urllib.error.URLError as error:
        if isinstance(error.reason, TimeoutError):
            raise Failure(f"the server did not answer within {seconds} s") from error
        raise Failure(f"no connection: {reason(error.reason)}") from error
    except TimeoutError as error:
        raise Failure(f"the server did not answer within {seconds} s") from error
    except (OSError, ValueError) as error:
        raise Failure(f"no connection: {reason(error)}") from error
    if len(content) > limit:
        raise Failure(f"the server sent more than {limit // 1024} KiB")
    return content


def fetch_json(url, **more):
    """The JSON that a server answers."""
    try:
        return json.loads(fetch(url, **more))
    except ValueError as error:
        raise Failure("the server did not answer with JSON") from error


def reason(error):
    """An error of the system in words."""
    words = getattr(error, "strerror", None) or str(error) or type(error).__name__
    return words[0].lower() + words[1:]


def number(value, places=1):
    """A number in few characters: 1.5, 12, 3."""
    words = f"{value:.{places}f}"
    return words.rstrip("0").rstrip(".") if "." in words else words


def bytes_words(count):
    """A number of bytes: 1.5 GiB."""
    for unit in ("B", "KiB", "MiB", "GiB", "TiB"):
        if abs(count) < 1024 or unit == "TiB":
            return f"{number(count, 0 if unit == 'B' or abs(count) >= 100 else 1)} {unit}"
        count /= 1024
    return ""


def duration_words(seconds):
    """A time in one unit: 45 s, 3 min, 2 h, 5 d."""
    seconds = max(0, seconds)
    for limit, size, unit in ((60, 1, "s"), (3600, 60, "min"), (86400, 3600, "h")):
        if seconds < limit:
            return f"{int(seconds // size)} {unit}"
    return f"{int(seconds // 86400)} d"
