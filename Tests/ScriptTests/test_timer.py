import datetime
import json
import select
import tempfile
import unittest
from pathlib import Path

from widget import KitWidget, pressable, text

START = "2031-02-03T10:00:00+00:00"


class TimerTests(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.data = folder.name

    def widget(self, **values):
        return KitWidget("Timer/timer.py", configuration=values, data=self.data)

    def press(self, widget, action, value=None):
        return widget.call("performAction", action=action, **({"value": value} if value else {}))["view"]

    def advance(self, widget, now):
        line = {"jsonrpc": "2.0", "method": "clockDidChange", "params": {"now": now}}
        widget.process.stdin.write(json.dumps(line) + "\n")

    def test_work_is_started_paused_and_goes_on(self):
        with self.widget(work=50) as widget:
            view = widget.initialize(now=START)["view"]
            self.assertIn("Work50:00", text(view))
            self.assertEqual(date(self.press(widget, "start")), "2031-02-03T10:50:00+00:00")
            self.advance(widget, "2031-02-03T10:20:00+00:00")
            view = self.press(widget, "pause")
            self.assertIn("Work30:00", text(view))
            self.assertIn("Go on", text(view))
            self.advance(widget, "2031-02-03T12:00:00+00:00")
            self.assertEqual(date(self.press(widget, "start")), "2031-02-03T12:30:00+00:00")
            self.assertIn("Work50:00", text(self.press(widget, "reset")))

    def test_more_says_when_it_ends_and_what_comes_then(self):
        with self.widget(work=50) as widget:
            view = widget.initialize(now=START, activeDisplayMode="expanded")["view"]
            self.assertEqual(text(view["children"][-1]), "ThenBreak, 5 minLong breakafter 3 moreRounds0")
            view = self.press(widget, "start")
            self.assertEqual([one["date"] for one in view["children"][-1]["rows"][0] if one["type"] == "date"], ["2031-02-03T10:50:00+00:00"])
            for words in ("Work, 50 min", "Break, 5 min", "Work", "Break", "Work", "Long break, 15 min"):
                view = self.press(widget, "skip")
                self.assertIn(f"Then{words}", text(view))
            view = self.press(widget, "countdown", "10")
            self.assertIn("ThenWork, 50 min", text(view))

    def test_the_end_is_told_and_a_break_follows_the_fourth_a_long_one(self):
        with self.widget() as widget:
            widget.initialize(now=START)
            for number, name in enumerate(("Break5:00", "Break5:00", "Break5:00", "Long break15:00"), start=1):
                self.press(widget, "start")
                now = datetime.datetime.fromisoformat(START) + datetime.timedelta(minutes=26 * number)
                self.advance(widget, now.isoformat())
                messages = [widget.request_of("widgetPerformUpdate", {"reason": "schedule"}), widget.read()]
                alert = next(one for one in messages if one.get("method") == "org.today.alert")
                view = next(one for one in messages if "result" in one)["result"]["view"]
                self.assertEqual(alert["params"]["text"], "Work is over.")
                widget.answer(alert, {"result": {}})
                self.assertIn(name, text(view))
                self.assertIn("●" * (number % 4) + "○" * (4 - number % 4), text(view))
                self.assertIn("Work25:00", text(self.press(widget, "skip")))

    def test_the_state_is_there_after_a_restart_and_an_end_long_ago_is_not_told(self):
        with self.widget() as widget:
            widget.initialize(now=START)
            self.press(widget, "start")
        with self.widget() as widget:
            view = widget.initialize(now="2031-02-03T10:10:00+00:00")["view"]
            self.assertEqual(date(view), "2031-02-03T10:25:00+00:00")
        with self.widget() as widget:
            view = widget.initialize(now="2031-02-04T10:10:00+00:00")["view"]
            self.assertIn("Work is over.", text(view))
            self.assertEqual(widget.call("widgetPerformUpdate", reason="schedule")["result"], "noData")

    def test_a_countdown_takes_times_as_people_write_them(self):
        cases = {
            "10": "10:10:00", "90 s": "10:01:30", "1h30m": "11:30:00", "1 h": "11:00:00", "2 min 5 s": "10:02:05",
            "1.5": "10:01:30", "1,5 h": "11:30:00", "1h30": "11:30:00", "10 sec": "10:00:10", "2 Hours": "12:00:00",
            "10:30": "10:10:30", "1:00:05": "11:00:05", "5 minutes 1 second": "10:05:01",
        }
        with self.widget() as widget:
            widget.initialize(now=START)
            for words, end in cases.items():
                self.assertEqual(date(self.press(widget, "countdown", words)), f"2031-02-03T{end}+00:00", words)
            # The field is empty for the next one.
            self.assertEqual(self.press(widget, "countdown", "10")["children"][-1]["text"], "")
            for words in ("0", "-5", "soon", "25 h", "9" * 50, "1.5.5", "10 m x", "1:2", ":30", "1 s 1 h", "0.001 s", "99:99:99", "1e3"):
                view = self.press(widget, "countdown", words)
                self.assertIn(f"A time is 10, 1h30 or 90 s, up to 24 h, not “{words}”.", text(view))
                self.assertEqual(view["children"][-1]["text"], words)
            self.assertNotIn("A time is", text(self.press(widget, "pause")))

    def test_a_text_that_is_no_time_changes_nothing_and_is_said_on_the_card(self):
        with self.widget() as widget:
            widget.initialize(now=START)
            self.press(widget, "start")
            view = self.press(widget, "countdown", "banana")
            self.assertEqual(date(view), "2031-02-03T10:25:00+00:00")
            self.assertIn("“banana”", text(view))
            self.assertEqual(len(view["children"]), 4)

    def change(self, widget, **values):
        params = {"configuration": values}
        return widget.send(json.dumps({"jsonrpc": "2.0", "method": "configurationDidChange", "params": params}))["params"]["view"]

    def test_a_phase_that_was_not_begun_has_the_length_that_is_set(self):
        with self.widget() as widget:
            widget.initialize(now=START)
            self.assertIn("10:00", text(self.change(widget, work=10)))
            self.press(widget, "start")
            # What runs goes on.
            self.assertNotIn("20:00", text(self.change(widget, work=20)))
            self.press(widget, "reset")
        with self.widget(work=2.5) as widget:
            self.assertIn("2:30", text(widget.initialize(now=START)["view"]))

    def test_two_cards_of_one_timer_do_what_is_stored(self):
        with self.widget() as first, self.widget() as second:
            first.initialize(now=START)
            second.initialize(now=START)
            self.press(first, "start")
            self.assertIn("Pause", text(second.call("widgetPerformUpdate", reason="schedule")["view"]))
            self.press(first, "pause")
            # The button of the second card is one of a state that has gone.
            self.assertIn("25:00", text(self.press(second, "pause")))
            self.assertEqual(second.call("widgetPerformUpdate", reason="schedule")["result"], "noData")

    def test_what_another_card_does_is_shown_at_once(self):
        with self.widget() as first, self.widget() as second:
            first.initialize(now=START)
            second.initialize(now=START)
            second.write('{"jsonrpc":"2.0","method":"viewDidAppear","params":{}}')
            for action, words in (("start", "Pause"), ("pause", "Start"), ("skip", "Break5:00")):
                self.press(first, action)
                self.assertTrue(select.select([second.process.stdout], [], [], 2)[0], action)
                self.assertIn(words, text(second.read()["params"]["view"]))
            # What it does itself is not shown twice.
            self.press(second, "reset")
            self.assertFalse(select.select([second.process.stdout], [], [], 0.3)[0])

    def test_a_timer_whose_state_cannot_be_written_goes_on(self):
        with KitWidget("Timer/timer.py", configuration={}, data=str(Path(self.data, "missing"))) as widget:
            widget.initialize(now=START)
            widget.request_of("performAction", {"action": "start"})  # the log says what was not written
            self.assertIn("Pause", text(widget.read()["result"]["view"]))
            self.assertEqual(widget.call("widgetPerformUpdate", reason="schedule")["result"], "noData")

    def test_a_countdown_interrupts_a_phase_that_goes_on_after_it(self):
        with self.widget() as widget:
            widget.initialize()
            self.press(widget, "start")
            self.press(widget, "countdown", "5 min")
            self.press(widget, "countdown", "10 min")
            view = self.press(widget, "skip")
            self.assertIn("Go on", text(view))
            self.assertRegex(text(view), r"Work(25:00|24:5\d)")
            self.press(widget, "reset")
            self.press(widget, "countdown", "5 min")
            self.assertIn("Start", text(self.press(widget, "skip")))

    def test_it_wakes_by_itself_at_the_end(self):
        with self.widget() as widget:
            widget.initialize()
            self.press(widget, "countdown", "1 s")
            messages = [widget.read(), widget.read()]
            self.assertEqual({one["method"] for one in messages}, {"org.today.alert", "setView"})

    def test_a_stored_state_that_is_odd_is_forgotten(self):
        for odd in ({"phase": "x"}, [], {"phase": "work", "length": 1e300, "rest": 5, "end": None, "round": 0},
                    {"phase": "work", "length": 5, "rest": 5, "end": "then", "round": 0}):
            Path(self.data, "state.json").write_text(json.dumps(odd))
            with self.subTest(odd=odd), self.widget() as widget:
                view = widget.initialize(now=START)["view"]
                self.assertIn("Work25:00", text(view))
                self.assertEqual([node["action"] for node in pressable(view)][:1], ["start"])


def date(view):
    """The date at which the running time of a view ends."""
    return next(node["date"] for node in view["children"][0]["children"] if node["type"] == "date")


if __name__ == "__main__":
    unittest.main()
