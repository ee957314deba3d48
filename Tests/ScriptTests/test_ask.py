import json
import shutil
import tempfile
import unittest
from pathlib import Path

from extensions import Extension
from server import Server

# A stand-in that notes its words, each with its length before it, and then what it reads.
STAND_IN = """#!/bin/sh
for word; do printf '%s %s\\n' "${#word}" "$word"; done >"$0.words"
cat >"$0.read"
printf 'hé \\033[1m!\\n'
"""


class EventServer(Server):
    """A server whose answers of bytes are events."""

    @staticmethod
    def send(handler, answer):
        if not isinstance(answer, bytes):
            return Server.send(handler, answer)
        handler.send_response(200)
        handler.send_header("Content-Type", "text/event-stream; charset=utf-8")
        handler.end_headers()
        handler.wfile.write(answer)


def events(*parts, end="data: [DONE]\n\n"):
    """The events of an answer in parts, as servers of chat completions write them."""
    lines = [": comment\r\n", "event: x\n"]
    lines += [f'data: {json.dumps({"choices": [{"index": 0, "delta": {"content": part}}]})}\n\n' for part in parts]
    lines.append('data: {"choices":[],"usage":{"total_tokens":7}}\n\n')
    return ("".join(lines) + end).encode()


class AskTests(unittest.TestCase):
    def setUp(self):
        self.ask = Extension(self, "ask.py")
        self.programs = self.ask.programs
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.home = Path(folder.name)
        self.prompts = self.home / ".config/today/prompts"
        self.prompts.mkdir(parents=True)

    def run_alone(self, content="a", **options):
        variables = {"HOME": str(self.home)}
        options = {"text": "What is it?", **options}
        return self.ask.run(content, "public.plain-text", variables, self.programs.path, **options)

    def answered(self, content="a", **options):
        done = self.run_alone(content, **options)
        self.assertEqual((done.stderr, done.returncode), (b"", 0))
        return done.stdout

    def refused(self, status, content="a", **options):
        """The reason why there is no answer."""
        done = self.run_alone(content, **options)
        self.assertEqual(done.returncode, status, done.stderr)
        return done.stderr.decode().rstrip("\n")

    def stand_in(self, name):
        path = self.programs.folder / name
        path.write_text(STAND_IN)
        path.chmod(0o755)

    def noted(self, name):
        """The words that a stand-in was called with, and what it has read."""
        return (self.programs.folder / f"{name}.words").read_text(), (self.programs.folder / f"{name}.read").read_text()

    def asked(self, **options):
        """Asks a server, and returns what it has got, with the answer."""
        got = []

        def answer(_, body):
            got.append(json.loads(body))
            return events("hé", "", " b\n")

        with EventServer(("/v1/chat/completions", answer)) as server:
            answer = self.answered(by="address", address=f"{server.url}/v1/", **{"model": "m", **options})
            self.headers = server.headers[0]
        return got[0], answer

    def test_llm_gets_the_prompt_apart_from_the_content(self):
        self.stand_in("llm")
        (self.prompts / "short.txt").write_text("\ufeffIn 'one' \"line\" $(x)\n")
        text = "-x\n`y` \"z\""
        self.assertEqual(self.answered(text, prompt="short", model="gpt-4o", text="-q\nb"), "hé \x1b[1m!\n".encode())
        system = "--system=In 'one' \"line\" $(x)\n\n-q\nb"
        self.assertEqual(self.noted("llm"), (f"6 prompt\n14 --model=gpt-4o\n{len(system)} {system}\n", text))
        self.answered()
        self.assertEqual(self.noted("llm")[0], "6 prompt\n20 --system=What is it?\n")

    def test_ollama_gets_the_prompt_before_the_content(self):
        self.stand_in("ollama")
        self.answered("b\n", by="ollama", model="llama3:8b")
        self.assertEqual(self.noted("ollama"), ("3 run\n12 --nowordwrap\n9 llama3:8b\n", "What is it?\n\nb\n"))
        self.assertIn("the option model names a model of ollama", self.refused(64, by="ollama"))

    def test_an_address_gets_a_chat_and_its_answer_is_printed_as_it_comes(self):
        got, answer = self.asked(content='"é"\n\x1b')
        self.assertEqual(answer, "hé b\n".encode())
        self.assertEqual(got, {"model": "m", "stream": True, "messages": [
            {"role": "system", "content": "What is it?"}, {"role": "user", "content": '"é"\n\x1b'},
        ]})
        self.assertNotIn("Authorization", self.headers)

    def test_an_address_that_does_not_stream_is_understood(self):
        answer = {"choices": [{"message": {"role": "assistant", "content": "yes\n"}}]}
        with Server(("/chat/completions", answer)) as server:
            self.assertEqual(self.answered(by="address", address=f"{server.url}/chat/completions", model="m"), b"yes\n")

    def test_the_key_is_one_that_only_its_owner_may_read(self):
        key = self.home / "my key"
        key.write_text(" sk-123\n")
        key.chmod(0o600)
        self.asked(key="~/my key")
        self.assertEqual(self.headers["Authorization"], "Bearer sk-123")
        address = {"by": "address", "address": "http://localhost:1", "model": "m", "key": str(key)}
        key.write_text("a\nb")
        self.assertIn("is no key, one word", self.refused(65, **address))
        key.chmod(0o640)
        self.assertEqual(
            self.refused(77, **address), f"others may read {key}; change that with: chmod 600 '{key}'"
        )
        key.unlink()
        self.assertIn("my key cannot be read: no such file", self.refused(66, **address))

    def test_it_is_redacted_first(self):
        text = "mail ann@b.org password=hunter22"
        got, _ = self.asked(content=text)
        self.assertEqual(got["messages"][1]["content"], "mail [email-1] password=[secret-1]")
        got, _ = self.asked(content=text, redact="no")
        self.assertEqual(got["messages"][1]["content"], text)
        with tempfile.TemporaryDirectory() as folder:
            self.ask.path = shutil.copy(self.ask.path, folder)
            self.assertEqual(self.refused(69), "redact.py, which comes with today, is not beside this script")

    def test_what_would_be_sent_is_shown_and_not_sent(self):
        self.stand_in("llm")
        shown = self.answered("b password=hunter22", show="request").decode()
        self.assertEqual(shown, "llm prompt '--system=What is it?'\n\nb password=[secret-1]\n")
        self.assertFalse((self.programs.folder / "llm.read").exists())
        shown = self.answered("é", show="request", by="address", address="https://a.test/v1", model="m").decode()
        self.assertTrue(shown.startswith('POST https://a.test/v1/chat/completions\n\n{\n  "model": "m"'), shown)
        self.assertIn('"content": "é"', shown)

    def test_an_address_is_secret_or_on_this_machine(self):
        for address in ("", "http://a.test/v1", "localhost:80", "file:///etc/passwd", "http://localhost.a.test", "-o x"):
            self.assertIn("the option address needs https://", self.refused(64, by="address", address=address, model="m"))
        for model in ("-x", "a b", "a\nb"):
            self.assertIn("is no name of a model", self.refused(64, by="ollama", model=model))
        self.assertEqual(
            self.refused(64, by="address", address="https://a.test"), "the option model names a model of the server"
        )

    def test_it_is_said_what_to_set_up(self):
        folder = self.prompts
        self.stand_in("llm")
        self.assertEqual(self.refused(64, text=" "), f"say what is asked: a question, or the name of a file in {folder}")
        self.assertEqual(self.refused(66, prompt="none"), f"the prompt {folder}/none cannot be read: no such file or directory")
        (folder / "long.md").write_text("a" * 100_001)
        self.assertEqual(self.refused(65, prompt="long"), "the prompt is longer than 100 kB")
        for name, words in (("llm", "llm is not installed; install it with: pipx"), ("ollama", "ollama is not installed; get it from")):
            (self.programs.folder / name).unlink(missing_ok=True)
            self.assertIn(words, self.refused(69, by=name, model="m"))

    def test_what_a_server_says_of_an_error_is_the_reason(self):
        def refusal(handler, _):
            handler.send_response(401)
            handler.end_headers()
            handler.wfile.write(b'{"error": {"message": "bad\\nkey \\u001b[1m"}}')
            raise ConnectionError

        def redirection(handler, _):
            handler.send_response(307)
            handler.send_header("Location", "/other")
            handler.end_headers()
            raise ConnectionError

        for answer, words in (
            (refusal, "the server answered 401: bad key  [1m"),
            (503, "the server answered 503: Service Unavailable"),
            (redirection, "the server answered 307: Temporary Redirect"),
            (events("a", end='data: {"error": {"message": "overloaded"}}\n\n'), "overloaded"),
            (events("a", end=""), "the answer ends in its middle"),
            (b"data: [1, 2]\n\n", "there is no answer that can be read: 'list' object has no attribute 'get'"),
            ({"choices": []}, "there is no answer that can be read: list index out of range"),
        ):
            with self.subTest(words), EventServer(("/chat", answer), ("/other", 500)) as server:
                self.assertEqual(self.refused(1, by="address", address=server.url, model="m"), words)
                self.assertEqual(server.paths, ["/chat/completions"])
        self.assertIn("Connection refused", self.refused(1, by="address", address="http://127.0.0.1:1", model="m"))

    def test_what_a_program_says_last_is_the_reason(self):
        self.programs.add("ollama", ("*", "\x1b[?25l\x1b[2K⠋ \x1b[?25h\r\x1b[KError: model 'x' not found\n", 1))
        self.assertEqual(self.refused(1, by="ollama", model="x"), "Error: model 'x' not found")
        self.programs.add("llm", ("*", "", 2))
        self.assertEqual(self.refused(1), "llm has ended with 2")


if __name__ == "__main__":
    unittest.main()
