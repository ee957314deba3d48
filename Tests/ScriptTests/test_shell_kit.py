import json
import os
import shutil
import tempfile
import unittest
from pathlib import Path

from widget import ROOT, KitWidget, Widget, text

KIT = ROOT / "Widgets/Shared/todaykit.sh"
PROGRAM = """#!/bin/sh
. "${0%/*}/todaykit.sh"
offers_more=1
count=0
look() {
    setting name nobody
    first=$setting
    setting size 3
    quote "$first $setting $mode $count $now"
    view="{\\"type\\":\\"text\\",\\"text\\":$quoted}"
}
press() { [ "$1" != more ] || count=$((count + 1)); }
serve
"""


class ShellKitTests(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = Path(folder.name, "probe.sh")
        shutil.copy(KIT, folder.name)
        self.write(PROGRAM)

    def write(self, program):
        self.path.write_text(program)
        self.path.chmod(0o755)

    def shown(self, result):
        return text(result["view"]).strip()

    def test_settings_are_those_of_the_user_or_the_defaults(self):
        for configuration, words in (
            (None, "nobody 3 compact 0"),
            ({}, "nobody 3 compact 0"),
            ({"name": "Ada", "size": -1.5e300}, "Ada -1.5e+300 compact 0"),
            ({"size": True, "name": ""}, "true compact 0"),
        ):
            with self.subTest(configuration), Widget(self.path, configuration) as widget:
                self.assertEqual(self.shown(widget.initialize()), words)

    def test_a_press_and_the_expanded_form_change_the_view(self):
        with Widget(self.path) as widget:
            answer = widget.initialize(activeDisplayMode="compact")
            self.assertEqual(answer["largestAvailableDisplayMode"], "expanded")
            self.assertIn("performAction", answer["implements"])
            self.assertEqual(self.shown(widget.call("performAction", action="more")), "nobody 3 compact 1")
            self.assertEqual(self.shown(widget.call("performAction", action="less")), "nobody 3 compact 1")
            message = (
                '{"jsonrpc":"2.0","method":"widgetActiveDisplayModeDidChange","params":'
                '{"activeDisplayMode":"expanded","maximumSize":{"width":40,"height":9}}}'
            )
            self.assertEqual(self.shown(widget.send(message)["params"]), "nobody 3 expanded 1")

    def test_functions_are_called_at_the_start_for_updates_and_above_the_limit_of_memory(self):
        hooks = 'load() { count=10; }\nfetch() { count=$((count + 5)); }\nmemory_warning() { count=0; }\n'
        self.write(PROGRAM.replace("press()", hooks + "press()"))
        with Widget(self.path) as widget:
            answer = widget.initialize()
            self.assertIn("didReceiveMemoryWarning", answer["implements"])
            self.assertEqual(self.shown(answer), "nobody 3 compact 10")
            self.assertEqual(self.shown(widget.call("widgetPerformUpdate", reason="user")), "nobody 3 compact 15")
            widget.write('{"jsonrpc":"2.0","method":"didReceiveMemoryWarning","params":{}}')
            self.assertEqual(self.shown(widget.call("viewWillAppear")), "nobody 3 compact 0")

    def test_an_update_and_a_press_fail_in_words(self):
        fetch = """fetch() { [ $count -ne 1 ] || { failure='no "net"' && return 1; }; }\n"""
        press = "press() { count=$((count + 1)); [ $count -ne 3 ] || { failure='not thrice' && return 1; }; false; }"
        self.write(PROGRAM.replace("""press() { [ "$1" != more ] || count=$((count + 1)); }""", fetch + press))
        with Widget(self.path) as widget:
            widget.initialize()
            self.assertEqual(widget.call("widgetPerformUpdate", reason="user")["result"], "noData")
            # A status alone, as that of a test at the end of a function, is no failure.
            self.assertNotIn("result", widget.call("performAction", action="more"))
            failed = widget.call("widgetPerformUpdate", reason="user")
            self.assertEqual(failed, {"result": "failed", "error": 'no "net"'})
            self.assertNotIn("result", widget.call("performAction", action="more"))
            pressed = widget.call("performAction", action="more")
            self.assertEqual((pressed["result"], pressed["error"]), ("failed", "not thrice"))
            self.assertEqual(self.shown(pressed), "nobody 3 compact 3")

    def test_notices(self):
        press = """press() {
            post_notice 'Rain "soon"' '"urgency":"low"'
            dismiss_notice "$notice"
            read_notices '"waiting":true'
            perform_notice_action "$notice" Log || quote "$failure"
            count=$notice
        }
"""
        before, after = PROGRAM.split("press() {", 1)
        self.write(before + press + after.split("\n", 1)[1])
        with KitWidget(self.path) as widget:
            widget.initialize()

            def answered(request, **answer):
                # As the host writes it, without blanks.
                widget.write(json.dumps({"jsonrpc": "2.0", "id": request["id"], **answer}, separators=(",", ":")))
                return widget.read()

            post = widget.request_of("performAction", {"action": "more"})
            self.assertEqual(post["params"], {"title": 'Rain "soon"', "urgency": "low"})
            dismiss = answered(post, result={"id": "7"})
            self.assertEqual((dismiss["method"], dismiss["params"]), ("dismissNotice", {"id": "7"}))
            read = answered(dismiss, result={})
            self.assertEqual((read["method"], read["params"]), ("readNotices", {"waiting": True}))
            act = answered(read, result={"notices": []})
            self.assertEqual((act["method"], act["params"]), ("performNoticeAction", {"id": "7", "name": "Log"}))
            done = answered(act, error={"code": -32001, "message": "no press"})
            self.assertEqual(self.shown(done["result"]), "nobody 3 compact 7")

    def test_a_script_without_functions_says_so(self):
        with Widget(self.path) as widget:
            self.assertNotIn("didReceiveMemoryWarning", widget.initialize()["implements"])
            self.assertEqual(widget.call("widgetPerformUpdate", reason="user"), {"result": "noData"})

    def test_the_templates_have_what_is_called_at_the_start_for_updates_and_for_memory(self):
        for language, names in (
            ("swift", ("  init()", "func widgetPerformUpdate", "func didReceiveMemoryWarning()")),
            ("python", ("def initialize", "def widget_perform_update", "def did_receive_memory_warning")),
            ("sh", ("load() {", "fetch() {", "memory_warning() {")),
        ):
            files = [path for path in (ROOT / "Templates" / "widget" / language).rglob("*") if path.is_file()]
            texts = [path.read_text() for path in files if path.name in ("__PROGRAM__", "__NAME__.swift")]
            self.assertEqual(len(texts), 1, language)
            for name in names:
                with self.subTest(language):
                    self.assertIn(name, texts[0])

    def test_a_script_says_its_preferred_height_when_it_changes(self):
        self.write(PROGRAM.replace("press() {", """press() { preferred_height=$1; [ "$1" != none ] || preferred_height= ;""").replace('count=$((count + 1))', ":"))
        with Widget(self.path) as widget:
            self.assertNotIn("preferredContentSize", widget.initialize())
            for action, expected in (("6", {"height": 6}), ("6", "unsaid"), ("x", "unsaid"), ("0", {"height": 0}), ("none", None), ("none", "unsaid")):
                answer = widget.call("performAction", action=action)
                self.assertEqual(answer.get("preferredContentSize", "unsaid"), expected, action)
            self.assertNotIn("preferredContentSize", widget.call("viewWillAppear"))
        self.write(PROGRAM.replace("offers_more=1", 'preferred_height=${HEIGHT:-3}').replace("look() {", "look() { [ $method != widgetPerformUpdate ] || preferred_height=5"))
        with Widget(self.path) as widget:
            self.assertEqual(widget.initialize()["preferredContentSize"], {"height": 3})
            answer = widget.call("widgetPerformUpdate", reason="user")
            self.assertEqual((answer["result"], answer["preferredContentSize"]), ("newData", {"height": 5}))
            self.assertEqual(widget.call("widgetPerformUpdate", reason="user")["result"], "noData")

    def test_a_test_tells_the_time(self):
        with Widget(self.path) as widget:
            answer = widget.initialize(now="2031-02-03T04:05:06Z")
            self.assertEqual(self.shown(answer), "nobody 3 compact 0 2031-02-03T04:05:06Z")
            clock = '{"jsonrpc":"2.0","method":"clockDidChange","params":{"now":"2031-02-03T05:00:00Z"}}\n'
            widget.process.stdin.write(clock)
            self.assertTrue(self.shown(widget.call("performAction", action="")).endswith("T05:00:00Z"))

    def test_a_script_without_press_implements_no_presses(self):
        self.write(PROGRAM.replace("press()", "other()").replace("offers_more=1", ""))
        with Widget(self.path) as widget:
            answer = widget.initialize()
            self.assertNotIn("performAction", answer["implements"])
            self.assertNotIn("largestAvailableDisplayMode", answer)


if __name__ == "__main__":
    unittest.main()
