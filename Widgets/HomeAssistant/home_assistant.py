#!/usr/bin/python3 -ESB
"""Home Assistant: the states of things at home, and switches for those that have one."""

import datetime
import decimal
import json
import math
import re

from todaykit import Failure, Widget, fetch, fetch_json, grid, number, secondary, text, vstack

LONG = 30
# The domains whose things can be switched by homeassistant.toggle.
SWITCHES = {"light", "switch", "fan", "input_boolean", "automation", "siren", "humidifier", "media_player", "cover"}
# What programs write for a number that they do not have.
NO_VALUES = {"", "nan", "inf", "-inf", "infinity", "-infinity", "none", "null"}
# A decimal number, and its places, or one that is nearly nothing (5.55e-17); a version or a time is something else.
NUMBER = re.compile(r"-?[0-9]+(?:\.([0-9]+))?([eE]-[0-9]{1,3})?")
# The temperatures of a thermostat: that of the room, the one that is wanted, or the range that is.
CLIMATE = ("current_temperature", "temperature", "target_temp_low", "target_temp_high")
PRECISE = decimal.Context(prec=60)
ENTITY = re.compile(r"[a-z0-9_]+\.[a-z0-9_]+")


class Thing:
    """A state of /api/states; raises a ValueError if it is none."""

    def __init__(self, state):
        if not isinstance(state, dict) or not ENTITY.fullmatch(string(state.get("entity_id"))):
            raise ValueError
        self.identifier = state["entity_id"]
        #: None if it cannot be read.
        self.state = string(state.get("state"), None)
        attributes = state.get("attributes") if isinstance(state.get("attributes"), dict) else {}
        self.name = string(attributes.get("friendly_name")) or self.identifier
        self.unit = string(attributes.get("unit_of_measurement"))
        #: Whether the state is a measurement; a version or an identifier can look like a number.
        self.is_measured = bool(self.unit or string(attributes.get("state_class")))
        self.climate = [degrees(attributes.get(name)) for name in CLIMATE]
        #: When something was or will be, in the state of a sensor with this class alone.
        self.is_time = attributes.get("device_class") == "timestamp"
        self.domain = self.identifier.partition(".")[0]

    @property
    def is_switch(self):
        return self.domain in SWITCHES and self.state in ("on", "off", "open", "closed", "playing", "idle", "paused")

    @property
    def is_on(self):
        return self.state in ("on", "open", "playing")

    def words(self):
        if self.state is None:
            return text("cannot be read", "orange")
        if self.unit and self.state.strip().lower() in NO_VALUES:
            return text("no value", "orange")
        if self.state in ("unavailable", "unknown"):
            return text(self.state, "orange")
        if self.is_time and (time := moment(self.state)):
            return text(time)
        if self.domain == "climate":
            present, wanted, low, high = self.climate
            wanted = wanted or (f"{low} to {high}" if low and high else low or high)
            parts = [self.state, *([present] if present else []), *([f"→ {wanted}"] if wanted else [])]
            return text(" ".join(parts))
        return text(f"{measurement(self.state) if self.is_measured else self.state} {self.unit}".strip())


def moment(words):
    """A time of the server, which is one of UTC, as it is here; None for anything else."""
    try:
        time = datetime.datetime.fromisoformat(words.replace("Z", "+00:00"))
        return f"{time.astimezone():%Y-%m-%d %H:%M}" if time.tzinfo else None
    except (ValueError, OverflowError):
        return None


def string(value, standard=""):
    """Text, or a number in place of one; `standard` for everything else."""
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)
    return value if isinstance(value, str) else str(value) if is_number else standard


def degrees(value):
    """A temperature; empty for what can be none."""
    try:
        value = float(value) if not isinstance(value, bool) else math.nan
    except (TypeError, ValueError, OverflowError):
        return ""
    # A zero has no sign, whatever it was rounded from.
    return f"{number(round(value, 1) + 0.0)}°" if abs(value) < 10_000 else ""


def measurement(state):
    """A measurement as Home Assistant shows it: a number with many digits has two places, everything else stays as it is."""
    match = NUMBER.fullmatch(state)
    if not match or len(state) > 40:
        return state
    if len(match.group(1) or "") <= 2 and not match.group(2):
        # A zero has no sign, whatever it was computed from.
        return state if re.search("[1-9]", state) else state.removeprefix("-")
    words = f"{decimal.Decimal(state).quantize(decimal.Decimal('0.01'), decimal.ROUND_HALF_UP, PRECISE):f}".rstrip("0").rstrip(".")
    return "0" if words in ("-0", "") else words


class HomeAssistant(Widget):

    def initialize(self):
        self.things = None
        self.missing = []
        # How many states cannot be read, where it is not known whose they are.
        self.unread = 0
        self.is_unreadable = False

    def view(self):
        return self.draw() if self.things is not None else None

    def server(self):
        address = self.setting("server", "").strip().rstrip("/")
        # The address of its page, or of what is asked, is often the one at hand.
        return re.sub(r"(?<=[^/:])/(?:api|lovelace|config|auth)(?:/.*)?$", "", address)

    def headers(self):
        token = self.setting("token")
        if not token:
            raise Failure("the token is missing; make one in your profile of Home Assistant, and set it with ,")
        return {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}

    def widget_perform_update(self, reason):
        if not self.server():
            return self.instructions("No server yet.", "Press , to set its address and a token.")
        self.read()
        if self.is_unreadable:
            raise Failure("none of the states can be read", view=self.draw())
        if self.missing and not self.things:
            raise Failure(f"{self.missing[0]} is not there", view=self.draw())
        return self.draw()

    def read(self):
        answer = self.words_of(lambda: fetch_json(f"{self.server()}/api/states", headers=self.headers(), seconds=10))
        if not isinstance(answer, list):
            raise Failure("the server answered with something other than states")
        things, self.unread = {}, 0
        for state in answer:
            try:
                thing = Thing(state)
            except ValueError:
                self.unread += 1
                continue
            things[thing.identifier] = thing
        self.is_unreadable = bool(self.unread) and not things
        wanted = self.setting("entities", [])
        chosen = wanted or [key for key, thing in things.items() if thing.domain in ("light", "switch", "climate")]
        self.things = [things[key] for key in chosen if key in things]
        self.missing = [key for key in wanted if key not in things]
        if wanted and not self.missing:
            self.unread = 0  # Everything that was asked for is there.

    @staticmethod
    def words_of(ask):
        """What is asked of the server, with the refusal of a token in words."""
        try:
            return ask()
        except Failure as failure:
            if "answered 401" in str(failure) or "answered 403" in str(failure):
                raise Failure("the server does not accept the token; set another one with ,") from failure
            raise

    def perform_action(self, action, value):
        kind, _, key = action.partition(" ")
        if kind == "toggle" and ENTITY.fullmatch(key):
            body = json.dumps({"entity_id": key}).encode()
            address = f"{self.server()}/api/services/homeassistant/toggle"
            self.words_of(lambda: fetch(address, headers=self.headers(), seconds=10, body=body))
            self.read()
        return self.draw()

    def draw(self):
        if not self.things and not self.missing and not self.unread:
            return secondary("There is nothing to show; list entities with ,")
        rows = []
        for thing in self.things[:LONG]:
            if thing.is_switch:
                rows.append([{
                    "type": "toggle", "id": thing.identifier, "label": thing.name, "isOn": thing.is_on,
                    "action": f"toggle {thing.identifier}",
                }, secondary("" if thing.state in ("on", "off") else thing.state)])
            else:
                rows.append([text(thing.name), thing.words()])
        rows += [[text(key, truncation="middle"), text("is not there", "orange")] for key in self.missing]
        if self.unread:
            words = "1 state" if self.unread == 1 else f"{self.unread} states"
            rows.append([text(words), text("cannot be read", "orange")])
        return grid(self.fit(rows, rows), ["leading", {"alignment": "trailing", "priority": 1}])


if __name__ == "__main__":
    HomeAssistant().run()
