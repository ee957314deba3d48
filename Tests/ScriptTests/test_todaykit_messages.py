import ast
import datetime
import inspect
import json
import re
import sys
import tempfile
import unittest
from pathlib import Path

from widget import ROOT, SCHEMA, KitWidget

SHARED = ROOT / "Widgets/Shared"
PROGRAM = """#!/usr/bin/python3 -ESB
from todaykit import *

class Probe(Widget):
    allows_editing = True
    refresh_after = 600

    def initialize(self):
        self.words = "begun"

    def view(self):
        return f"{self.screen_rows} rows" if self.words == "rows " else self.words

    def widget_perform_update(self, reason):
        if reason == "schedule":
            later = [(datetime.datetime(2031, 2, 3, tzinfo=datetime.timezone.utc), "later")]
            return new_data(self.words, refresh_after=5, timeline=later, policy="never")
        return None if reason == "event" else self.words

    def perform_action(self, action, value):
        if action == "defaults":
            cups = self.defaults_read("group.a", ["cups"])["cups"]
            self.defaults_write("group.a", {"cups": cups + 1, "last": None})
            self.post_notification("group.a.changed")
        elif action == "secret":
            self.secret_add("token", "com.example.A", "s")
            self.secret_update("token", "t")
            self.words = str(self.secret_find("token"))
            self.secret_delete("token")
        elif action == "notices":
            number = self.post_notice("Rain soon", urgency="low", tag="rain")
            since = datetime.datetime(2031, 2, 3, tzinfo=datetime.timezone.utc)
            found = self.read_notices(since=since, waiting=True, applications=["ci"])
            self.dismiss_notice(number)
            self.perform_notice_action(found[0]["id"], "Log")
            self.words = found[0]["title"]
        elif action == "activity":
            with self.activity("save"):
                self.store("saved", True)
        elif action == "odd":
            return text({"half": "a\\ud800b \\ud83d\\ude00", "number": float("nan"), "set": {1}}[value])
        elif action == "nul":
            return vstack(text(["a\\0b", span("\\0", link="https://a.b/\\0c")]), "\\\\u0000 \\0", button("x", "press \\0y"))
        else:
            self.words = f"{action} {value}"
        return self.words

    def field_did_change(self, field, text):
        return f"{field} {text}"

    def list_should_remove_row(self, list, row):
        return row != "1"

    def list_did_remove_row(self, list, row):
        raise Failure("the file is read-only")

    def list_did_move_row(self, list, row, before):
        return f"{row} before {before}"

    def widget_list_perform_add_action(self, list):
        return f"new in {list}"

    def widget_did_begin_editing(self):
        self.words = "edited"

    def widget_did_end_editing(self):
        self.set_view(self.words)

    def view_did_appear(self):
        self.observe_notification("group.a.changed")

    def view_will_disappear(self):
        self.remove_observer("group.a.changed")

    def configuration_did_change(self):
        return str(self.configuration)

    def appearance_did_change(self):
        return f"dark {self.appearance['dark']}"

    def did_receive_memory_warning(self):
        self.set_preferred_content_size(None)

    def defaults_did_change(self, suite, keys):
        return f"{suite} {keys}"

    def did_receive_notification(self, name):
        return name

    def notices_did_change(self):
        return "other notices"

    def expiring_activity(self, activity):
        self.log(f"expired {activity}", "warning")

Probe().run()
"""


class MessageTests(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        path = Path(folder.name, "probe.py")
        path.write_text(PROGRAM)
        path.chmod(0o755)
        self.widget = KitWidget(path)
        self.widget.__enter__()
        self.addCleanup(self.widget.__exit__)
        self.begun = self.widget.initialize()

    def view(self, message):
        return message["params"]["view"]

    def answered(self, request, **result):
        """Answers a request of the widget, and returns what it sends next."""
        self.widget.answer(request, {"result": result})
        return self.widget.read()

    def test_what_is_overridden_is_implemented(self):
        self.assertTrue(self.begun["allowsEditing"])
        ours = SCHEMA.methods("toWidget")
        self.assertLessEqual(set(self.begun["implements"]), ours)
        self.assertIn("listDidMoveRow", self.begun["implements"])
        self.assertEqual(len(self.begun["implements"]), len(set(self.begun["implements"])))

    def test_an_update_says_when_the_next_is_due_and_what_comes_later(self):
        update = self.widget.call("widgetPerformUpdate", reason="user")
        self.assertEqual(update, {"result": "newData", "view": "begun", "refreshAfter": 600})
        later = self.widget.call("widgetPerformUpdate", reason="schedule")
        self.assertEqual(later["refreshAfter"], 5)
        self.assertEqual(later["timeline"]["entries"], [{"date": "2031-02-03T00:00:00+00:00", "view": "later"}])
        none = self.widget.call("widgetPerformUpdate", reason="event")
        self.assertEqual(none, {"result": "noData", "refreshAfter": 600})

    def test_half_a_character_is_replaced(self):
        odd = self.widget.call("performAction", action="odd", value="half")["view"]
        self.assertEqual(odd["text"], "a\ufffdb \U0001f600")
        self.assertEqual(self.widget.call("performAction", action="say", value="é\udcff")["view"], "say é\ufffd")

    def test_a_nul_is_left_out_of_all_that_is_sent(self):
        children = self.widget.call("performAction", action="nul")["view"]["children"]
        self.assertEqual(children[0]["text"], ["ab", {"text": "", "link": "https://a.b/c"}])
        self.assertEqual((children[1], children[2]["action"]), ("\\u0000 ", "press y"))
        self.assertEqual(self.widget.call("performAction", action="say", value="a\0b")["view"], "say ab")

    def test_what_json_has_no_form_for_costs_one_answer(self):
        for value, words in (("number", "not JSON compliant"), ("set", "not JSON serializable")):
            self.assertIn(words, self.widget.fail("performAction", action="odd", value=value)["message"])
        self.assertEqual(self.widget.call("performAction", action="say", value="on")["view"], "say on")

    def test_the_rows_of_the_screen_are_known_while_a_card_is_alone_on_it(self):
        for mode, height, rows in (("expanded", 40, "40"), ("expanded", 100, "None"), ("compact", 4, "None"), ("expanded", None, "None")):
            size = {"width": 60, **({"height": height} if height else {})}
            self.widget.call("performAction", action="rows", value="")
            view = self.view(self.widget.notify("widgetActiveDisplayModeDidChange", activeDisplayMode=mode, maximumSize=size))
            self.assertEqual(view, f"{rows} rows")

    def test_typing_and_rows(self):
        call = self.widget.call
        self.assertEqual(call("performAction", action="find", value="clown")["view"], "find clown")
        self.assertEqual(self.view(self.widget.notify("fieldDidChange", field="f", text="cl")), "f cl")
        self.assertEqual(call("listShouldRemoveRow", list="l", row="1"), {"allowed": False})
        self.assertEqual(self.widget.fail("listDidRemoveRow", list="l", row="2")["message"], "the file is read-only")
        self.assertEqual(call("listDidMoveRow", list="l", row="2", before=None)["view"], "2 before None")
        self.assertEqual(call("widgetListPerformAddAction", list="l")["view"], "new in l")
        self.widget.write('{"jsonrpc":"2.0","method":"widgetDidBeginEditing"}')
        self.assertEqual(self.view(self.widget.notify("widgetDidEndEditing")), "edited")

    def test_what_happens_to_the_page(self):
        notify = self.widget.notify
        self.assertEqual(notify("viewDidAppear")["method"], "observeNotification")
        removed = self.widget.request_of("viewWillDisappear", {})
        self.assertEqual((removed["method"], self.widget.read()["result"]), ("removeObserver", {}))
        self.assertEqual(self.view(notify("configurationDidChange", configuration={"a": 1})), "{'a': 1}")
        self.assertEqual(self.view(notify("appearanceDidChange", appearance={"colors": 8, "dark": True})), "dark True")
        self.assertEqual(notify("didReceiveMemoryWarning")["params"], {"height": None})
        self.assertEqual(notify("expiringActivity", activity=3, expired=True)["params"]["message"], "expired 3")

    def test_shared_data(self):
        notify = self.widget.notify
        self.assertEqual(self.view(notify("defaultsDidChange", suite="group.a", keys=["b"])), "group.a ['b']")
        self.assertEqual(self.view(notify("didReceiveNotification", name="group.a.b")), "group.a.b")
        read = self.widget.request_of("performAction", {"action": "defaults"})
        write = self.answered(read, values={"cups": 3})
        self.assertEqual(write["params"]["values"], {"cups": 4, "last": None})
        self.assertEqual(self.answered(write)["method"], "postNotification")
        self.assertEqual(self.widget.read()["result"]["view"], "begun")

    def test_secrets(self):
        add = self.widget.request_of("performAction", {"action": "secret"})
        find = self.answered(self.answered(add))
        self.assertEqual(find["method"], "secretFind")
        delete = self.answered(find, value="t")
        self.assertEqual(self.answered(delete)["result"]["view"], "t")

    def test_notices(self):
        self.assertEqual(self.view(self.widget.notify("noticesDidChange")), "other notices")
        post = self.widget.request_of("performAction", {"action": "notices"})
        self.assertEqual(post["params"], {"title": "Rain soon", "urgency": "low", "tag": "rain"})
        read = self.answered(post, id="7")
        self.assertEqual((read["method"], read["params"]["waiting"], read["params"]["applications"]), ("readNotices", True, ["ci"]))
        notice = {
            "id": "8", "date": "2031-02-03T04:05:06Z", "application": "ci", "source": "post", "title": "failed",
            "urgency": "normal", "state": "waiting",
        }
        dismiss = self.answered(read, notices=[notice])
        self.assertEqual((dismiss["method"], dismiss["params"]), ("dismissNotice", {"id": "7"}))
        act = self.answered(dismiss)
        self.assertEqual((act["method"], act["params"]), ("performNoticeAction", {"id": "8", "name": "Log"}))
        self.assertEqual(self.answered(act)["result"]["view"], "failed")

    def test_work_that_must_not_be_interrupted(self):
        begin = self.widget.request_of("performAction", {"action": "activity"})
        end = self.answered(begin, activity=7, expired=False)
        self.assertEqual((end["method"], end["params"]), ("endExpiringActivity", {"activity": 7}))
        self.assertIn("view", self.widget.read()["result"])
        self.assertTrue(json.loads(Path(self.widget.data, "saved.json").read_text()))
        begin = self.widget.request_of("performAction", {"action": "activity"})
        self.assertEqual(self.answered(begin, activity=0, expired=True)["result"]["error"], "there is no time left")


class NodeTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        sys.path.insert(0, str(SHARED))
        import todaykit

        cls.kit = todaykit

    @classmethod
    def tearDownClass(cls):
        sys.path.remove(str(SHARED))

    def test_there_is_a_valid_function_for_each_node(self):
        kit = self.kit
        moment = datetime.datetime(2031, 2, 3, tzinfo=datetime.timezone.utc)
        nodes = [
            kit.text(["a", kit.span("b", "red", bold=True, link="https://a.b")], "blue", dim=True, limit=None, align="center"),
            kit.secondary("a", id="1", padding=1, frame={"maxWidth": 9}),
            kit.date(moment, "relative"),
            kit.date(timeZone="UTC"),
            kit.vstack("a", kit.divider(), spacing=1),
            kit.hstack("a", kit.spacer(minLength=2), "b", alignment="center"),
            kit.zstack("a", "b", alignment="leading"),
            kit.grid([["a", "b"]], ["leading", {"alignment": "trailing", "priority": 1}], rowSpacing=1),
            kit.gauge(1, 0, 2, label="a", words="b", thresholds=[(0, "green"), (2, "red")]),
            kit.sparkline([1, None, 2], minimum=0, maximum=3, height=2),
            kit.chart(kit.series([1, None], "a", "red"), kind="bar", height=3, showsAxis=True, unit="B"),
            kit.image("a.png", "a", height=3),
            kit.button(kit.text("a"), "b"),
            kit.toggle("a", True, "b"),
            kit.field("f", "find", "a", placeholder="b", kind="search"),
            kit.list_("l", kit.row("1", "a", action="b"), kit.row("2", kit.text("b")), empty="c", minimumVisibleRowCount=1),
            kit.fold("a", "b", identifier="1", isOpen=True),
            kit.ansi("\x1b[31ma"),
        ]
        for node in nodes:
            with self.subTest(node["type"]):
                self.assertEqual(SCHEMA.problem(node, "node"), "")
        types = {name[5:] for name in SCHEMA.original["$defs"] if name.startswith("node.")}
        self.assertEqual({node["type"] for node in nodes} | {"spacer", "divider"}, types)

    def public(self):
        """The public names, and the public methods of the classes by their names."""
        kit = {name: one for name, one in vars(self.kit).items() if getattr(one, "__module__", "") == "todaykit" and name[0] != "_"}
        methods = {}
        for one in filter(inspect.isclass, kit.values()):
            methods.update({name: method for name, method in vars(one).items() if inspect.isfunction(method) and name[0] != "_"})
        return kit, methods

    def test_a_child_that_is_none_is_left_out(self):
        kit = self.kit
        for stack in (kit.vstack, kit.hstack, kit.zstack):
            self.assertEqual(stack("a", None, "b")["children"], ["a", "b"])
        self.assertEqual(kit.fold("label", None)["children"], [])

    def test_everything_has_words_and_types(self):
        names, methods = self.public()
        for one in [*names.values(), *methods.values()]:
            with self.subTest(one):
                self.assertTrue(one.__doc__)
                if inspect.isfunction(one):
                    self.assertIn("return", one.__annotations__)

    def test_everything_is_in_the_reference(self):
        page = (ROOT / "Docs/Kits/Python.md").read_text()
        listed = set(re.findall(r"`(\w+)", page))
        names, methods = self.public()
        self.assertEqual({*names, *methods} - listed - {"Waiting", "Extension"}, set())

    def test_it_is_python_3_9_without_other_modules(self):
        tree = ast.parse((SHARED / "todaykit.py").read_text(), feature_version=(3, 9))
        modules = set()
        for node in ast.walk(tree):
            if isinstance(node, ast.Import):
                modules |= {name.name.split(".")[0] for name in node.names}
            elif isinstance(node, ast.ImportFrom):
                modules.add(node.module.split(".")[0])
        self.assertLessEqual(modules, set(sys.stdlib_module_names))

    def test_a_text_is_cut_at_a_whole_character(self):
        cut = self.kit._cut
        family, flag = "\U0001f468\u200d\U0001f469\u200d\U0001f467", "\U0001f1e9\U0001f1f0"
        self.assertEqual(cut("é" * 50, 100), "é" * 50)
        self.assertEqual(cut("é" * 51, 100), "é" * 48 + "…")
        self.assertEqual(cut("e\u0301" * 40, 100), "e\u0301" * 32 + "…")
        self.assertEqual(cut(family * 6, 100), family * 5 + "…")
        self.assertEqual(cut(flag * 20, 100), flag * 12 + "…")
        self.assertEqual(cut("x" + flag * 20, 100), "x" + flag * 12 + "…")
        self.assertLessEqual(len(cut("a" + "\u0301" * 9000, 100).encode()), 100)

    def test_long_texts_are_cut_where_they_are_read_and_the_view_fits_in_a_line(self):
        kit, long = self.kit, "ü" * 20_000
        nodes = [
            kit.text([long, kit.span(long, link="https://a.b")]), kit.button(long, "press"), kit.gauge(1, label=long, words=long),
            kit.field("f", "find", long), kit.list_("l", kit.row("1", long), empty=long), kit.chart(kit.series([1], long)),
        ]
        for message in (
            {"id": 1, "result": {"view": kit.vstack(*nodes)}},
            {"id": 1, "result": kit.new_data(long, timeline=[(datetime.datetime(2031, 2, 3), kit.vstack(*nodes))])},
            {"method": "setView", "params": {"view": kit.vstack(*nodes)}},
        ):
            sent = json.loads(kit._line(message))
            view = sent.get("params", sent.get("result")).get("view")
            view = view if isinstance(view, dict) else sent["result"]["timeline"]["entries"][0]["view"]
            self.assertEqual(view["children"][3]["text"], long)
            view["children"][3].pop("text")
            for words in re.findall("ü+…?", json.dumps(view, ensure_ascii=False)):
                self.assertTrue(len(words.encode()) <= 16_000 and words.endswith("…"))
            self.assertEqual(view["children"][1]["action"], "press")
        many = kit.vstack(*[kit.text("x" * 9000) for _ in range(60)])
        sent = kit._line({"method": "setView", "params": {"view": many}})
        self.assertLess(len(sent), 256 * 1024)
        self.assertEqual(len(json.loads(sent)["params"]["view"]["children"]), 60)
        self.assertLess(len(kit._line({"id": 1, "error": {"code": 1, "message": long}})), 17_000)
        # What is not shown is whole.
        items = [{"attachments": [{"text": long}]}]
        self.assertEqual(json.loads(kit._line({"id": 1, "method": "m", "params": {"returningItems": items}}))["params"]["returningItems"], items)

    def test_a_request_outside_of_work_that_may_wait_says_so(self):
        with self.assertRaises(self.kit.Failure) as caught:
            self.kit.Widget().open_url("https://example.com")
        self.assertIn("waits for an answer", str(caught.exception))


if __name__ == "__main__":
    unittest.main()
