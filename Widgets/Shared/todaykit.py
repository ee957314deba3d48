"""Widgets, share extensions and actions for today in Python: the message loop, the nodes of a view, and work that must not block.

    from todaykit import Widget, text

    class Hello(Widget):
        def widget_perform_update(self, reason):
            return text("Hello")

    Hello().run()

The names are those of the protocol (Docs/Protocol.md); Docs/Kits/Python.md is the reference. Only the standard library
of Python 3.9 is used. It is one file, however long, so that a widget can have a copy of it beside it.
"""

from __future__ import annotations

import base64
import datetime
import http.client
import json
import os
import queue
import shutil
import socket
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Callable, Dict, List, Optional, Set, Tuple, Union

#: An object of the protocol, such as a node, a message, or a part of one.
JSON = Dict[str, Any]
#: An element of a view; a string is a text.
Node = Union[str, JSON]
#: A part of a text.
Span = Union[str, JSON]

# The host waits 30 s for an update; what takes longer must fail before.
UPDATE_SECONDS = 25
# The height of a compact card that has an expanded form.
COMPACT_ROWS = 4
# The rows that an expanded card on a page may have.
MOST_ROWS = 100
ANSWER_LIMIT = 4 * 1024 * 1024
# Parts of a file of gzip that are read.
MEMBERS = 64
# As much as is read of why a server refuses, and as many characters as are shown of it.
REASON_LIMIT = 64 * 1024
REASON_LENGTH = 200
# Most bytes of a message, and most of one text in a view, with some for what is around it.
LINE_LIMIT = 250 * 1024
TEXT_LIMIT = 16 * 1000


class Failure(Exception):
    """Why something was not done, in words for the user."""

    def __init__(self, *words: object, output: str = "", view: Optional[Node] = None) -> None:
        super().__init__(*words)
        #: What an update that has failed shows, in place of the view before it.
        self.view = view
        #: All that a program has written to its standard error, if one has failed.
        self.output = output


class Extension:
    """What widgets, share extensions and actions have in common; make one of its subclasses.

    Override the methods of the protocol that are needed. Those that METHODS names are implemented if they are overridden.
    A press and what the user changes run in a thread of their own, one after the other; they may wait. All others must not.
    """

    #: Messages that are always implemented.
    ALWAYS: Sequence[str] = ()
    #: Messages that are implemented if the method is overridden.
    METHODS: Mapping[str, str] = {}
    #: Messages whose methods may wait, and are called one after the other.
    WAITING: Set[str] = set()

    def __init__(self) -> None:
        #: The values of the settings; `setting` reads one.
        self.configuration: JSON = {}
        #: The columns of the view.
        self.width = 40
        self.locale = "en_US"
        #: The folder of the extension, and one for what can be loaded again.
        self.data: Optional[str] = None
        self.cache: Optional[str] = None
        #: The folders of its app groups by their names.
        self.groups: Dict[str, str] = {}
        #: The entitlements that it requests and may not have.
        self.denied: List[str] = []
        #: `colors` and `dark`.
        self.appearance: JSON = {}
        self._now: Optional[datetime.datetime] = None
        self._work: queue.SimpleQueue[Tuple[Handler, JSON, Any]] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._answers: Dict[str, Waiting] = {}
        self._count = 0

    # What an extension overrides.

    def initialize(self) -> None:
        """Called first, when configuration and folders are known."""

    def view(self) -> Optional[Node]:
        """The present view; None if there is none before the first update. It must not wait."""
        return None

    def perform_action(self, action: str, value: Union[bool, str, None]) -> Optional[Node]:
        """Does what a pressed element means: returns a view or None, or raises Failure.

        `value` is the new state of a toggle, or the text of a field.
        """
        return None

    def field_did_change(self, field: str, text: str) -> Optional[Node]:
        """The user types: returns a view whose field has this text, or None."""
        return None

    def list_should_remove_row(self, list: str, row: str) -> bool:
        """Whether a row may be removed."""
        return True

    def list_did_remove_row(self, list: str, row: str) -> Optional[Node]:
        """The user removed a row: returns a view or None; a Failure puts it back."""
        return None

    def list_did_move_row(self, list: str, row: str, before: Optional[str]) -> Optional[Node]:
        """The user moved a row before another one, or to the end: returns a view or None; a Failure puts it back."""
        return None

    def widget_list_perform_add_action(self, list: str) -> Optional[Node]:
        """The user asks for a new row: returns a view or None."""
        return None

    def view_did_appear(self) -> None:
        """The view is on the screen."""

    def view_will_disappear(self) -> None:
        """The view leaves the screen: store what must not be lost."""

    def appearance_did_change(self) -> Optional[Node]:
        """`appearance` is new: returns a view or None."""
        return None

    def did_receive_memory_warning(self) -> None:
        """The widget uses more than 64 MiB; above 128 MiB it is ended."""

    def defaults_did_change(self, suite: str, keys: List[str]) -> Optional[Node]:
        """Another process has changed values of a suite: returns a view or None."""
        return None

    def did_receive_notification(self, name: str) -> Optional[Node]:
        """An observed notification was posted: returns a view or None."""
        return None

    def notices_did_change(self) -> Optional[Node]:
        """There are other notices than `read_notices` has read: returns a view or None."""
        return None

    def expiring_activity(self, activity: int) -> None:
        """The time of an activity has run out; the widget is suspended in 1 s."""

    # What an extension calls.

    def now(self) -> datetime.datetime:
        """The time, with the zone of the page; under test it is the time of the test."""
        return self._now or datetime.datetime.now().astimezone()

    def setting(self, name: str, standard: Any = None) -> Any:
        """The value of a setting; `standard` if it is not set, or empty."""
        value = self.configuration.get(name)
        return standard if value is None or value == "" or value == [] else value

    def set_view(self, view: Node) -> None:
        """Shows a view at any time."""
        self.notify("setView", {"view": view})

    def perform_later(self, work: Callable[[], Optional[Node]]) -> None:
        """Calls a function in its turn, after the updates and presses that wait, and shows the view that it returns.

        It is for threads of the widget, such as one that follows a file.
        """
        self._work.put((lambda params: self._with_view({}, work()), {}, None))

    def log(self, message: object, level: str = "info") -> None:
        """Writes to the log of the widget."""
        self.notify("log", {"level": level, "message": str(message)})

    def set_preferred_content_size(self, height: Optional[int]) -> None:
        """States the height that is preferred in rows; None is that of the view."""
        self.notify("setPreferredContentSize", {"height": height})

    def open_url(self, url: str) -> bool:
        """Opens a URL after a press; returns whether something was started."""
        return bool(self.request("openURL", {"url": url}).get("success", False))

    def alert(self, words: str) -> None:
        """Tells the user something that cannot wait; it needs org.today.notifications."""
        self.request("org.today.alert", {"text": words})

    def set_configuration(self, **values: Any) -> None:
        """Changes settings of the widget, as the user would: what was typed into a field of the card within the last 10 s.

        A setting that config.json sets, and one of the type file or secret, is refused.
        """
        self.request("org.today.setConfiguration", {"values": values})
        self.configuration = {**self.configuration, **values}

    def post_notice(self, title: str, **members: Any) -> str:
        """Posts a notice in the name of the app, with the members of the protocol; returns its number."""
        return str(self.request("postNotice", {"title": title, **members}).get("id", ""))

    def read_notices(
        self, since: Optional[datetime.datetime] = None, waiting: bool = False, applications: Sequence[str] = ()
    ) -> List[JSON]:
        """The notices of the user; `notices_did_change` is called from then on. It needs org.today.notices."""
        params: JSON = {"waiting": waiting, "applications": [*applications]}
        if since is not None:
            params["since"] = since.astimezone().isoformat()
        notices = self.request("readNotices", params).get("notices")
        return [one for one in notices if isinstance(one, dict)] if isinstance(notices, list) else []

    def dismiss_notice(self, identifier: str) -> None:
        """Puts a notice among the earlier ones; it needs org.today.notices."""
        self.request("dismissNotice", {"id": identifier})

    def perform_notice_action(self, identifier: str, name: str) -> None:
        """Does what an action of a notice offers, after a press; it needs org.today.notices."""
        self.request("performNoticeAction", {"id": identifier, "name": name})

    def secret_find(self, name: str) -> Optional[str]:
        """A stored password or token; None if there is none."""
        value = self.request("secretFind", {"name": name}, seconds=25).get("value")
        return value if isinstance(value, str) else None

    def secret_add(self, name: str, group: str, value: str) -> None:
        """Stores a password or token in an access group, such as the identifier of the widget."""
        self.request("secretAdd", {"name": name, "group": group, "value": value}, seconds=25)

    def secret_update(self, name: str, value: str) -> None:
        """Gives a stored secret another value."""
        self.request("secretUpdate", {"name": name, "value": value}, seconds=25)

    def secret_delete(self, name: str) -> None:
        """Deletes a stored secret."""
        self.request("secretDelete", {"name": name}, seconds=25)

    def defaults_read(self, suite: str, keys: Optional[Sequence[str]] = None) -> JSON:
        """The values of a suite, all or those of some keys."""
        params: JSON = {"suite": suite} if keys is None else {"suite": suite, "keys": [*keys]}
        values = self.request("defaultsRead", params).get("values")
        return values if isinstance(values, dict) else {}

    def defaults_write(self, suite: str, values: Mapping[str, Any]) -> None:
        """Changes values of a suite; None removes one."""
        self.request("defaultsWrite", {"suite": suite, "values": dict(values)})

    def observe_notification(self, name: str) -> None:
        """Begins to hear a notification; its name begins with that of an app group."""
        self.notify("observeNotification", {"name": name})

    def remove_observer(self, name: str) -> None:
        """Ends it."""
        self.notify("removeObserver", {"name": name})

    def post_notification(self, name: str) -> None:
        """Tells the others of an app group."""
        self.notify("postNotification", {"name": name})

    @contextmanager
    def activity(self, reason: str) -> Iterator[int]:
        """Work that must not be interrupted, in a `with`; raises Failure if it was not granted."""
        answer = self.request("beginExpiringActivity", {"reason": reason})
        if answer.get("expired") is not False:
            raise Failure("there is no time left")
        try:
            yield int(answer["activity"])
        finally:
            self.notify("endExpiringActivity", {"activity": answer["activity"]})

    def request(self, method: str, params: JSON, seconds: Optional[float] = 10) -> JSON:
        """Asks the host for something, and waits for the answer; raises Failure if it is refused.

        None as `seconds` waits as long as the host needs.

        It can be used where an extension may wait: in an update, a press, or a thread of its own.
        """
        if threading.current_thread() is threading.main_thread():
            raise Failure(f"{method} waits for an answer: use it in an update or a press")
        waiting = Waiting()
        with self._lock:
            self._count += 1
            identifier = f"kit {self._count}"
            self._answers[identifier] = waiting
        self._send({"id": identifier, "method": method, "params": params})
        waiting.event.wait(seconds)
        self._answers.pop(identifier)
        message = waiting.message or {"error": {"message": "the host did not answer"}}
        if "error" in message:
            raise _refusal(message["error"])
        result = message.get("result")
        return result if isinstance(result, dict) else {}

    def load(self, name: str, standard: Any) -> Any:
        """A value that was stored in the widget's container; `standard` if there is none."""
        try:
            with open(os.path.join(self.data or "", name + ".json"), encoding="utf-8") as file:
                return json.load(file)
        except (OSError, ValueError):
            return standard

    def store(self, name: str, value: Any) -> bool:
        """Stores a value in the widget's container, whole or not at all; returns whether it was."""
        if not self.data:
            return False
        path = os.path.join(self.data, name + ".json")
        try:
            with open(path + ".new", "w", encoding="utf-8") as file:
                json.dump(value, file)
            os.replace(path + ".new", path)
        except OSError as error:
            self.log(f"{path} was not written: {error.strerror}", "warning")
            return False
        return True

    # The message loop.

    def run(self) -> None:
        """Serves the host until it ends."""
        self._name_misspelt()
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
        # A thread that still waits for a network must not keep the process.
        os._exit(0)

    def _handle(self, message: JSON) -> None:
        method, identifier = message["method"], message.get("id")
        params = message.get("params") or {}
        if method != "initialize" and method not in self._implements():
            if identifier is not None:
                self._refuse(identifier, -32601, f"{method} is not implemented")
        elif not isinstance(params, dict):
            self._refuse(identifier, -32602, "params must be an object")
        elif method in self.WAITING:
            self._work.put((getattr(self, "_" + method), params, identifier))
        else:
            self._answer(getattr(self, "_" + method), params, identifier)

    def _name_misspelt(self) -> None:
        """Says on standard error which methods are not those of the kit, but nearly have their names."""
        hooks = [*self.METHODS.values(), *OTHER_HOOKS]
        missing = [name for name in hooks if getattr(getattr(type(self), name, None), "__module__", None) == __name__]
        own = {name for one in type(self).__mro__ if one.__module__ not in (__name__, "builtins") for name in vars(one)}
        for name in sorted(own.difference(hooks)):
            meant = next((one for one in missing if _is_nearly(name, one)), None)
            if meant and callable(getattr(self, name)):
                print(f"{name} is no method that the kit calls; did you mean {meant}?", file=sys.stderr, flush=True)

    def _implements(self) -> List[str]:
        # A method that is overridden is in another module.
        mine = [name for name, one in self.METHODS.items() if getattr(type(self), one).__module__ != __name__]
        return [*self.ALWAYS, *mine]

    def _perform(self) -> None:
        while True:
            self._answer(*self._work.get())

    def _answer(self, handler: Handler, params: JSON, identifier: Any) -> None:
        try:
            result = handler(params)
            if identifier is not None:
                self._send({"id": identifier, "result": result or {}})
            elif result and "view" in result:
                self.set_view(result["view"])
        except Failure as failure:
            self._fail(identifier, str(failure))
        except Exception as error:  # A fault of the widget costs this answer alone, also one that JSON has no form for.
            import traceback  # Widgets without faults start sooner without it.

            traceback.print_exc()
            self._fail(identifier, f"{type(error).__name__}: {error}")
        except SystemExit as leaving:
            # In a thread, it would end nothing but the thread.
            status = leaving.code
            if status is not None and not isinstance(status, int):
                print(status, file=sys.stderr)
                status = 1
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(status or 0)

    def _fail(self, identifier: Any, words: str) -> None:
        if identifier is None:
            self.log(words, "error")
        else:
            self._refuse(identifier, -32603, words)

    def _take_initialize(self, params: JSON) -> None:
        containers = params.get("containers") or {}
        self.configuration = params.get("configuration") or {}
        self.locale = params.get("locale") or self.locale
        self.denied = params.get("denied") or []
        self.appearance = params.get("appearance") or {}
        self.data, self.cache = containers.get("data"), containers.get("cache")
        self.groups = containers.get("groups") or {}
        self._take_width(params.get("maximumSize"))
        self._take_now(params)

    def _viewWillAppear(self, params: JSON) -> JSON:
        before = self.width
        self._take_width(params.get("size"))
        return self._with_view({}, self.view() if self.width != before else None)

    def _viewDidAppear(self, params: JSON) -> None:
        self.view_did_appear()

    def _viewWillDisappear(self, params: JSON) -> None:
        self.view_will_disappear()

    def _performAction(self, params: JSON) -> JSON:
        try:
            return self._with_view({}, self.perform_action(str(params.get("action")), params.get("value")))
        except Failure as failure:
            result = {"result": "failed", "error": str(failure)}
            return {**result, "view": failure.view} if failure.view else result

    def _fieldDidChange(self, params: JSON) -> JSON:
        return self._with_view({}, self.field_did_change(str(params.get("field")), str(params.get("text"))))

    def _listShouldRemoveRow(self, params: JSON) -> JSON:
        return {"allowed": self.list_should_remove_row(str(params.get("list")), str(params.get("row")))}

    def _listDidRemoveRow(self, params: JSON) -> JSON:
        return self._with_view({}, self.list_did_remove_row(str(params.get("list")), str(params.get("row"))))

    def _listDidMoveRow(self, params: JSON) -> JSON:
        row, before = str(params.get("row")), params.get("before")
        return self._with_view({}, self.list_did_move_row(str(params.get("list")), row, before))

    def _widgetListPerformAddAction(self, params: JSON) -> JSON:
        return self._with_view({}, self.widget_list_perform_add_action(str(params.get("list"))))

    def _appearanceDidChange(self, params: JSON) -> JSON:
        self.appearance = params.get("appearance") or {}
        return self._with_view({}, self.appearance_did_change())

    def _didReceiveMemoryWarning(self, params: JSON) -> None:
        self.did_receive_memory_warning()

    def _defaultsDidChange(self, params: JSON) -> JSON:
        keys = [str(key) for key in params.get("keys") or []]
        return self._with_view({}, self.defaults_did_change(str(params.get("suite")), keys))

    def _didReceiveNotification(self, params: JSON) -> JSON:
        return self._with_view({}, self.did_receive_notification(str(params.get("name"))))

    def _noticesDidChange(self, params: JSON) -> JSON:
        return self._with_view({}, self.notices_did_change())

    def _expiringActivity(self, params: JSON) -> None:
        self.expiring_activity(int(params.get("activity") or 0))

    def _clockDidChange(self, params: JSON) -> None:
        self._take_now(params)

    def _take_width(self, size: Any) -> None:
        if isinstance(size, dict) and isinstance(size.get("width"), int):
            self.width = max(1, size["width"])

    def _take_now(self, params: JSON) -> None:
        if isinstance(params.get("now"), str):
            self._now = datetime.datetime.fromisoformat(params["now"].replace("Z", "+00:00"))

    @staticmethod
    def _with_view(result: JSON, view: Optional[Node]) -> JSON:
        return {**result, "view": view} if view else result

    def _take_answer(self, message: JSON) -> None:
        waiting = self._answers.get(str(message.get("id")))
        if waiting:
            waiting.message = message
            waiting.event.set()

    def notify(self, method: str, params: JSON) -> None:
        """Sends any other notification of the protocol."""
        self._send({"method": method, "params": params})

    def _refuse(self, identifier: Any, code: int, words: str) -> None:
        self._send({"id": identifier, "error": {"code": code, "message": words}})

    def _send(self, message: JSON) -> None:
        line = _line(message)
        with self._lock:
            sys.stdout.buffer.write(line + b"\n")
            sys.stdout.buffer.flush()


class Widget(Extension):
    """A widget: override the methods of the protocol that it needs.

    An update, a press and what the user changes run in a thread of their own, one after the other; they may wait. All
    others must not.
    """

    #: Whether there is more to show than the rows of the compact form; `offer_more` sets it.
    expands = False
    #: Whether the user can edit the widget itself; its lists are edited then.
    allows_editing = False
    #: The time until the next update in seconds, if not that of the manifest.
    refresh_after: Optional[float] = None

    # The last is sent where the time is not that of the system.
    ALWAYS = [
        "viewWillAppear",
        "viewWillTransitionToSize",
        "widgetActiveDisplayModeDidChange",
        "widgetPerformUpdate",
        "clockDidChange",
    ]
    METHODS = {
        "performAction": "perform_action",
        "viewDidAppear": "view_did_appear",
        "viewWillDisappear": "view_will_disappear",
        "fieldDidChange": "field_did_change",
        "listShouldRemoveRow": "list_should_remove_row",
        "listDidRemoveRow": "list_did_remove_row",
        "listDidMoveRow": "list_did_move_row",
        "widgetListPerformAddAction": "widget_list_perform_add_action",
        "widgetDidBeginEditing": "widget_did_begin_editing",
        "widgetDidEndEditing": "widget_did_end_editing",
        "configurationDidChange": "configuration_did_change",
        "appearanceDidChange": "appearance_did_change",
        "didReceiveMemoryWarning": "did_receive_memory_warning",
        "defaultsDidChange": "defaults_did_change",
        "didReceiveNotification": "did_receive_notification",
        "noticesDidChange": "notices_did_change",
        "expiringActivity": "expiring_activity",
    }
    WAITING = {
        "widgetPerformUpdate",
        "performAction",
        "fieldDidChange",
        "listShouldRemoveRow",
        "listDidRemoveRow",
        "listDidMoveRow",
        "widgetListPerformAddAction",
        "defaultsDidChange",
        "didReceiveNotification",
        "noticesDidChange",
    }

    def __init__(self) -> None:
        super().__init__()
        #: Whether the user has chosen More.
        self.is_expanded = False
        # The rows that the card may have: while it is alone on the screen, those of the screen.
        self._most_rows: Any = None
        self._is_instructed = False
        self._has_started = False

    # What a widget overrides.

    def widget_perform_update(self, reason: str) -> Optional[Node]:
        """Gets new data: returns a view or `new_data`, None if nothing is new, or raises Failure."""
        return None

    def widget_did_begin_editing(self) -> None:
        """The user begins to edit the widget, which `allows_editing`."""

    def widget_did_end_editing(self) -> None:
        """The user has finished."""

    def configuration_did_change(self) -> Optional[Node]:
        """`configuration` is new: returns a view or None. A widget without this is started again instead."""
        return None

    # What a widget calls.

    def offer_more(self, flag: bool) -> None:
        """Sets whether the card has an expanded form; a compact card that has one is 4 rows high."""
        if flag != self.expands and self._has_started:
            self.notify("setLargestAvailableDisplayMode", {"mode": "expanded" if flag else "compact"})
        self.expands = flag

    @property
    def screen_rows(self) -> Optional[int]:
        """The rows of the screen while the card is alone on it (`z`), for as much as there is room for; else None."""
        rows = self._most_rows
        return rows if self.is_expanded and isinstance(rows, int) and COMPACT_ROWS < rows < MOST_ROWS else None

    def fit(self, full: List[Any], short: List[Any], rows: int = COMPACT_ROWS) -> List[Any]:
        """The rows to show: all of `full` if they fit or the card is expanded, else the first of `short`."""
        more = len(full) > rows
        self.offer_more(more)
        return full if self.is_expanded or not more else short[:rows]

    def instructions(self, words: str, hint: str) -> JSON:
        """The view of a widget without the settings that it needs: what is missing, and what to do.

        It is not kept over a failure as data are: while an update fails after it, its place has the words of the failure.
        """
        self.offer_more(False)
        self._is_instructed = True
        self.store(INSTRUCTED, True)
        return vstack(text(words), secondary(hint, limit=None))

    def set_has_content(self, flag: bool, bundle_identifier: str) -> None:
        """Removes the card of a widget of the same app from the page, or puts it back."""
        self.request("setHasContent", {"flag": flag, "bundleIdentifier": bundle_identifier})

    def _initialize(self, params: JSON) -> JSON:
        self._take_initialize(params)
        self._take_mode(params)
        self.initialize()
        view = self.view()
        # A card that was expanded stays so until it is known what there is to show.
        self.expands = self.expands or (self.is_expanded and view is None)
        result = self._with_view({"protocolVersion": 1, "implements": self._implements()}, view)
        if self.expands:
            result["largestAvailableDisplayMode"] = "expanded"
        if self.allows_editing:
            result["allowsEditing"] = True
        self._has_started = True
        return result

    def _viewWillTransitionToSize(self, params: JSON) -> JSON:
        before = self.width
        self._take_width(params.get("size"))
        # Another height alone, as for a view of the timeline, changes nothing that is shown.
        view = self.view() if self.width != before else None
        return {"alongside": view} if view else {}

    def _widgetActiveDisplayModeDidChange(self, params: JSON) -> JSON:
        self._take_mode(params)
        self._take_width(params.get("maximumSize"))
        return self._with_view({}, self.view())

    def _take_mode(self, params: JSON) -> None:
        size = params.get("maximumSize")
        self.is_expanded = params.get("activeDisplayMode") == "expanded"
        self._most_rows = size.get("height") if isinstance(size, dict) else None

    def _widgetPerformUpdate(self, params: JSON) -> JSON:
        self._is_instructed = False
        try:
            view = self.widget_perform_update(params.get("reason", "schedule"))
        except Failure as failure:
            if failure.view:
                self.set_view(failure.view)
            elif self.load(INSTRUCTED, False):
                self.set_view(text(str(failure), "orange", limit=4))
            return {"result": "failed", "error": str(failure)}
        if view and not self._is_instructed and self.load(INSTRUCTED, False):
            self.store(INSTRUCTED, False)
        if isinstance(view, dict) and "result" in view:
            result = dict(view)
        else:
            result = {"result": "newData", "view": view} if view else {"result": "noData"}
        if self.refresh_after is not None:
            result.setdefault("refreshAfter", self.refresh_after)
        return result

    def _widgetDidBeginEditing(self, params: JSON) -> None:
        self.widget_did_begin_editing()

    def _widgetDidEndEditing(self, params: JSON) -> None:
        self.widget_did_end_editing()

    def _configurationDidChange(self, params: JSON) -> JSON:
        self.configuration = params.get("configuration") or {}
        return self._with_view({}, self.configuration_did_change())


#: What is overridden without a message of that name.
OTHER_HOOKS = (
    "initialize",
    "view",
    "widget_perform_update",
    "compose",
    "begin_request",
    "is_content_valid",
    "characters_remaining",
    "request_did_complete",
)


def _is_nearly(name: str, other: str) -> bool:
    """Whether names have the same letters in another order or spelling, or differ in one."""
    name, other = name.replace("_", "").lower(), other.replace("_", "").lower()
    if len(name) < 4 or abs(len(name) - len(other)) > 1:
        return False
    if sorted(name) == sorted(other):
        return True
    start = len(os.path.commonprefix([name, other]))
    rest = max(len(name), len(other)) - start - 1
    end = min(rest, len(name) - start, len(other) - start)
    return end == rest and name[len(name) - end :] == other[len(other) - end :] if rest > 0 else True


#: What a message of the host is given to; the result is that of the answer.
Handler = Callable[[JSON], Optional[JSON]]


class Waiting:
    """A request of the widget that is not answered yet."""

    def __init__(self) -> None:
        self.event = threading.Event()
        self.message: Optional[JSON] = None


# The stored value that says that the page may still have instructions.
INSTRUCTED = "instructed"


class ItemProviderError(Failure):
    """Why a representation of an attachment was not loaded."""

    UNKNOWN = -1
    #: There is no representation of this type.
    NOT_AVAILABLE = -1000
    #: The type has no form of this kind, as a picture has no text.
    UNEXPECTED_CLASS = -1100
    #: The content is not what its type says, as bytes that are not of its charset.
    CANNOT_COERCE = -1200

    def __init__(self, words: str, code: int) -> None:
        super().__init__(words)
        #: One of the codes above.
        self.code = code


def _refusal(error: Any) -> Failure:
    """The error of an answer."""
    parts: JSON = error if isinstance(error, dict) else {}
    words, data = str(parts.get("message") or "refused"), parts.get("data")
    code = data.get("itemProviderError") if isinstance(data, dict) else None
    return ItemProviderError(words, code) if isinstance(code, int) else Failure(words)


class Attachment:
    """One piece of content, with a representation for each of its types, which the host makes when it is loaded.

    The methods that load wait for the host, so they belong in methods that may wait, or in threads.
    """

    def __init__(self, extension: Extension, description: JSON) -> None:
        self._extension = extension
        self.identifier = str(description.get("id"))
        #: Its uniform types, the most faithful first.
        self.types = [str(one) for one in description.get("registeredTypeIdentifiers") or []]
        size, name = description.get("size"), description.get("suggestedName")
        #: Its bytes; None if that is not known yet.
        self.size: Optional[int] = size if isinstance(size, int) else None
        #: The name of its file, if it has one.
        self.name: Optional[str] = name if isinstance(name, str) else None
        #: Called with the bytes that were loaded, and all of them or None, while a load takes long.
        self.load_progress: Optional[Callable[[int, Optional[int]], None]] = None

    def has_item_conforming(self, type: str) -> bool:
        """Whether there is a representation of a type, or of one that conforms to it."""
        return any(conforms(one, type) for one in self.types)

    def load_text(self, type: Optional[str] = None) -> str:
        """The text of a representation, without a type of the first one; for content that is not large."""
        return str(self._load("text", type)["text"])

    def load_path(self, type: Optional[str] = None) -> str:
        """The path of a file with a representation; it goes when the process ends."""
        return str(self._load("path", type)["path"])

    def load_url(self, type: Optional[str] = None) -> str:
        """The address that the content is."""
        return str(self._load("url", type)["url"])

    def load_data(self, type: Optional[str] = None) -> bytes:
        """The bytes of a representation; for content that is not large."""
        return base64.b64decode(self._load("data", type)["data"])

    def load_preview(self) -> Optional[Node]:
        """A view of the content that the host has made, of at most 8 rows."""
        return self._extension.request("loadPreview", {"attachment": self.identifier}, None).get("view")

    def cancel_load(self) -> None:
        """Ends a load, which then fails; from another thread."""
        self._extension.notify("cancelLoad", {"attachment": self.identifier})

    def _load(self, form: str, type: Optional[str]) -> JSON:
        chosen = type or (self.types[0] if self.types else "public.data")
        params = {"attachment": self.identifier, "type": chosen, "as": form}
        result = self._extension.request("loadItem", params, None)
        if not isinstance(result.get(form), str):
            raise ItemProviderError(f"the host sent no {form}", ItemProviderError.UNKNOWN)
        return result


class Item:
    """What belongs together in a request, such as one post: texts about it, and its attachments."""

    def __init__(self, extension: Extension, description: JSON) -> None:
        self.title = str(description.get("attributedTitle") or "")
        self.text = str(description.get("attributedContentText") or "")
        #: Where the content is from, as far as the host knows: `command`, `exitStatus`, `host`, `path` and others.
        self.user_info: Dict[str, str] = description.get("userInfo") or {}
        parts = description.get("attachments") or []
        self.attachments = [Attachment(extension, part) for part in parts if isinstance(part, dict)]


class ComposeSheet:
    """What the host draws in the standard sheet of a share extension; what is None stays as it is."""

    def __init__(
        self,
        placeholder: Optional[str] = None,
        *,
        text: Optional[str] = None,
        preview: Optional[Node] = None,
        items: Optional[Sequence[JSON]] = None,
        completions: Optional[Sequence[JSON]] = None,
    ) -> None:
        #: Words in the field while it is empty, and its text.
        self.placeholder, self.text = placeholder, text
        #: A view of at most 8 rows in place of the host's.
        self.preview = preview
        #: Those that `configuration_item` makes.
        self.items = items
        #: Those that `completion` makes, shown in place of the items; with none, the items are shown again.
        self.completions = completions

    def members(self) -> JSON:
        """The sheet as the protocol has it."""
        members = {"placeholder": self.placeholder, "text": self.text, "preview": self.preview}
        members["configurationItems"] = None if self.items is None else [*self.items]
        members = {name: value for name, value in members.items() if value is not None}
        if self.completions is not None:
            members["completions"] = [*self.completions] or None
        return members


def configuration_item(
    identifier: str,
    title: str,
    value: Optional[str] = None,
    *,
    choices: Optional[Sequence[str]] = None,
    pending: bool = False,
) -> JSON:
    """A row of a sheet; a press offers its choices, or calls `configuration_item_chosen` if it has none."""
    item: JSON = {"id": identifier, "title": title}
    if value is not None:
        item["value"] = value
    if pending:
        item["valuePending"] = True
    if choices is not None:
        item["choices"] = [*choices]
    return item


def completion(words: str, detail: Optional[str] = None, *, replaces: Optional[int] = None) -> JSON:
    """A text to choose, which replaces some characters before the cursor."""
    members = {"text": words, "detail": detail, "replaces": replaces}
    return {name: value for name, value in members.items() if value is not None}


def returned_text(words: str, type: str = "public.plain-text", name: Optional[str] = None) -> JSON:
    """A text that a request returns."""
    return {"type": type, "text": words, **({"suggestedName": name} if name else {})}


def returned_file(path: str, type: str = "public.data", name: Optional[str] = None) -> JSON:
    """A file that a request returns; it is in a folder of the extension."""
    return {"type": type, "path": path, **({"suggestedName": name} if name else {})}


class ContentExtension(Extension):
    """What share extensions and actions have in common: one process for one request.

    What is entered and chosen in a sheet is told in the thread of presses, which may wait.
    """

    ALWAYS = ["viewWillAppear", "contentDidChange", "clockDidChange", "loadProgress", "requestDidComplete"]
    METHODS = {
        "performAction": "perform_action",
        "viewDidAppear": "view_did_appear",
        "viewWillDisappear": "view_will_disappear",
        "presentationAnimationDidFinish": "presentation_animation_did_finish",
        "configurationItemChosen": "configuration_item_chosen",
        "didSelectPost": "did_select_post",
        "didSelectCancel": "did_select_cancel",
        "fieldDidChange": "field_did_change",
        "listShouldRemoveRow": "list_should_remove_row",
        "listDidRemoveRow": "list_did_remove_row",
        "listDidMoveRow": "list_did_move_row",
        "widgetListPerformAddAction": "widget_list_perform_add_action",
        "appearanceDidChange": "appearance_did_change",
        "didReceiveMemoryWarning": "did_receive_memory_warning",
        "defaultsDidChange": "defaults_did_change",
        "didReceiveNotification": "did_receive_notification",
        "expiringActivity": "expiring_activity",
    }
    WAITING = {
        "performAction",
        "contentDidChange",
        "configurationItemChosen",
        "didSelectPost",
        "didSelectCancel",
        "fieldDidChange",
        "listShouldRemoveRow",
        "listDidRemoveRow",
        "listDidMoveRow",
        "widgetListPerformAddAction",
        "defaultsDidChange",
        "didReceiveNotification",
    }

    def __init__(self) -> None:
        super().__init__()
        #: What the request is about; most extensions use the first one.
        self.items: List[Item] = []
        #: The text in the sheet.
        self.content_text = ""
        #: Whether it has a view, and whether it returns nothing.
        self.has_view = False
        self.is_viewer = False
        self._has_begun = False
        self._has_ended = False

    # What it overrides.

    def compose(self) -> Optional[ComposeSheet]:
        """The standard sheet; None for a view of its own. It must not wait."""
        return None

    def begin_request(self) -> None:
        """The request begins: an action without a view does its work here. It may wait; a Failure cancels the request."""

    def presentation_animation_did_finish(self) -> None:
        """The sheet is up: heavy work begins here, in a thread of its own."""

    def is_content_valid(self, text: str) -> bool:
        """Whether the text can be posted: unless it is too long, without this method."""
        remaining = self.characters_remaining(text)
        return remaining is None or remaining >= 0

    def characters_remaining(self, text: str) -> Optional[int]:
        """How many more characters there can be, which the sheet shows; None for no limit."""
        return None

    def configuration_item_chosen(self, item: str, value: Optional[str]) -> Optional[Node]:
        """A value of an item was chosen, or one without choices: returns a view to push over the sheet, or None."""
        return None

    def did_select_post(self, text: str) -> None:
        """The user posts: the request is completed when it returns; a Failure cancels it."""

    def did_select_cancel(self) -> None:
        """The user cancels: the request is cancelled when it returns."""

    def request_did_complete(self, expired: bool) -> None:
        """The request is complete, and there are some seconds for what is left; or they have expired."""

    # What it calls.

    def set_compose(self, sheet: ComposeSheet) -> None:
        """Changes the sheet."""
        self.notify("setCompose", sheet.members())

    def validate_content(self) -> None:
        """Says again whether the content can be posted, as after a picture became ready."""
        self.notify("validateContent", self._validity())

    def pop_configuration(self) -> None:
        """Removes the view that was pushed."""
        self.notify("popConfiguration", {})

    def complete(self, *items: Union[str, JSON, Sequence[JSON]]) -> None:
        """Completes the request, and waits until the host has what it returns.

        An item is a text, what `returned_text` or `returned_file` makes, or a list of these.
        """
        returned = [{"attachments": _attachments(item)} for item in items]
        self._end()
        try:
            self.request("completeRequest", {"returningItems": returned}, None)
        except Failure:
            self._has_ended = False
            raise

    def cancel(self, words: str = "", item_errors: Optional[Mapping[str, str]] = None) -> None:
        """Cancels the request with a reason, and one for each attachment by its identifier."""
        self._end()
        params: JSON = {"error": words} if words else {}
        self.notify("cancelRequest", {**params, "itemErrors": dict(item_errors)} if item_errors else params)

    def report_progress(self, completed: float, total: Optional[float] = None) -> None:
        """Says how far it is. A request without a view ends after 30 s without this."""
        self.notify("reportProgress", {"completed": completed, "total": total})

    # Its messages.

    def _handle(self, message: JSON) -> None:
        super()._handle(message)
        if message["method"] == "initialize" and self._has_begun:
            self._has_begun = False
            sheet = self.compose()
            if sheet:
                self.set_compose(sheet)
            self._work.put((self._begin, {}, None))

    def _initialize(self, params: JSON) -> JSON:
        self._take_initialize(params)
        self.has_view, self.is_viewer = params.get("hasView") is True, params.get("role") == "viewer"
        context = params.get("extensionContext")
        items = context.get("inputItems") if isinstance(context, dict) else None
        self.items = [Item(self, one) for one in items or [] if isinstance(one, dict)]
        self.initialize()
        self._has_begun = True
        return self._with_view({"protocolVersion": 1, "implements": self._implements()}, self.view())

    def _begin(self, params: JSON) -> None:
        self._or_cancel(self.begin_request)

    def _presentationAnimationDidFinish(self, params: JSON) -> None:
        work: Handler = lambda params: self.presentation_animation_did_finish()
        threading.Thread(target=self._answer, args=(work, {}, None), daemon=True).start()

    def _contentDidChange(self, params: JSON) -> JSON:
        self.content_text = str(params.get("text") or "")
        return self._validity()

    def _configurationItemChosen(self, params: JSON) -> JSON:
        value = params.get("value")
        chosen = value if isinstance(value, str) else None
        return self._with_view({}, self.configuration_item_chosen(str(params.get("id")), chosen))

    def _didSelectPost(self, params: JSON) -> None:
        self.content_text = str(params.get("text") or "")
        self._or_cancel(lambda: self.did_select_post(self.content_text))
        if not self._has_ended:
            self.complete()

    def _didSelectCancel(self, params: JSON) -> None:
        self.did_select_cancel()
        if not self._has_ended:
            self.cancel()

    def _loadProgress(self, params: JSON) -> None:
        parts = [part for item in self.items for part in item.attachments]
        for part in parts:
            if part.identifier == params.get("attachment") and part.load_progress:
                part.load_progress(int(params.get("bytes") or 0), params.get("total"))

    def _requestDidComplete(self, params: JSON) -> None:
        if params.get("expired") is True:
            self.request_did_complete(True)
        else:
            # After the work that waits; then nothing is left to do.
            self._work.put((self._leave, {}, None))

    def _leave(self, params: JSON) -> None:
        self._answer(lambda params: self.request_did_complete(False), {}, None)
        with self._lock:
            os._exit(0)

    def _or_cancel(self, work: Callable[[], None]) -> None:
        try:
            work()
        except Exception as error:
            if not self._has_ended:
                self.cancel(str(error) if isinstance(error, Failure) else f"{type(error).__name__}: {error}")
            raise

    def _validity(self) -> JSON:
        text = self.content_text
        return {"isContentValid": self.is_content_valid(text), "charactersRemaining": self.characters_remaining(text)}

    def _end(self) -> None:
        with self._lock:
            if self._has_ended:
                raise Failure("the request has ended already")
            self._has_ended = True


def _attachments(item: Union[str, JSON, Sequence[JSON]]) -> List[JSON]:
    if isinstance(item, str):
        return [returned_text(item)]
    return [item] if isinstance(item, dict) else [*item]


class ShareExtension(ContentExtension):
    """Moves content somewhere else: override `compose` and `did_select_post`. Nothing leaves before Post."""


class ActionExtension(ContentExtension):
    """Changes or shows content in place: override `begin_request`, or `view` and `perform_action` if it has a view."""


# Uniform types by those that they conform to.
_CONFORMING = """\
public.item public.data public.directory public.symlink com.apple.ical.ics
public.content public.composite-content public.text public.image public.audiovisual-content public.spreadsheet
public.directory public.folder com.apple.package
com.apple.resolvable public.symlink
public.data public.url public.url-name public.text public.image public.audiovisual-content com.pkware.zip-archive
public.data org.gnu.gnu-zip-archive org.gnu.gnu-tar-archive public.bzip2-archive com.adobe.pdf com.adobe.postscript
public.data com.microsoft.word.doc com.microsoft.excel.xls org.idpf.epub-container public.unix-executable
public.data com.apple.property-list public.font public.x509-certificate
public.url public.file-url
public.text public.plain-text public.delimited-values-text public.rtf public.html public.xml public.json public.css
public.text public.vcard com.apple.ical.ics public.yaml org.today.toml
public.plain-text public.utf8-plain-text public.comma-separated-values-text public.tab-separated-values-text
public.plain-text public.patch-file public.source-code public.log net.daringfireball.markdown
public.plain-text org.today.terminal-output org.today.path-with-line
public.delimited-values-text public.comma-separated-values-text public.tab-separated-values-text
public.source-code public.c-source public.c-header public.c-plus-plus-source public.swift-source
public.source-code public.assembly-source public.script
public.script public.shell-script com.netscape.javascript-source
public.shell-script public.python-script public.perl-script public.ruby-script public.php-script
public.executable com.netscape.javascript-source public.unix-executable
public.image public.png public.jpeg public.tiff public.svg-image com.compuserve.gif com.microsoft.bmp
public.image com.microsoft.ico public.camera-raw-image org.webmproject.webp public.heic
public.audiovisual-content public.movie public.audio
public.movie public.video public.mpeg-4 public.mpeg com.apple.quicktime-movie public.avi
public.audio public.mp3 public.mpeg-4-audio com.microsoft.waveform-audio org.xiph.flac
public.archive com.pkware.zip-archive org.gnu.gnu-zip-archive org.gnu.gnu-tar-archive public.bzip2-archive
public.archive public.disk-image
com.pkware.zip-archive public.zip-archive
org.gnu.gnu-tar-archive public.tar-archive
public.composite-content com.adobe.pdf com.adobe.postscript public.presentation
public.composite-content org.openxmlformats.wordprocessingml.document org.openxmlformats.spreadsheetml.sheet
public.composite-content com.microsoft.word.doc com.microsoft.excel.xls org.idpf.epub-container
public.zip-archive org.openxmlformats.openxml
org.openxmlformats.openxml org.openxmlformats.wordprocessingml.document org.openxmlformats.spreadsheetml.sheet
org.openxmlformats.openxml org.openxmlformats.presentationml.presentation
public.spreadsheet org.openxmlformats.spreadsheetml.sheet com.microsoft.excel.xls
public.presentation org.openxmlformats.presentationml.presentation
public.message public.email-message
public.contact public.vcard
public.calendar-event com.apple.ical.ics
public.xml com.apple.xml-property-list
com.apple.property-list com.apple.xml-property-list
public.json org.today.jupyter-notebook org.today.card
"""


def conforms(type: str, parent: str) -> bool:
    """Whether a uniform type is another one, or conforms to it; those of apps are not known here."""
    found, waiting = set(), [type]
    while waiting:
        one = waiting.pop()
        if one == parent:
            return True
        if one not in found:
            found.add(one)
            waiting += [line.split()[0] for line in _CONFORMING.splitlines() if one in line.split()[1:]]
    return False

def new_data(
    view: Node,
    *,
    refresh_after: Optional[float] = None,
    timeline: Sequence[Tuple[datetime.datetime, Node]] = (),
    policy: Union[str, datetime.datetime] = "atEnd",
) -> JSON:
    """What an update returns that says more than a view: when the next is due, and views for later dates.

    `policy` says when to update after the timeline: "atEnd", "never", or a date.
    """
    result: JSON = {"result": "newData", "view": view}
    if refresh_after is not None:
        result["refreshAfter"] = refresh_after
    if timeline:
        entries = [{"date": _date_words(date), "view": later} for date, later in timeline]
        after = policy if isinstance(policy, str) else {"after": _date_words(policy)}
        result["timeline"] = {"entries": entries, "policy": after}
    return result


def _date_words(date: datetime.datetime) -> str:
    return (date if date.tzinfo else date.astimezone()).isoformat(timespec="seconds")


# Nodes of a view.


# Every function takes more members of the node by their names in the protocol: text("Hello", id="1", padding=1).


def _style(colour: Optional[str], bold: bool, dim: bool) -> JSON:
    style: JSON = {"foreground": colour} if colour else {}
    if bold:
        style["bold"] = True
    if dim:
        style["dim"] = True
    return style


def text(
    words: Union[str, Sequence[Span]],
    colour: Optional[str] = None,
    *,
    bold: bool = False,
    dim: bool = False,
    limit: Optional[int] = 1,
    align: Optional[str] = None,
    **more: Any,
) -> JSON:
    """A text; `words` is a string or a list of spans. None as `limit` lets it have any number of lines."""
    node: JSON = {"type": "text", "text": words, **more}
    style = _style(colour, bold, dim)
    if style:
        node["style"] = style
    if limit:
        node["lineLimit"] = limit
    if align:
        node["alignment"] = align
    return node


def span(
    words: str, colour: Optional[str] = None, *, bold: bool = False, dim: bool = False, **more: Any
) -> JSON:
    """A part of a text with a style, a link or an action of its own."""
    style = _style(colour, bold, dim)
    return {"text": words, **({"style": style} if style else {}), **more}


def secondary(words: Union[str, Sequence[Span]], **more: Any) -> JSON:
    """A text that is less important."""
    return text(words, "secondaryLabel", **more)


def date(moment: Optional[datetime.datetime] = None, display: str = "time", **more: Any) -> JSON:
    """A date that the host keeps current: `time`, `date`, `relative`, `timer` or `offset`; None is the present."""
    node: JSON = {"type": "date", "display": display, **more}
    if moment:
        node["date"] = _date_words(moment)
    return node


def _nodes(children: Sequence[Optional[Node]]) -> list[Node]:
    """Those that there are: `vstack(heading if is_open else None)` leaves out what is None."""
    return [child for child in children if child is not None]


def vstack(*children: Optional[Node], spacing: int = 0, **more: Any) -> JSON:
    """Nodes one below the other."""
    return {"type": "vstack", "children": _nodes(children), "spacing": spacing, **more}


def hstack(*children: Optional[Node], spacing: int = 1, **more: Any) -> JSON:
    """Nodes side by side."""
    return {"type": "hstack", "children": _nodes(children), "spacing": spacing, **more}


def zstack(*children: Optional[Node], **more: Any) -> JSON:
    """Nodes over each other, the last in front."""
    return {"type": "zstack", "children": _nodes(children), **more}


def spacer(**more: Any) -> JSON:
    """Space that grows along its stack."""
    return {"type": "spacer", **more}


def divider(**more: Any) -> JSON:
    """A line across the stack."""
    return {"type": "divider", **more}


def grid(
    rows: Sequence[Sequence[Node]],
    columns: Optional[Sequence[Union[str, JSON]]] = None,
    spacing: int = 2,
    **more: Any,
) -> JSON:
    """Rows of nodes; a column is "leading", "center", "trailing" or a dictionary."""
    shapes = [{"alignment": one} if isinstance(one, str) else one for one in columns or []]
    return {"type": "grid", "rows": rows, "columns": shapes, "columnSpacing": spacing, **more}


def gauge(
    value: float,
    minimum: float = 0,
    maximum: float = 1,
    *,
    label: Optional[str] = None,
    words: Optional[str] = None,
    thresholds: Iterable[Tuple[float, str]] = (),
    **more: Any,
) -> JSON:
    """A bar; `words` follow it, `thresholds` are pairs of a value and a colour."""
    node: JSON = {"type": "gauge", "value": value, "minimum": minimum, "maximum": maximum, **more}
    if label:
        node["label"] = label
    if words:
        node["valueLabel"] = words
    if thresholds:
        node["thresholds"] = [{"at": at, "foreground": colour} for at, colour in thresholds]
    return node


def sparkline(
    values: Iterable[Optional[float]],
    *,
    minimum: Optional[float] = None,
    maximum: Optional[float] = None,
    **more: Any,
) -> JSON:
    """Small columns for values; None is a gap."""
    node: JSON = {"type": "sparkline", "values": [*values], **more}
    if minimum is not None:
        node["minimum"] = minimum
    if maximum is not None:
        node["maximum"] = maximum
    return node


def chart(*series: JSON, kind: str = "line", height: int = 4, **more: Any) -> JSON:
    """A chart of `series`: `line`, `area` or `bar`."""
    return {"type": "chart", "series": [*series], "kind": kind, "height": height, **more}


def series(values: Iterable[Optional[float]], name: Optional[str] = None, colour: Optional[str] = None) -> JSON:
    """The values of a chart that belong together."""
    node: JSON = {"values": [*values]}
    if name:
        node["name"] = name
    if colour:
        node["style"] = {"foreground": colour}
    return node


def image(path: str, alt: str, **more: Any) -> JSON:
    """A picture in the bundle or a container of the widget; `alt` is shown where it cannot be."""
    return {"type": "image", "path": path, "alt": alt, **more}


def button(label: Node, action: str, **more: Any) -> JSON:
    """A button; a press calls `perform_action` with its action."""
    return {"type": "button", "label": label, "action": action, **more}


def toggle(label: Node, is_on: bool, action: str, **more: Any) -> JSON:
    """A mark that is set or not; a press calls `perform_action` with its action and the new state."""
    return {"type": "toggle", "label": label, "isOn": is_on, "action": action, **more}


def field(identifier: str, action: str, text: Optional[str] = None, placeholder: str = "", **more: Any) -> JSON:
    """A line that the user types into; Enter calls `perform_action` with its action and the text."""
    node: JSON = {"type": "field", "id": identifier, "action": action, **more}
    if text is not None:
        node["text"] = text
    if placeholder:
        node["placeholder"] = placeholder
    return node


def list_(identifier: str, *rows: JSON, empty: str = "", **more: Any) -> JSON:
    """Rows that the user can select, remove and move, as far as the widget overrides the methods for it."""
    node: JSON = {"type": "list", "id": identifier, "rows": [*rows], **more}
    if empty:
        node["emptyText"] = empty
    return node


def row(identifier: str, view: Node, **more: Any) -> JSON:
    """A row of a list."""
    return {"id": identifier, "view": view, **more}


def fold(label: Node, *children: Optional[Node], identifier: Optional[str] = None, **more: Any) -> JSON:
    """Nodes that the user opens and closes."""
    node: JSON = {"type": "fold", "label": label, "children": _nodes(children), **more}
    if identifier:
        node["id"] = identifier
    return node


def ansi(words: str, **more: Any) -> JSON:
    """Text with the colour sequences of terminals."""
    return {"type": "ansi", "text": words, **more}


# Other programs and servers.


def run(
    command: Sequence[str],
    *,
    seconds: float = UPDATE_SECONDS,
    install: Optional[str] = None,
    environment: Optional[Mapping[str, str]] = None,
    folder: Optional[str] = None,
    codes: Sequence[int] = (0,),
) -> str:
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
        output = done.stderr.decode("utf-8", "replace").strip()
        lines = output.splitlines()
        raise Failure(f"{command[0]}: {lines[-1] if lines else f'exit {done.returncode}'}", output=output)
    return done.stdout.decode("utf-8", "replace")


class Answer:
    """What a server has answered to `fetch_answer`."""

    def __init__(self, status: int, url: str, headers: Mapping[str, str], content: bytes, problem: Optional[str]) -> None:
        #: 200, or 304 if it has not changed since what the headers of the request say.
        self.status = status
        #: The address that the answer is from, after redirections.
        self.url = url
        self.headers = headers
        #: The bytes, unpacked. If there is a problem, they are the beginning.
        self.content = content
        #: Why there is no more of it, in words; None if it is whole.
        self.problem = problem


def fetch(
    url: str,
    *,
    seconds: float = 15,
    headers: Optional[Mapping[str, str]] = None,
    limit: int = ANSWER_LIMIT,
    body: Optional[bytes] = None,
) -> bytes:
    """The bytes that a server answers within some seconds, with a body to POST; raises Failure in words for a person."""
    answer = fetch_answer(url, seconds=seconds, headers=headers, limit=limit, body=body)
    if answer.problem:
        raise Failure(answer.problem)
    return answer.content


def fetch_answer(
    url: str,
    *,
    seconds: float = 15,
    headers: Optional[Mapping[str, str]] = None,
    limit: int = ANSWER_LIMIT,
    body: Optional[bytes] = None,
) -> Answer:
    """What a server answers within some seconds, with its headers, also if it is not whole; raises Failure in words."""
    if not url.startswith(("http://", "https://")):
        raise Failure(f"{url} is not the address of a server; that begins with https:// or http://")
    for name, value in (headers or {}).items():
        if not value.isprintable() or not _is_latin(value):
            # The value can be a secret, and is in no message.
            raise Failure(f"{name} has a character that cannot be sent, such as a line break; set it again without it")
    end = time.monotonic() + seconds
    try:
        with urllib.request.urlopen(_request(url, headers, body), timeout=seconds) as answer:
            content = b""
            is_cut = False
            try:
                # A server may send a byte now and then.
                while len(content) <= limit and (part := answer.read1(65536)):
                    content += part
                    if time.monotonic() > end:
                        raise TimeoutError
                # What is left of the length that the header says.
                is_cut = bool(getattr(answer, "length", None))
            except http.client.IncompleteRead:
                is_cut = True
            if len(content) <= limit:
                content, is_packed = _unpacked(content, answer.headers.get_all("Content-Encoding", []), limit)
                is_cut = is_cut or not is_packed
            problem = "the server's answer ended too early" if is_cut else None
            if len(content) > limit:
                problem = f"the server sent more than {limit // 1024} KiB"
            return Answer(answer.status, answer.url, answer.headers, content[:limit], problem)
    except urllib.error.HTTPError as error:
        with error:
            if error.code == 304:
                return Answer(304, error.url, error.headers, b"", None)
            raise Failure(f"the server answered {error.code} {error.reason}".strip() + _said(error)) from error
    except urllib.error.URLError as error:
        if isinstance(error.reason, TimeoutError):
            raise Failure(f"the server did not answer within {seconds} s") from error
        raise Failure(f"no connection: {_refusal_of(url, error.reason)}") from error
    except TimeoutError as error:
        raise Failure(f"the server did not answer within {seconds} s") from error
    except (OSError, ValueError) as error:
        raise Failure(f"no connection: {_refusal_of(url, error)}") from error
    except http.client.HTTPException as error:
        raise Failure("the server did not answer as HTTP says") from error


def _refusal_of(url: str, error: object) -> str:
    """Why there is no connection to a server; in a network of its own, a widget has a `localhost` of its own, too."""
    if isinstance(error, ConnectionRefusedError) and _has_own_network():
        name = (urllib.parse.urlsplit(url).hostname or "").lower()
        if name in ("localhost", "::1") or name.endswith(".localhost") or name.startswith("127."):
            return "localhost is out of reach of the sandbox; use a server on another address of this machine"
    return reason(error)


def _has_own_network() -> bool:
    """Whether the network is the one that slirp4netns makes for a widget."""
    try:
        return {name for _, name in socket.if_nameindex()} == {"lo", "tap0"}
    except OSError:
        return False


def _is_latin(words: str) -> bool:
    """Whether a header can have these words."""
    return all(letter <= "\xff" for letter in words)


def _said(error: urllib.error.HTTPError) -> str:
    """Why a server refuses, where it says so in JSON as its programs read it; empty otherwise."""
    try:
        said = json.loads(error.read(REASON_LIMIT).decode("utf-8", "replace"))
    except (OSError, ValueError, RecursionError, http.client.HTTPException):
        return ""
    words = [said.get(name) for name in ("message", "reason", "detail", "error")] if isinstance(said, dict) else []
    first = " ".join(next((one for one in words if isinstance(one, str)), "").split())
    first = first if len(first) <= REASON_LENGTH else first[: REASON_LENGTH - 1] + "…"
    return f": {first}" if first and first.lower() != str(error.reason).lower() else ""


def _request(url: str, headers: Optional[Mapping[str, str]], body: Optional[bytes]) -> urllib.request.Request:
    """A request for an address as people write it: with letters of any script, and with a name and a password."""
    parts = urllib.parse.urlsplit(url)
    secret, _, server = parts.netloc.rpartition("@")
    path, query = (urllib.parse.quote(part, safe="/%:@!$&'()*+,;=?~[]") for part in (parts.path, parts.query))
    address = urllib.parse.urlunsplit((parts.scheme, server, path, query, ""))
    request = urllib.request.Request(address, body, {"User-Agent": "today", **(headers or {})})
    if secret and not request.has_header("Authorization"):
        # It is for this server, and none that it sends us on to.
        encoded = base64.b64encode(urllib.parse.unquote_to_bytes(secret)).decode()
        request.add_unredirected_header("Authorization", f"Basic {encoded}")
    return request


def _unpacked(content: bytes, encodings: Sequence[str], limit: int) -> Tuple[bytes, bool]:
    """Content without its encodings, in which some servers send it unasked, and whether it has an end.

    It has at most one byte more than the limit.
    """
    is_whole = True
    for name in reversed([name.strip().lower() for words in encodings for name in words.split(",")]):
        if name in ("", "identity"):
            continue
        if name not in ("gzip", "x-gzip", "deflate"):
            raise Failure(f"the server sent {name[:20]}, which was not asked for")
        if name != "deflate" and not content.startswith(b"\x1f\x8b"):
            # It says so, and did not.
            continue
        try:
            content, is_whole = _inflated(content, 47, limit)
        except zlib.error:
            try:
                # Deflate without the header of zlib.
                content, is_whole = _inflated(content, -15, limit)
            except zlib.error as error:
                raise Failure(f"the server's answer cannot be unpacked ({name})") from error
    return content, is_whole


def _inflated(content: bytes, window: int, limit: int) -> Tuple[bytes, bool]:
    """What zlib unpacks, and whether it has an end. It may have several members, and what follows is none."""
    result, is_whole = b"", not content
    for _ in range(MEMBERS):
        machine = zlib.decompressobj(window)
        try:
            result += machine.decompress(content, limit + 1 - len(result))
        except zlib.error:
            if not is_whole:
                raise
            break
        is_whole, content = machine.eof, machine.unused_data
        if not content or len(result) > limit:
            break
    else:
        is_whole = False
    return result, is_whole


def fetch_json(url: str, **more: Any) -> Any:
    """The JSON that a server answers.

    A byte that is no text, a control character in a text and a number that is none cost themselves: the last is None.
    """
    content = fetch(url, **more)
    try:
        text = content.decode(json.detect_encoding(content), "replace")
        return json.loads(text, strict=False, parse_constant=lambda _: None, parse_int=_whole_number)
    except (ValueError, RecursionError) as error:
        raise Failure("the server did not answer with JSON") from error


def _whole_number(digits: str) -> Optional[int]:
    """A whole number of JSON; None for one that no number of a machine can be."""
    return int(digits) if len(digits) < 300 else None


def reason(error: object) -> str:
    """An error of the system in words."""
    if isinstance(error, socket.gaierror):
        # The system says “Name or service not known”, or “Temporary failure in name resolution”.
        is_passing = error.errno == socket.EAI_AGAIN
        return "names of servers cannot be looked up now" if is_passing else "the name of the server cannot be resolved"
    # Those of TLS name a line in the source of OpenSSL, and are looked at without importing it.
    if getattr(error, "verify_message", None):
        return f"the certificate of the server is not valid: {getattr(error, 'verify_message')}"
    if getattr(error, "library", None) == "SSL" and getattr(error, "reason", None):
        return f"the server does not speak TLS as it should: {str(getattr(error, 'reason')).lower().replace('_', ' ')}"
    words: str = getattr(error, "strerror", None) or str(error) or type(error).__name__
    return words[0].lower() + words[1:]


# What the host limits to 16 KiB and people read. Where the text of a field is cut, its end would be lost with Enter.
_READ = {"view", "text", "label", "valueLabel", "placeholder", "emptyText", "alt", "name"}


def _line(message: JSON) -> bytes:
    """A message in one line, without what the host ends a widget for.

    A NUL is left out, and the texts of a view are cut to what a message may have.
    """
    line = _encoded(message)
    if b"\\u0000" in line:
        message = _without_nul(message)
        line = _encoded(message)
    if len(line) > TEXT_LIMIT:
        for limit in (TEXT_LIMIT, 4000, 1000, 250):
            line = _encoded(_with_short_views(message, limit))
            if len(line) <= LINE_LIMIT:
                break
    return line


def _encoded(message: JSON) -> bytes:
    return _whole(json.dumps({"jsonrpc": "2.0", **message}, ensure_ascii=False, allow_nan=False)).encode()


def _without_nul(value: Any) -> Any:
    if isinstance(value, str):
        return value.replace("\0", "")
    if isinstance(value, dict):
        return {_without_nul(key): _without_nul(one) for key, one in value.items()}
    return [_without_nul(one) for one in value] if isinstance(value, (list, tuple)) else value


def _with_short_views(value: Any, limit: int) -> Any:
    """A message, or a part of it, whose views have no longer texts, and whose error has no longer words."""
    if isinstance(value, dict):
        parts: JSON = {}
        for key, one in value.items():
            if key in ("view", "alongside"):
                parts[key] = _short(one, limit)
            elif key in ("error", "message") and isinstance(one, str):
                parts[key] = _cut(one, limit)
            else:
                parts[key] = _with_short_views(one, limit) if key in ("result", "error", "params", "timeline", "entries") else one
        return parts
    return [_with_short_views(one, limit) for one in value] if isinstance(value, (list, tuple)) else value


def _short(node: Any, limit: int) -> Any:
    """A node whose texts, and those of all inside it, are no longer."""
    if isinstance(node, str):
        return _cut(node, limit)
    if isinstance(node, (list, tuple)):
        return [_short(one, limit) for one in node]
    if not isinstance(node, dict):
        return node
    is_field = node.get("type") == "field"
    parts: JSON = {}
    for key, one in node.items():
        if isinstance(one, (dict, list, tuple)):
            parts[key] = _short(one, limit)
        else:
            is_read = isinstance(one, str) and key in _READ and not (is_field and key == "text")
            parts[key] = _cut(one, limit) if is_read else one
    return parts


def _cut(words: str, limit: int) -> str:
    """The beginning of a text with at most so many bytes and whole characters, and “…” if it is not all."""
    if len(words) * 4 <= limit or len(encoded := _whole(words).encode()) <= limit:
        return words
    import unicodedata

    shown = encoded[: limit - 3].decode("utf-8", "ignore")
    rest = encoded[len(shown.encode()) :][:4].decode("utf-8", "ignore")[:1]
    end = len(shown)
    # A letter with its accents, and pictures that are joined, are one character; more than these are taken for none.
    for _ in range(64):
        after = shown[end] if end < len(shown) else rest
        joins = unicodedata.category(after) in ("Mn", "Me", "Mc") or after == "\u200d" or "\U0001f3fb" <= after <= "\U0001f3ff"
        if end == 0 or not (joins or shown[end - 1] == "\u200d"):
            break
        end -= 1
    flags = 0
    while flags < end and "\U0001f1e6" <= shown[end - 1 - flags] <= "\U0001f1ff":
        flags += 1
    return shown[: end - flags % 2] + "…"


def _whole(text: str) -> str:
    """Text without halves of characters, such as JSON and names of files can have, which UTF-8 has no form for.

    Two halves that belong together are one character; one alone is U+FFFD.
    """
    return text if text.isascii() else text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def number(value: float, places: int = 1) -> str:
    """A number in few characters: 1.5, 12, 3."""
    words = f"{value:.{places}f}"
    return words.rstrip("0").rstrip(".") if "." in words else words


def bytes_words(count: float) -> str:
    """A number of bytes: 1.5 GiB."""
    for unit in ("B", "KiB", "MiB", "GiB", "TiB"):
        if abs(count) < 1024 or unit == "TiB":
            return f"{number(count, 0 if unit == 'B' or abs(count) >= 100 else 1)} {unit}"
        count /= 1024
    return ""


def duration_words(seconds: float) -> str:
    """A time in one unit: 45 s, 3 min, 2 h, 5 d."""
    seconds = max(0, seconds)
    for limit, size, unit in ((60, 1, "s"), (3600, 60, "min"), (86400, 3600, "h")):
        if seconds < limit:
            return f"{int(seconds // size)} {unit}"
    return f"{int(seconds // 86400)} d"
