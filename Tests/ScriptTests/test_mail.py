import os
import re
import socketserver
import tempfile
import threading
import unittest
from pathlib import Path

from widget import KitWidget, text

HEAD = "From: {sender}\r\nSubject: {subject}\r\nDate: Mon, 03 Feb 2031 0{hour}:00:00 +0000\r\n\r\n"
ONE = HEAD.format(sender="=?utf-8?q?J=C3=B8rgen?= <j@example.com>", subject="=?utf-8?b?SGVqIQ==?=", hour=4)
TWO = HEAD.format(sender="b@example.com", subject="\x1b[2JSecond", hour=5)


class Server:
    """As much of IMAP (RFC 3501) as a client needs that looks for unread messages."""

    def __init__(self, messages, password="right", silent=False):
        outer = self
        self.lines = []

        class Handler(socketserver.StreamRequestHandler):
            def handle(self):
                if silent:
                    return self.rfile.readline()
                self.wfile.write(b"* OK IMAP4rev1 ready\r\n")
                for line in self.rfile:
                    tag, _, command = line.decode("utf-8", "replace").strip().partition(" ")
                    outer.lines.append(command)
                    self.wfile.write(outer.answer(command, messages, password).replace(b"TAG", tag.encode()))
                return None

        self.server = socketserver.ThreadingTCPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        # A client that gives up is no fault of the server.
        self.server.handle_error = lambda *_: None
        self.port = self.server.server_address[1]

    def __enter__(self):
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()

    @staticmethod
    def answer(command, messages, password):
        word = (command.split() or [""])[0].upper()
        if word == "CAPABILITY":
            return b"* CAPABILITY IMAP4rev1\r\nTAG OK done\r\n"
        if word == "LOGIN":
            return b"TAG OK done\r\n" if f'"{password}"' in command else b"TAG NO no\r\n"
        if word == "EXAMINE":
            return b"TAG NO there is none\r\n" if "Gone" in command else b"* 2 EXISTS\r\nTAG OK done\r\n"
        if word == "SEARCH":
            numbers = " ".join(str(number + 1) for number in range(len(messages)))
            return f"* SEARCH {numbers}\r\nTAG OK done\r\n".encode()
        if word == "FETCH":
            answer = b""
            for number, head in enumerate(messages):
                if str(number + 1) in re.findall(r"\d+", command.split()[1]):
                    data = head.encode()
                    answer += f"* {number + 1} FETCH (BODY[HEADER.FIELDS (FROM SUBJECT DATE)] {{{len(data)}}}\r\n".encode() + data + b")\r\n"
            return answer + b"TAG OK done\r\n"
        return b"* BYE\r\nTAG OK done\r\n" if word == "LOGOUT" else b"TAG BAD\r\n"


class MailTests(unittest.TestCase):
    def update(self, mode="compact", **values):
        with KitWidget("Mail/mail.py", configuration=values) as widget:
            widget.initialize(activeDisplayMode=mode)
            return widget.call("widgetPerformUpdate", reason="user")

    def test_without_a_mailbox_it_says_how_to_set_one(self):
        self.assertIn("No mailbox yet", text(self.update()["view"]))

    def test_the_unread_messages_of_a_maildir(self):
        with tempfile.TemporaryDirectory() as folder:
            self.assertIn("is no Maildir", self.update(maildir=folder)["error"])
            for part in ("new", "cur", "tmp"):
                Path(folder, part).mkdir()
            self.assertEqual(text(self.update(maildir=folder)["view"]), "✓ No unread mail.")
            Path(folder, "new", "1").write_text(ONE)
            Path(folder, "cur", "2:2,F").write_text(TWO)
            Path(folder, "cur", "3:2,S").write_text(HEAD.format(sender="c", subject="Read", hour=6))
            Path(folder, "cur", "4:2,T").write_text(HEAD.format(sender="c", subject="Trashed", hour=6))
            os.mkfifo(Path(folder, "new", "pipe"))
            words = text(self.update(maildir=folder)["view"])
            for part in ("2 unread", "Hej!Jørgen", "Secondb@example.com"):
                self.assertIn(part, words.replace("\x1b[2J", ""))
            Path(folder, "new", "folder").mkdir()
            self.assertIn("2 unread", text(self.update(maildir=folder)["view"]))
            # The name says when a message was delivered, as copies have other times.
            Path(folder, "new", "1").rename(Path(folder, "new", "1700000009.a"))
            Path(folder, "cur", "2:2,F").rename(Path(folder, "cur", "1700000008.b:2,F"))
            os.utime(Path(folder, "new", "1700000009.a"), (5, 5))
            words = text(self.update(maildir=folder)["view"])
            self.assertLess(words.index("Hej!"), words.index("Second"))
            self.assertTrue("Read" not in words and "Trashed" not in words)

    def test_the_unread_messages_of_a_server(self):
        with Server([ONE, TWO]) as server:
            values = {"server": "127.0.0.1", "port": server.port, "encryption": "none", "user": "me", "password": "right"}
            words = text(self.update(**values)["view"]).replace("\x1b[2J", "")
            self.assertTrue(words.startswith("2 unreadSecondb@example.com"), words)
            self.assertIn("BODY.PEEK", " ".join(server.lines))
            self.assertIn("does not accept the name or the password", self.update(**{**values, "password": "wrong"})["error"])
            self.assertIn("has no mailbox “Gone”", self.update(**values, mailbox="Gone")["error"])
            self.assertIn("the password is missing", self.update(**{**values, "password": ""})["error"])
        self.assertIn("no connection to 127.0.0.1", self.update(**values)["error"])

    def test_a_server_that_has_no_unread_messages_or_speaks_something_else(self):
        with Server([]) as server:
            values = {"server": "127.0.0.1", "port": server.port, "encryption": "none", "user": "me", "password": "right"}
            self.assertEqual(text(self.update(**values)["view"]), "✓ No unread mail.")
            self.assertIn("no connection to 127.0.0.1", self.update(**{**values, "encryption": "TLS"})["error"])

    def test_a_mailbox_cannot_end_its_own_line(self):
        with Server([ONE]) as server:
            values = {"server": "127.0.0.1", "port": server.port, "encryption": "none", "user": "me", "password": "right"}
            self.update(**values, mailbox='a" \r\nx LOGOUT')
            self.assertIn('EXAMINE "a\\" x LOGOUT"', server.lines)


if __name__ == "__main__":
    unittest.main()
