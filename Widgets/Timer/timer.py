#!/usr/bin/python3 -ESB
"""Timer: work and breaks in turn, or a countdown; a notification tells the end."""

import datetime
import os
import re
import threading

from file_watch import Follower
from todaykit import Failure, Widget, button, duration_words, grid, hstack, secondary, text, vstack

TITLES = {"work": "Work", "break": "Break", "long": "Long break", "countdown": "Countdown"}
ROUNDS = 4
LONGEST = 24 * 3600
NUMBER = r"(\d{1,6}(?:[.,]\d{1,3})?)"
TIME = re.compile(
    rf"(?:{NUMBER}\s*h(?:(?:ou)?rs?)?)?\s*(?:{NUMBER}\s*m(?:in(?:ute)?s?)?)?\s*(?:{NUMBER}\s*s(?:ec(?:ond)?s?)?)?"
)


def seconds_of(words):
    """A time such as 10, 1.5 h, 1h30, 1 h 30 min, 90 s or 10:30 in seconds; a number alone is minutes. None if it is none."""
    words = words.strip().lower()
    clock = re.fullmatch(r"(?:(\d{1,3}):)?(\d{1,4}):(\d{2})", words)
    # Behind hours there are minutes, as in 1h30.
    words += "m" if re.fullmatch(rf"(?:\d+\s*h\s*)?{NUMBER}", words) else ""
    match = clock or TIME.fullmatch(words)
    if not match or not any(match.groups()):
        return None
    hours, minutes, seconds = (float((part or "0").replace(",", ".")) for part in match.groups())
    found = round(3600 * hours + 60 * minutes + seconds)
    return found if 0 < found <= LONGEST else None


class Timer(Widget):
    """The state is stored: phase, its length and rest in seconds, and where it runs its end."""

    expands = True

    def initialize(self):
        self.alarm = None
        self.is_stored = True
        self.state = self.stored()
        self.note = None
        self.mistake = None  # the last text that is no time, until the next press
        self.follower = None
        self.take_settings()
        self.pass_end()
        self.wait()

    def view_did_appear(self):
        """Follows what cards of the timer in other programs store."""
        if self.data and not self.follower:
            path = os.path.join(os.path.abspath(self.data), "state.json")
            follow = lambda: self.draw() if self.follow() else None  # noqa: E731
            self.follower = Follower(lambda: [path], lambda: self.perform_later(follow))
            self.follower.start()

    def configuration_did_change(self):
        self.take_settings()
        return self.draw()

    def take_settings(self):
        """Gives a phase that was not begun the length that is set now."""
        state = self.state
        if not state["end"] and state["phase"] != "countdown" and state["rest"] == state["length"]:
            self.state = self.phase(state["phase"], rounds=state["round"])

    def stored(self):
        """The state as a card in any program has left it; that of this one if it could not be written."""
        if not self.is_stored:
            return self.state
        state = self.load("state", {})
        return state if self.is_sound(state) else self.phase("work")

    @staticmethod
    def is_sound(state):
        try:
            datetime.datetime.fromisoformat(state["end"]) if state["end"] else None
            sound = state["phase"] in TITLES and 0 < state["length"] <= LONGEST and 0 <= state["rest"] <= LONGEST
            return sound and isinstance(state["round"], int)
        except (KeyError, TypeError, ValueError):
            return False

    def phase(self, name, length=None, rounds=0):
        minutes = {"work": ("work", 25), "break": ("break", 5), "long": ("longBreak", 15)}.get(name)
        length = length or 60 * float(self.setting(*minutes))
        return {"phase": name, "length": length, "rest": length, "end": None, "round": rounds}

    @property
    def rest(self):
        if not self.state["end"]:
            return self.state["rest"]
        end = datetime.datetime.fromisoformat(self.state["end"])
        return min(LONGEST, (end - self.now()).total_seconds())

    def wait(self):
        """Wakes the widget at the end while it runs; otherwise an update does."""
        if self.alarm:
            self.alarm.cancel()
        self.alarm = None
        if self.state["end"]:
            self.alarm = threading.Timer(max(0, self.rest) + 0.05, self.ring)
            self.alarm.daemon = True
            self.alarm.start()

    def ring(self):
        # Another card of the timer may have paused it, or told its end.
        if self.follow():
            self.set_view(self.draw())

    def follow(self):
        """Takes over what is stored; returns whether the state is another one."""
        before = self.state
        self.state = self.stored()
        self.take_settings()
        has_passed = self.pass_end()
        if not has_passed:
            self.wait()
        return has_passed or self.state != before

    def pass_end(self):
        """Goes to the next phase if the present one is over; returns whether it was."""
        if not self.state["end"] or self.rest > 0:
            return False
        over = self.state["phase"]
        late = -self.rest
        self.state = self.following()
        self.is_stored = self.store("state", self.state)
        self.note = f"{TITLES[over]} is over."
        # Long after the end nobody waits for it.
        if late < 3600:
            threading.Thread(target=self.tell, args=(self.note,), daemon=True).start()
        return True

    def tell(self, words):
        try:
            self.request("org.today.alert", {"text": words})
        except Failure as failure:
            self.log(failure, "warning")

    def interrupted(self):
        """What goes on after a countdown: the phase that was begun, with what is left of it; None if there is none."""
        state = self.state
        if state["phase"] == "countdown":
            return state.get("after")
        if not state["end"] and state["rest"] == state["length"]:
            return None
        return {**state, "rest": max(1, self.rest), "end": None}

    def following(self):
        state = self.state
        after = state.get("after")
        if after and self.is_sound(after):
            return after
        if state["phase"] == "work":
            rounds = state["round"] + 1
            return self.phase("long" if rounds % ROUNDS == 0 else "break", rounds=rounds)
        return self.phase("work", rounds=state["round"])

    def view(self):
        self.pass_end()
        return self.draw()

    def widget_perform_update(self, reason):
        return self.draw() if self.follow() or reason == "user" else None

    def perform_action(self, action, value):
        self.note = self.mistake = None
        # Another card of the timer may have paused it meanwhile.
        self.state = self.stored()
        self.take_settings()
        if action == "start" and not self.state["end"]:
            self.begin()
        elif action == "pause" and self.state["end"]:
            self.state["rest"], self.state["end"] = max(0, self.rest), None
        elif action == "reset":
            self.state = self.phase("work")
        elif action == "skip":
            self.state = self.following()
        elif action == "countdown" and str(value or "").strip():
            length = seconds_of(str(value))
            if length is None:
                # It stays in the field, to be corrected.
                self.mistake = str(value)[:100]
                return self.draw()
            interrupted = self.interrupted()
            self.state = self.phase("countdown", length, self.state["round"])
            self.state["after"] = interrupted
            self.begin()
        self.is_stored = self.store("state", self.state)
        self.wait()
        return self.draw()

    def begin(self):
        end = self.now() + datetime.timedelta(seconds=self.state["rest"])
        self.state["end"] = end.isoformat()

    def draw(self):
        state = self.state
        title = text(TITLES[state["phase"]], "green" if state["end"] else None, bold=True)
        if state["end"]:
            left = {"type": "date", "date": state["end"], "display": "timer"}
            buttons = [button("Pause", "pause")]
        else:
            left = text(clock(state["rest"]))
            buttons = [button("Start" if state["rest"] == state["length"] else "Go on", "start")]
        rounds = state["round"] % ROUNDS
        marks = secondary("●" * rounds + "○" * (ROUNDS - rounds), accessibilityLabel=f"{rounds} of {ROUNDS} rounds")
        head = hstack(title, left, {"type": "spacer"}, marks)
        field = {"type": "field", "id": "countdown", "placeholder": "Countdown, such as 10 min", "action": "countdown", "text": self.mistake or ""}
        controls = hstack(*buttons, button("Skip", "skip"), button("Reset", "reset"), {"type": "spacer"})
        note = [secondary(self.note)] if self.note else []
        if self.mistake:
            # A narrow card cuts off what is in the field, too.
            note = [text(f"A time is 10, 1h30 or 90 s, up to 24 h, not “{self.mistake}”.", "orange")]
        return vstack(head, *note, controls, field, *self.outlook()) if self.is_expanded else vstack(head, *note, controls, field)

    def outlook(self):
        """When the phase ends, and what comes then."""
        rows = []
        if self.state["end"]:
            ends = {"type": "date", "date": self.state["end"], "display": "time"}
            rows.append([secondary("Ends"), ends])
        after = self.following()
        rest = self.state["round"] % ROUNDS + (self.state["phase"] == "work")
        words = f"{TITLES[after['phase']]}, {duration_words(after['rest'])}"
        rows.append([secondary("Then"), text(words)])
        if self.state["phase"] != "countdown" and after["phase"] != "long":
            rows.append([secondary("Long break"), text(f"after {ROUNDS - rest} more" if rest < ROUNDS else "next")])
        rows.append([secondary("Rounds"), text(str(self.state["round"]))])
        return [{"type": "divider"}, grid(rows)]


def clock(seconds):
    seconds = int(seconds)
    hours = f"{seconds // 3600}:" if seconds >= 3600 else ""
    return f"{hours}{seconds % 3600 // 60:0{2 if hours else 1}}:{seconds % 60:02}"


if __name__ == "__main__":
    Timer().run()
