import sys
import unittest

from protocol_schema import ROOT
from request_host import RequestHost

SHARE = """#!/usr/bin/python3 -ESB
from todaykit import *

class Probe(ShareExtension):
    def compose(self):
        item = configuration_item("expiry", "Expires", "1 day", choices=["1 hour", "1 day"])
        return ComposeSheet("What is it?", text=self.items[0].title, items=[item])

    def presentation_animation_did_finish(self):
        self.log(self.items[0].attachments[0].load_text("public.plain-text"))

    def characters_remaining(self, text):
        return 5 - len(text)

    def configuration_item_chosen(self, item, value):
        self.set_compose(ComposeSheet(completions=[completion("done", "all", replaces=2)] if value else []))
        return None if value else vstack("pushed")

    def did_select_post(self, text):
        if text == "bad":
            raise Failure("the server is away")
        if text == "odd":
            raise KeyError("x")
        if text == "late":
            self.complete("early", [returned_text("{}", "public.json", "a.json"), returned_file("/tmp/x")])
            self.complete()

    def request_did_complete(self, expired):
        self.log(f"expired {expired}")

Probe().run()
"""
DEFAULTS = "#!/usr/bin/python3 -ESB\nfrom todaykit import *\nShareExtension().run()\n"
ACTION = """#!/usr/bin/python3 -ESB
from todaykit import *
import threading

class Probe(ActionExtension):
    def begin_request(self):
        first, second = self.items[0].attachments
        found = {}
        def load(part, form):
            try:
                found[part.identifier] = getattr(part, "load_" + form)()
            except ItemProviderError as error:
                found[part.identifier] = f"{error.code} {error}"
        second.load_progress = lambda count, total: self.report_progress(count, total)
        loads = [threading.Thread(target=load, args=one) for one in ((first, "path"), (second, "data"))]
        for one in loads:
            one.start()
        for one in loads:
            one.join()
        if found["a1"] == "cancel":
            self.cancel("it is wrong", {"a2": "no picture"})
        elif found["a1"] == "fail":
            raise Failure("it is not possible")
        else:
            self.complete(f"{sorted(found.items())} {self.is_viewer} {first.name} {first.size} {second.size} {self.items[0].user_info['command']}")

Probe().run()
"""


class ShareTests(unittest.TestCase):
    def start(self, program=SHARE, **params):
        return RequestHost(self, program, "todaykit.py", **params)

    def test_the_sheet_is_sent_after_the_first_answer(self):
        host = self.start()
        self.assertIn("didSelectPost", host.begun["implements"])
        self.assertNotIn("didSelectCancel", host.begun["implements"])
        self.assertEqual(len(host.begun["implements"]), len(set(host.begun["implements"])))
        item = {"id": "expiry", "title": "Expires", "value": "1 day", "choices": ["1 hour", "1 day"]}
        compose = host.expect("setCompose")["params"]
        self.assertEqual(compose, {"placeholder": "What is it?", "text": "Fix", "configurationItems": [item]})

    def test_text_is_validated_while_a_load_waits(self):
        host = self.start()
        host.expect("setCompose")
        host.notify("presentationAnimationDidFinish")
        load = host.expect("loadItem")
        self.assertEqual(load["params"], {"attachment": "a1", "type": "public.plain-text", "as": "text"})
        self.assertEqual(host.call("contentDidChange", text="12345"), {"isContentValid": True, "charactersRemaining": 0})
        self.assertEqual(host.call("contentDidChange", text="123456"), {"isContentValid": False, "charactersRemaining": -1})
        host.answer(load, {"text": "+ é"})
        self.assertEqual(host.expect("log")["params"]["message"], "+ é")

    def test_items_and_completions(self):
        host = self.start()
        host.expect("setCompose")
        host.request("configurationItemChosen", id="expiry", value="1 hour")
        sheet = host.expect("setCompose")["params"]
        self.assertEqual(sheet, {"completions": [{"text": "done", "detail": "all", "replaces": 2}]})
        self.assertEqual(host.read()["result"], {})
        host.request("configurationItemChosen", id="expiry")
        self.assertEqual(host.expect("setCompose")["params"], {"completions": None})
        self.assertEqual(host.read()["result"]["view"]["children"], ["pushed"])

    def post(self, host, text):
        host.expect("setCompose")
        return host.request("didSelectPost", text=text)

    def test_the_request_is_completed_when_post_returns_and_the_process_ends(self):
        host = self.start()
        post = self.post(host, "ok")
        complete = host.expect("completeRequest")
        self.assertEqual(complete["params"], {"returningItems": []})
        host.answer(complete)
        self.assertEqual(host.read(), {"jsonrpc": "2.0", "id": post, "result": {}})
        host.notify("requestDidComplete", expired=False)
        self.assertEqual(host.expect("log")["params"]["message"], "expired False")
        self.assertEqual(host.status(), 0)

    def test_what_is_returned_has_types_and_names_and_ends_the_request(self):
        host = self.start()
        self.post(host, "late")
        complete = host.expect("completeRequest")
        first, second = complete["params"]["returningItems"]
        self.assertEqual(first, {"attachments": [{"type": "public.plain-text", "text": "early"}]})
        self.assertEqual(second["attachments"][0], {"type": "public.json", "text": "{}", "suggestedName": "a.json"})
        self.assertEqual(second["attachments"][1], {"type": "public.data", "path": "/tmp/x"})
        host.answer(complete)
        self.assertEqual(host.read()["error"]["message"], "the request has ended already")
        host.notify("requestDidComplete", expired=True)
        self.assertEqual(host.expect("log")["params"]["message"], "expired True")

    def test_a_failure_cancels_the_request(self):
        for text, words in (("bad", "the server is away"), ("odd", "KeyError: 'x'")):
            host = self.start()
            self.post(host, text)
            self.assertEqual(host.expect("cancelRequest")["params"], {"error": words})
            self.assertEqual(host.read()["error"]["message"], words)

    def test_what_is_not_overridden_is_left_to_the_host(self):
        host = self.start(DEFAULTS)
        self.assertFalse({"didSelectPost", "didSelectCancel"} & set(host.begun["implements"]))
        self.assertEqual(host.call("contentDidChange", text="a"), {"isContentValid": True, "charactersRemaining": None})
        host.request("didSelectPost", text="a")
        self.assertEqual(host.read()["error"]["code"], -32601)

    def test_malformed_messages_cost_themselves(self):
        host = self.start(DEFAULTS, extensionContext={"inputItems": [7, {"attachments": [None, {}]}], "x": 1})
        for line, code in (("{", -32700), ("[1]", -32600), ('{"id":"x","method":"contentDidChange","params":3}', -32602)):
            host.write(line)
            self.assertEqual(host.read()["error"]["code"], code)
        host.write('{"id":"unknown","result":{}}')
        host.notify("loadProgress", attachment="a9", bytes="many")
        self.assertEqual(host.call("contentDidChange", text=None)["isContentValid"], True)


class ActionTests(unittest.TestCase):
    def start(self, **params):
        params = {"extensionPoint": "com.apple.services", "hasView": False, "role": "viewer", **params}
        host = RequestHost(self, ACTION, "todaykit.py", **params)
        loads = [host.expect("loadItem"), host.expect("loadItem")]
        return host, *sorted(loads, key=lambda load: load["params"]["attachment"])

    def returned(self, host):
        return host.expect("completeRequest")["params"]["returningItems"][0]["attachments"][0]["text"]

    def test_answers_in_any_order(self):
        host, path, data = self.start()
        self.assertEqual((path["params"]["as"], data["params"]["as"]), ("path", "data"))
        host.notify("loadProgress", attachment="a2", bytes=3, total=12)
        self.assertEqual(host.expect("reportProgress")["params"], {"completed": 3, "total": 12})
        host.answer(data, {"data": "aGk="})
        host.answer(path, {"path": "/tmp/a", "size": 1, "isInPlace": False})
        self.assertEqual(self.returned(host), "[('a1', '/tmp/a'), ('a2', b'hi')] True fix.diff None 12 git diff")

    def test_errors_of_loads_have_their_codes(self):
        host, path, data = self.start()
        host.answer(path, error={"code": -32603, "message": "gone", "data": {"itemProviderError": -1000}})
        host.answer(data, {"path": 7})
        words = self.returned(host)
        self.assertIn("('a1', '-1000 gone')", words)
        self.assertIn("('a2', '-1 the host sent no data')", words)

    def test_a_failure_or_a_cancel_ends_it_with_a_reason(self):
        for path_words, params in (
            ("cancel", {"error": "it is wrong", "itemErrors": {"a2": "no picture"}}),
            ("fail", {"error": "it is not possible"}),
        ):
            host, path, data = self.start()
            host.answer(data, {"data": ""})
            host.answer(path, {"path": path_words})
            self.assertEqual(host.expect("cancelRequest")["params"], params)


class TypeTests(unittest.TestCase):
    def setUp(self):
        sys.path.insert(0, str(ROOT / "Widgets/Shared"))
        self.addCleanup(sys.path.remove, str(ROOT / "Widgets/Shared"))

    def test_the_types_are_those_of_the_program(self):
        from todaykit import conforms

        rows = (ROOT / "Sources/ExtensionContent/Types/UniformTypes.tsv").read_text().splitlines()
        count = 0
        for row in rows:
            if row.startswith("#") or row.startswith("identifier"):
                continue
            name, parents = row.split("\t")[:2]
            for parent in parents.replace(" ", "").split(","):
                if parent not in ("", "-"):
                    count += 1
                    self.assertTrue(conforms(name, parent), f"{name} {parent}")
        self.assertGreater(count, 90)
        self.assertTrue(conforms("public.python-script", "public.data"))
        self.assertTrue(conforms("com.example.own", "com.example.own"))
        self.assertFalse(conforms("public.png", "public.text"))


if __name__ == "__main__":
    unittest.main()
