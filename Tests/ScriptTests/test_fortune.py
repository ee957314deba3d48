import unittest
from pathlib import Path

from programs import Programs
from widget import ROOT, KitWidget, text

SAYINGS = (ROOT / "Widgets" / "Fortune" / "sayings.txt").read_text().splitlines()


class FortuneTests(unittest.TestCase):
    def setUp(self):
        self.programs = Programs(self)
        for name in ("date", "sed", "tr"):
            self.programs.add_real(name)

    def widget(self, data=None):
        widget = KitWidget("Fortune/fortune.sh", data=data, PATH=self.programs.path, TODAY_DATA=data or self.data)
        return widget

    @property
    def data(self):
        folder = Path(self.programs.path, "data")
        folder.mkdir(exist_ok=True)
        return str(folder)

    def test_a_saying_of_its_own_stays_until_the_next_update(self):
        with self.widget() as widget:
            first = text(widget.initialize()["view"])
            self.assertIn(first, SAYINGS)
            self.assertEqual(text(widget.call("viewWillAppear")["view"]), first)
            second = text(widget.call("widgetPerformUpdate", reason="schedule")["view"])
            self.assertEqual(SAYINGS.index(second), (SAYINGS.index(first) + 1) % len(SAYINGS))
        with self.widget() as widget:
            self.assertEqual(text(widget.initialize()["view"]), second)

    def test_every_saying_comes_in_turn_and_odd_files_do_no_harm(self):
        with self.widget() as widget:
            widget.initialize()
            seen = {text(widget.call("widgetPerformUpdate", reason="schedule")["view"]) for _ in SAYINGS}
            self.assertEqual(seen, set(SAYINGS))
            for odd in ("99999999999", "-1", "x", "9999", ""):
                Path(self.data, "saying.number").write_text(odd)
                widget.call("widgetPerformUpdate", reason="schedule")
                self.assertIn(text(widget.call("viewWillAppear")["view"]), SAYINGS)

    def test_the_program_is_asked_where_there_is_one(self):
        self.programs.add("fortune", ("-s", 'A "quoted" line\n\tand \\ another\n'))
        with self.widget() as widget:
            self.assertEqual(text(widget.initialize()["view"]), 'A "quoted" line  and \\ another')
        self.programs.add("fortune", ("-s", "No fortunes found\n", 1))
        with self.widget() as widget:
            widget.initialize()
            self.assertIn(text(widget.call("widgetPerformUpdate", reason="schedule")["view"]), SAYINGS)

    def test_a_fortune_that_is_not_utf_8_is_shown_without_the_odd_bytes(self):
        Path(self.programs.path, "fortune").write_bytes(b"#!/bin/sh\nprintf 'Caf\\351 Z\\303\\274rich \\033[1mbold'\n")
        Path(self.programs.path, "fortune").chmod(0o755)
        for program, expected in (("tr", "Caf Zrich [1mbold"), ("iconv", "Caf Zürich [1mbold")):
            if program == "iconv":
                self.programs.add_real(program)
            with self.widget() as widget:
                widget.initialize()
                self.assertEqual(text(widget.call("viewWillAppear")["view"]), expected)
            Path(self.data, "saying").unlink()

    def test_without_any_saying_it_says_so(self):
        for content in (None, ""):
            with self.widget() as widget:
                file = Path(widget.process.args[0]).with_name("sayings.txt")
                file.unlink() if content is None else file.write_text(content)
                widget.initialize()
                self.assertEqual(text(widget.call("viewWillAppear")["view"]), "There are no sayings: install fortune-mod.")
                self.assertEqual(widget.call("widgetPerformUpdate", reason="schedule")["result"], "noData")


if __name__ == "__main__":
    unittest.main()
