import json
import unittest

from request_host import RequestHost

SHARE = """#!/bin/sh
. "${0%/*}/todaykit.sh"
expiry='1 day'
compose='"placeholder":"What?","configurationItems":[{"id":"expiry","title":"Expires"}]'
valid() {
    remaining=$((5 - ${#content_text}))
    [ "$remaining" -ge 0 ]
}
choose() {
    expiry="$1=$2"
    [ "$2" != never ] || compose='"placeholder":"For ever"'
}
post() {
    case $content_text in
    fail) failure='it is "away"'; return 1 ;;
    silent) return 1 ;;
    nothing) return ;;
    esac
    load_item public.plain-text || return
    progress 1 2
    quote "$path"
    say "{\\"jsonrpc\\":\\"2.0\\",\\"method\\":\\"log\\",\\"params\\":{\\"level\\":\\"info\\",\\"message\\":$quoted}}"
    load_item public.png a2
    return_text "$content_text $expiry ($attachments)" public.url
    return_file "$path"
}
serve
"""
ACTION = """#!/bin/sh
. "${0%/*}/todaykit.sh"
act() {
    setting indent 2
    load_item || return
    progress "$setting"
    return_text "$(cat "$path")" "public.json"
}
serve
"""
VIEW = """#!/bin/sh
. "${0%/*}/todaykit.sh"
word=nothing
fetch() {
    load_item public.plain-text || return
    word=loaded
}
look() {
    quote "$word"
    view="{\\"type\\":\\"button\\",\\"label\\":$quoted,\\"action\\":\\"go\\"}"
}
press() {
    word=$1
    [ "$1" != go ] || return_text "$word"
}
serve
"""
TEXT = """#!/bin/sh
. "${0%/*}/todaykit.sh"
valid() { printf '%s' "$content_text" >"$0.text"; }
serve
"""
BYTES = r"""#!/bin/sh
. "${0%/*}/todaykit.sh"
quote "$(printf 'gr\374n \342\202 \355\240\200 \377 é 日 👩‍💻 "\\%%s')"
compose="\"placeholder\":$quoted"
post() { :; }
serve
"""


class ShareTests(unittest.TestCase):
    def start(self, program=SHARE, **params):
        return RequestHost(self, program, "todaykit.sh", **params)

    def post(self, text):
        """A host that has sent the text to post, and the identifier of that."""
        host = self.start()
        host.expect("setCompose")
        return host, host.request("didSelectPost", text=text)

    def test_the_sheet_is_sent_after_the_first_answer(self):
        host = self.start()
        self.assertEqual(host.begun["implements"], ["didSelectPost", "contentDidChange", "configurationItemChosen"])
        self.assertEqual(
            host.expect("setCompose")["params"],
            {"placeholder": "What?", "configurationItems": [{"id": "expiry", "title": "Expires"}]},
        )

    def test_text_is_validated(self):
        host = self.start()
        host.expect("setCompose")
        self.assertEqual(host.call("contentDidChange", text="12345"), {"isContentValid": True, "charactersRemaining": 0})
        self.assertEqual(host.call("contentDidChange", text="123456"), {"isContentValid": False, "charactersRemaining": -1})

    def test_every_character_of_a_text_arrives(self):
        host = self.start(TEXT)
        path = host.process.args[0].with_name("probe.text")
        for text in ("", 'a "b" \\ / \\n $(x) `y` %s %b \\0101', "\b\f\n\r\t\x01\x1b\x7f\n\n", "é 日 👩‍💻 ￿", "{\"text\":\"x\"}"):
            for is_ascii in (True, False):
                message = {"jsonrpc": "2.0", "id": 7, "method": "contentDidChange", "params": {"text": text}}
                host.write(json.dumps(message, ensure_ascii=is_ascii, separators=(",", ":")).replace("/", "\\/"))
                self.assertEqual(host.read()["result"], {"isContentValid": True})
                self.assertEqual(path.read_bytes().decode(), text)

    def test_bytes_that_are_not_utf_8_are_replaced_in_what_is_sent(self):
        host = self.start(BYTES)
        self.assertEqual(
            host.expect("setCompose")["params"]["placeholder"],
            "gr\ufffdn \ufffd \ufffd\ufffd\ufffd \ufffd é 日 👩‍💻 \"\\%s",
        )

    def test_content_is_loaded_and_what_is_made_of_it_is_returned(self):
        host = self.start()
        host.expect("setCompose")
        self.assertEqual(host.call("configurationItemChosen", id="expiry", value="1 \"hour\""), {})
        post = host.request("didSelectPost", text="ok")
        load = host.expect("loadItem")
        self.assertEqual(load["params"], {"attachment": "a1", "type": "public.plain-text", "as": "path"})
        # A message that comes while it waits is answered.
        self.assertTrue(host.call("contentDidChange", text="ok")["isContentValid"])
        host.answer(load, {"path": '/tmp/a "b".diff', "size": 1, "isInPlace": False})
        self.assertEqual(host.expect("reportProgress")["params"], {"completed": 1, "total": 2})
        self.assertEqual(host.expect("log")["params"]["message"], '/tmp/a "b".diff')
        load = host.expect("loadItem")
        self.assertEqual(load["params"]["attachment"], "a2")
        host.answer(load, {"path": "/tmp/x.png", "size": 1, "isInPlace": False})
        complete = host.expect("completeRequest")
        self.assertEqual(complete["params"], {"returningItems": [{"attachments": [
            {"type": "public.url", "text": 'ok expiry=1 "hour" (a1 a2)'}, {"type": "public.data", "path": "/tmp/x.png"},
        ]}]})
        host.answer(complete)
        self.assertEqual(host.read(), {"jsonrpc": "2.0", "id": post, "result": {}})
        host.request("shutdown")
        self.assertEqual(host.status(), 0)

    def test_a_choice_can_change_the_sheet(self):
        host = self.start()
        host.expect("setCompose")
        chosen = host.request("configurationItemChosen", id="expiry", value="never")
        self.assertEqual(host.expect("setCompose")["params"], {"placeholder": "For ever"})
        self.assertEqual(host.read(), {"jsonrpc": "2.0", "id": chosen, "result": {}})

    def test_a_post_that_returns_nothing_completes_the_request(self):
        host, _ = self.post("nothing")
        self.assertEqual(host.expect("completeRequest")["params"], {"returningItems": []})

    def test_a_failure_cancels_the_request_with_its_reason(self):
        for text, words in (("fail", 'it is "away"'), ("silent", "it has failed")):
            host, post = self.post(text)
            self.assertEqual(host.expect("cancelRequest")["params"], {"error": words})
            self.assertEqual(host.read(), {"jsonrpc": "2.0", "id": post, "result": {}})

    def test_the_reason_of_a_load_or_an_end_that_was_refused_is_that_of_the_host(self):
        host, _ = self.post("ok")
        host.answer(host.expect("loadItem"), error={"code": -32603, "message": "it is \"gone\"", "data": {"itemProviderError": -1000}})
        self.assertEqual(host.expect("cancelRequest")["params"], {"error": 'it is "gone"'})
        host, _ = self.post("nothing")
        host.answer(host.expect("completeRequest"), error={"code": -32602, "message": "too much"})
        self.assertEqual(host.expect("cancelRequest")["params"], {"error": "too much"})

    def test_the_end_of_the_input_ends_a_load(self):
        host, _ = self.post("ok")
        host.expect("loadItem")
        host.process.stdin.close()
        self.assertEqual(host.status(), 0)

    def test_what_a_script_does_not_have_is_left_to_the_host(self):
        host = self.start("#!/bin/sh\n. \"${0%/*}/todaykit.sh\"\npost() { :; }\nserve\n", extensionContext={"inputItems": []})
        self.assertEqual(host.begun["implements"], ["didSelectPost"])
        host.write("no JSON")
        self.assertEqual(host.read()["error"]["code"], -32700)
        host.request("didSelectCancel")
        self.assertEqual(host.read()["error"]["code"], -32601)


class ActionTests(unittest.TestCase):
    def test_an_action_without_a_view_works_as_soon_as_it_begins(self):
        host = RequestHost(
            self, ACTION, "todaykit.sh", extensionPoint="com.apple.services", hasView=False, configuration={"indent": 4}
        )
        self.assertEqual(host.begun, {"protocolVersion": 1, "implements": []})
        load = host.expect("loadItem")
        self.assertEqual(load["params"], {"attachment": "a1", "type": "public.data", "as": "path"})
        path = host.process.args[0].with_name("content")
        path.write_text('{"a":1}\n')
        host.answer(load, {"path": str(path), "size": 8, "isInPlace": True})
        self.assertEqual(host.expect("reportProgress")["params"], {"completed": 4, "total": None})
        complete = host.expect("completeRequest")
        self.assertEqual(
            complete["params"], {"returningItems": [{"attachments": [{"type": "public.json", "text": '{"a":1}'}]}]}
        )

    def start_with_view(self):
        """An action with a view, which loads the content, and the identifier of the message that makes it do so."""
        host = RequestHost(self, VIEW, "todaykit.sh", extensionPoint="com.apple.ui-services")
        self.assertEqual(host.begun, {"protocolVersion": 1, "implements": ["viewWillAppear", "performAction"]})
        return host, host.request("viewWillAppear", size={"width": 40, "height": 10}, animated=True)

    def label(self, message, identifier):
        self.assertEqual(message["id"], identifier)
        return message["result"]["view"]["label"]

    def test_an_action_with_a_view_shows_what_it_has_loaded_and_a_press_returns_content(self):
        host, appears = self.start_with_view()
        host.answer(host.expect("loadItem"), {"path": "/tmp/a", "size": 1, "isInPlace": False})
        self.assertEqual(self.label(host.read(), appears), "loaded")
        self.assertEqual(host.call("performAction", action="other")["view"]["label"], "other")
        press = host.request("performAction", action="go")
        complete = host.expect("completeRequest")
        self.assertEqual(
            complete["params"], {"returningItems": [{"attachments": [{"type": "public.plain-text", "text": "go"}]}]}
        )
        host.answer(complete)
        self.assertEqual(self.label(host.read(), press), "go")

    def test_an_action_with_a_view_that_cannot_load_the_content_is_cancelled(self):
        host, appears = self.start_with_view()
        host.answer(host.expect("loadItem"), error={"code": -32603, "message": "it is gone"})
        self.assertEqual(host.expect("cancelRequest")["params"], {"error": "it is gone"})
        self.assertEqual(self.label(host.read(), appears), "nothing")


if __name__ == "__main__":
    unittest.main()
