"""The host of a share extension or an action, as far as a test needs it: one process for one request."""

import json
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

from protocol_schema import ROOT, Exchange, ProtocolSchema

SCHEMA = ProtocolSchema()
NOTE = {
    "attributedTitle": "Fix",
    "userInfo": {"command": "git diff", "exitStatus": "0"},
    "attachments": [
        {
            "id": "a1",
            "registeredTypeIdentifiers": ["public.patch-file", "public.plain-text"],
            "size": None,
            "suggestedName": "fix.diff",
        },
        {"id": "a2", "registeredTypeIdentifiers": ["public.png"], "size": 12},
    ],
}


class RequestHost:
    """Starts a program that uses a kit, and exchanges lines with it."""

    def __init__(self, test, program, kit, **params):
        folder = tempfile.TemporaryDirectory()
        test.addCleanup(folder.cleanup)
        shutil.copy(ROOT / "Widgets/Shared" / kit, folder.name)
        path = Path(folder.name, "probe")
        path.write_text(program)
        path.chmod(0o755)
        self.process = subprocess.Popen(
            [path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env={"PATH": os.environ["PATH"]}
        )
        test.addCleanup(self.close)
        self.count = 0
        self.exchange = Exchange(SCHEMA)
        self.begun = self.call("initialize", **{
            "protocolVersion": 1,
            "reason": "request",
            "extensionPoint": "com.apple.share-services",
            "hasView": True,
            "role": "editor",
            "extensionContext": {"inputItems": [NOTE]},
            **params,
        })

    def close(self):
        self.process.stdin.close()
        self.process.wait(timeout=10)
        self.process.stdout.close()

    def write(self, line):
        line = line if isinstance(line, str) else json.dumps(line, separators=(",", ":"))
        self.exchange.note(line)
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def read(self):
        """The next message, which keeps to the schema of the protocol."""
        message = json.loads(self.process.stdout.readline())
        trouble = self.exchange.problem("from", message)
        assert not trouble, f"{trouble} in {message}"
        return message

    def request(self, method, **params):
        """Sends a request; its answer is one of the next messages."""
        self.count += 1
        self.write({"jsonrpc": "2.0", "id": self.count, "method": method, "params": params})
        return self.count

    def call(self, method, **params):
        """The result of a request that is answered at once."""
        identifier = self.request(method, **params)
        answer = self.read()
        assert answer.get("id") == identifier, answer
        return answer["result"]

    def notify(self, method, **params):
        self.write({"jsonrpc": "2.0", "method": method, "params": params})

    def answer(self, request, result=None, error=None):
        """Answers a request of the extension."""
        outcome = {"result": result if result is not None else {}} if error is None else {"error": error}
        self.write({"jsonrpc": "2.0", "id": request["id"], **outcome})

    def expect(self, method):
        """The next message, which has this method."""
        message = self.read()
        assert message.get("method") == method, message
        return message

    def status(self):
        """The exit status of the program, which ends by itself."""
        return self.process.wait(timeout=10)
