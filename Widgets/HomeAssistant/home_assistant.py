#!/usr/bin/python3 -ESB
"""Home Assistant: the states of things at home, and switches for those that have one."""

import json
import re

from todaykit import Failure, Widget, fetch, fetch_json, grid, number, secondary, text, vstack

LONG = 30
# The domains whose things can be switched by homeassistant.toggle.
SWITCHES = {"light", "switch", "fan", "input_boolean", "automation", "siren", "humidifier", "media_player", "cover"}
# A decimal number, and its places; a number with an exponent, a version or a time is something else.
NUMBER = re.compile(r"-?[0-9]+(?:\.([0-9]+))?")
ENTITY = re.compile(r"[a-z0-9_]+\.[a-z0-9_]+")


class Thing:
    """A state of /api/states."""

    def __init__(self, state):
        self.identifier = str(state["entity_id"])
        self.state = str(state["state"])
        attributes = state.get("attributes") if isinstance(state.get("attributes"), dict) else {}
        self.name = str(attributes.get("friendly_name") or self.identifier)
        self.unit = str(attributes.get("unit_of_measurement") or "")
        self.climate = [attributes.get(name) for name in ("current_temperature", "temperature")]
        self.domain = self.identifier.partition(".")[0]

    @property
    def is_switch(self):
        return self.domain in SWITCHES and self.state in ("on", "off", "open", "closed", "playing", "idle", "paused")

    @property
    def is_on(self):
        return self.state in ("on", "open", "playing")

    def words(self):
        if self.state in ("unavailable", "unknown"):
            return text(self.state, "orange")
        if self.domain == "climate":
            present, wanted = (isinstance(one, (int, float)) and f"{number(one)}°" for one in self.climate)
            parts = [self.state, *([present] if present else []), *([f"→ {wanted}"] if wanted else [])]
            return text(" ".join(parts))
        return text(f"{measurement(self.state)} {self.unit}".strip())


def measurement(state):
    """A state as Home Assistant shows it: a number with many digits has two places, everything else stays as it is."""
    match = NUMBER.fullmatch(state)
    if not match or len(match.group(1) or "") <= 2 or len(state) > 40:
        return state
    return number(float(state), 2).replace("-0", "0", 1) if abs(float(state)) < 0.005 else number(float(state), 2)


class HomeAssistant(Widget):

    def initialize(self):
        self.things = None
        self.missing = []

    def view(self):
        return self.draw() if self.things is not None else None

    def server(self):
        return self.setting("server", "").rstrip("/")

    def headers(self):
        token = self.setting("token")
        if not token:
            raise Failure("the token is missing; make one in your profile of Home Assistant, and set it with ,")
        return {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}

    def widget_perform_update(self, reason):
        if not self.server():
            return self.instructions("No server yet.", "Press , to set its address and a token.")
        self.read()
        return self.draw()

    def read(self):
        answer = self.words_of(lambda: fetch_json(f"{self.server()}/api/states", headers=self.headers(), seconds=10))
        if not isinstance(answer, list):
            raise Failure("the server answered with something else than states")
        things = {}
        for state in answer:
            try:
                thing = Thing(state)
            except (KeyError, TypeError):
                continue
            things[thing.identifier] = thing
        wanted = self.setting("entities", [])
        chosen = wanted or [key for key, thing in things.items() if thing.domain in ("light", "switch", "climate")]
        self.things = [things[key] for key in chosen if key in things]
        self.missing = [key for key in wanted if key not in things]

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
        if not self.things and not self.missing:
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
        return grid(self.fit(rows, rows), ["leading", {"alignment": "trailing", "priority": 1}])


if __name__ == "__main__":
    HomeAssistant().run()
