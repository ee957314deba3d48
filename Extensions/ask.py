#!/usr/bin/python3 -ESB
# today: share accepts="public.text" title="Ask" description="a language model about the text" requires="llm|ollama|option:address"
# today: option name=text title="Question" default=""
# today: option name=prompt title="File with the prompt" default=""
# today: option name=by title="By" choices="llm, ollama, address" default=llm
# today: option name=model title="Model" default=""
# today: option name=address title="Address, such as http://localhost:8080/v1" default=""
# today: option name=key title="File with the key for the address" default=""
# today: option name=redact title="Redact first" choices="yes, no" default=yes
# today: option name=show title="Show" choices="answer, request" default=answer
"""Asks a language model about a text, and prints its answer, or what would be sent.

A prompt is a file, by its path or by its name in ~/.config/today/prompts; the question is added to it. It is sent by
the programs llm or ollama, or to an address that has chat completions as those of OpenAI are.
"""

import http.client
import json
import os
import re
import shlex
import shutil
import stat
import subprocess
import sys
import threading
import urllib.error
import urllib.parse
import urllib.request

ADVICE = {"llm": "install it with: pipx install llm", "ollama": "get it from https://ollama.com"}
MODEL = re.compile(r"\w[\w.:/@+-]*")
BEAT_SECONDS = 10  # what is silent for 30 s is ended
READ_SECONDS = 300
ANSWER_LIMIT = 16 * 1024 * 1024
PROMPT_LIMIT = 100_000  # a word of a command line has at most 128 KiB


class Failure(Exception):
    """Why there is no answer, in words, and the exit status."""

    def __init__(self, words, status=1):
        super().__init__(words)
        self.status = status


def option(name):
    return os.environ.get(f"TODAY_OPTION_{name.upper()}", "").strip()


def prompt():
    """What the file and the question say together."""
    name, question = option("prompt"), option("text")
    base = os.environ.get("XDG_CONFIG_HOME") or os.path.expanduser("~/.config")
    folder = os.path.join(base, "today/prompts")
    parts = [question] if question else []
    if name:
        path = os.path.expanduser(name)
        if "/" not in name:
            places = [os.path.join(folder, name + ending) for ending in ("", ".txt", ".md")]
            path = next((place for place in places if os.path.isfile(place)), places[0])
        try:
            parts.insert(0, read(path).strip())
        except OSError as error:
            raise Failure(f"the prompt {path} cannot be read: {error.strerror.lower()}", 66) from error
    words = "\n\n".join(part for part in parts if part)
    if not words:
        raise Failure(f"say what is asked: a question, or the name of a file in {folder}", 64)
    if len(words.encode()) > PROMPT_LIMIT:
        raise Failure("the prompt is longer than 100 kB", 65)
    return words


def read(path):
    """A text file, at whose name no pipe is waited for."""
    with open(os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC), "rb") as file:
        return file.read(PROMPT_LIMIT + 1).decode("utf-8-sig", "replace").replace("\0", "")


def redacted(text):
    try:
        from redact import Redaction
    except ImportError:
        raise Failure("redact.py, which comes with today, is not beside this script", 69) from None
    return Redaction(text).text


class Program:
    """llm or ollama, which keep their own settings and keys."""

    def __init__(self, name, model, words, text):
        if not shutil.which(name):
            raise Failure(f"{name} is not installed; {ADVICE[name]}", 69)
        self.name = name
        if name == "llm":
            self.command = ["llm", "prompt", *([f"--model={model}"] if model else []), f"--system={words}"]
            self.input = text
        else:
            if not model:
                raise Failure("the option model names a model of ollama; “ollama list” has them", 64)
            self.command = ["ollama", "run", "--nowordwrap", model]
            self.input = f"{words}\n\n{text}"

    @property
    def words(self):
        """What is sent, to be read."""
        return f"{shlex.join(self.command)}\n\n{self.input}"

    def answer(self):
        """Prints the answer as it comes."""
        with subprocess.Popen(self.command, stdin=subprocess.PIPE, stderr=subprocess.PIPE) as process:
            _, said = process.communicate(self.input.encode("utf-8", "replace"))
        if process.returncode != 0:
            # A line may have been written over, and sequences may be in it.
            plain = re.sub(r"\x1b\[[0-9;?]*[ -/]*[@-~]|\x1b", "", said.decode("utf-8", "replace"))
            lines = [line.strip() for line in re.split(r"[\r\n]", plain) if line.strip()]
            raise Failure(lines[-1] if lines else f"{self.name} has ended with {process.returncode}")


class NoRedirection(urllib.request.HTTPRedirectHandler):
    """The content and the key go to the address that was given, and to no other one."""

    def redirect_request(self, *_):
        return None


class Address:
    """A server that has chat completions."""

    def __init__(self, model, words, text):
        address = option("address").rstrip("/")
        parts = urllib.parse.urlsplit(address)
        is_local = parts.hostname in ("localhost", "127.0.0.1", "::1")
        if not parts.hostname or not (parts.scheme == "https" or (parts.scheme == "http" and is_local)):
            raise Failure(
                "the option address needs https://… or one on this machine, such as http://localhost:8080/v1", 64
            )
        if not model:
            raise Failure("the option model names a model of the server", 64)
        self.url = address if address.endswith("/chat/completions") else f"{address}/chat/completions"
        self.body = {
            "model": model,
            "stream": True,
            "messages": [{"role": "system", "content": words}, {"role": "user", "content": text}],
        }
        self.key = self.find_key()

    @staticmethod
    def find_key():
        """The key in the file, which only its owner may read; empty without a file."""
        if not option("key"):
            return ""
        path = os.path.expanduser(option("key"))
        try:
            if os.stat(path).st_mode & (stat.S_IRWXG | stat.S_IRWXO):
                raise Failure(f"others may read {path}; change that with: chmod 600 {shlex.quote(path)}", 77)
            key = read(path).strip()
        except OSError as error:
            raise Failure(f"the key {path} cannot be read: {error.strerror.lower()}", 66) from error
        if not re.fullmatch(r"[!-~]+", key):
            raise Failure(f"{path} is no key, one word", 65)
        return key

    @property
    def words(self):
        """What is sent, to be read; without the key."""
        return f"POST {self.url}\n\n{json.dumps(self.body, ensure_ascii=False, indent=2)}"

    def answer(self):
        """Prints the answer as it comes."""
        headers = {"Content-Type": "application/json", "Accept": "text/event-stream, application/json"}
        if self.key:
            headers["Authorization"] = f"Bearer {self.key}"
        request = urllib.request.Request(self.url, json.dumps(self.body).encode(), headers)
        try:
            with urllib.request.build_opener(NoRedirection).open(request, timeout=READ_SECONDS) as response:
                is_stream = response.headers.get_content_type() == "text/event-stream"
                for part in stream(response) if is_stream else [whole(response.read(ANSWER_LIMIT))]:
                    sys.stdout.buffer.write(part.encode("utf-8", "replace"))
                    sys.stdout.buffer.flush()
        except urllib.error.HTTPError as error:
            raise Failure(f"the server answered {error.code}: {reason(error)}") from error
        except urllib.error.URLError as error:
            raise Failure(f"{self.url}: {getattr(error.reason, 'strerror', None) or error.reason}") from error


def stream(response):
    """The parts of an answer in events; an event is a line here."""
    is_whole = False
    for line in response:
        if not line.startswith(b"data:"):
            continue
        data = line[5:].strip()
        if data == b"[DONE]":
            return
        event = json.loads(data)
        if event.get("error"):
            raise Failure(printable(message(event)))
        for choice in event.get("choices") or []:
            is_whole = is_whole or bool(choice.get("finish_reason"))
            yield (choice.get("delta") or {}).get("content") or ""
    if not is_whole:
        raise Failure("the answer ends in its middle")


def whole(data):
    """An answer of a server that does not stream."""
    return json.loads(data)["choices"][0]["message"]["content"] or ""


def message(answer):
    """What an answer says of an error."""
    error = answer.get("error")
    return str(error.get("message") if isinstance(error, dict) else error)


def reason(error):
    """What the server says of an error."""
    try:
        return printable(message(json.loads(error.read(65536))))
    except (ValueError, AttributeError):
        return printable(str(error.reason))


def printable(words):
    return "".join(one if one.isprintable() else " " for one in words)[:300]


def beat():
    """Shows that this is not silent, until the program ends."""
    def go_on():
        while not over.wait(BEAT_SECONDS):
            print("waiting for the answer", file=sys.stderr, flush=True)

    over = threading.Event()
    threading.Thread(target=go_on, daemon=True).start()
    return over


def main():
    by, model = option("by") or "llm", option("model")
    if model and not MODEL.fullmatch(model):
        raise Failure(f"{printable(model)} is no name of a model", 64)
    text = sys.stdin.buffer.read().decode("utf-8-sig", "replace")
    words = prompt()
    if option("redact") != "no":
        text = redacted(text)
    asked = Address(model, words, text) if by == "address" else Program(by, model, words, text)
    if option("show") == "request":
        print(asked.words)
        return
    over = beat()
    try:
        asked.answer()
    finally:
        over.set()


if __name__ == "__main__":
    try:
        main()
    except Failure as failure:
        print(failure, file=sys.stderr)
        sys.exit(failure.status)
    except (OSError, http.client.HTTPException, ValueError, LookupError, TypeError, AttributeError) as error:
        print(f"there is no answer that can be read: {printable(str(error))}", file=sys.stderr)
        sys.exit(1)
