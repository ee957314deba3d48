import base64
import os
import re
import select
import socketserver
import tempfile
import threading
import unittest
from pathlib import Path

from widget import KitWidget, text

HEAD = "From: {sender}\r\nSubject: {subject}\r\nDate: Mon, 03 Feb 2031 0{hour}:00:00 +0000\r\n\r\n"
ONE = HEAD.format(sender="=?utf-8?q?J=C3=B8rgen?= <j@example.com>", subject="=?utf-8?b?SGVqIQ==?=", hour=4)
TWO = HEAD.format(sender="b@example.com", subject="\x1b[2JSecond", hour=5)
PLAIN = base64.b64encode("\0jörg\0grün".encode()).decode()


class Server:
    """As much of IMAP (RFC 3501) as a client needs that looks for unread messages."""

    def __init__(self, messages, password="right", silent=False, greeting=b"* OK IMAP4rev1 ready\r\n", **answers):
        """`answers` are those to some commands in place of the usual ones, in bytes; TAG is replaced."""
        outer = self
        self.lines = []

        class Handler(socketserver.StreamRequestHandler):
            def handle(self):
                if silent:
                    return self.rfile.readline()
                self.wfile.write(greeting)
                for line in self.rfile:
                    words = line.decode("utf-8", "replace").strip()
                    if " " in words:
                        tag, _, command = words.partition(" ")
                    else:  # what an answer of + has asked for
                        command = words
                    outer.lines.append(command)
                    word = command.partition(" ")[0].upper()
                    answer = answers.get(word) or outer.answer(command, messages, password)
                    self.wfile.write(answer.replace(b"TAG", tag.encode()))
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
                    data = head if isinstance(head, bytes) else head.encode()
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
            self.assertIn("is not a Maildir", self.update(maildir=folder)["error"])
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

    def test_what_comes_into_a_maildir_or_is_read_elsewhere_is_shown_at_once(self):
        with tempfile.TemporaryDirectory() as folder:
            for part in ("new", "cur", "tmp"):
                Path(folder, part).mkdir()
            with KitWidget("Mail/mail.py", configuration={"maildir": folder}) as widget:

                def pushed(seconds=2):
                    is_told = select.select([widget.process.stdout], [], [], seconds)[0]
                    return text(widget.read()["params"]["view"]) if is_told else None

                widget.initialize()
                widget.write('{"jsonrpc":"2.0","method":"viewDidAppear","params":{}}')
                self.assertEqual(pushed(), "✓ No unread mail.")
                self.assertEqual(text(widget.call("widgetPerformUpdate", reason="user")["view"]), "✓ No unread mail.")
                Path(folder, "tmp", "1").write_text(ONE)
                self.assertIsNone(pushed(0.3))
                Path(folder, "tmp", "1").rename(Path(folder, "new", "1"))
                self.assertIn("1 unreadHej!", pushed())
                Path(folder, "new", "1").rename(Path(folder, "cur", "1:2,S"))
                self.assertEqual(pushed(), "✓ No unread mail.")
                Path(folder, "cur", "1:2,S").rename(Path(folder, "cur", "1:2,"))
                self.assertIn("1 unread", pushed())
                Path(folder, "cur", "1:2,").unlink()
                self.assertEqual(pushed(), "✓ No unread mail.")

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

    def test_a_message_that_cannot_be_read_costs_itself_and_is_counted(self):
        with tempfile.TemporaryDirectory() as folder:
            for part in ("new", "cur", "tmp"):
                Path(folder, part).mkdir()
            bad = b"From: =?UTF-8?B?Lor\xe0\xe0m Ipsum?= <a@example.org>\nSubject: Odd name\n\n"
            for number, content in enumerate((b"", b"\x89PNG\r\n", bad, ONE.encode())):
                Path(folder, "new", f"180000000{number}.a").write_bytes(content)
            Path(folder, "cur", "1700000000.a!2,S").write_bytes(ONE.encode())
            Path(folder, "new", "1700000000.b:2,S").write_bytes(ONE.encode())
            Path(folder, "new", "1700000000.link").symlink_to("nowhere")
            words = text(self.update(maildir=folder)["view"])
            self.assertEqual(words, "4 unread · 2 cannot be readHej!JørgenOdd nameLoràà" "m Ipsum")
            for number in (2, 3):
                Path(folder, "new", f"180000000{number}.a").unlink()
            self.assertEqual(text(self.update(maildir=folder)["view"]), "2 unread · 2 cannot be read")
            file = Path(folder, "mbox")
            file.write_bytes(b"From a@x\n" + bad)
            self.assertIn("is a file and not a Maildir", self.update(maildir=str(file))["error"])
            Path(folder, "new", "1800000000.a").unlink()
            Path(folder, "new", "1800000001.a").unlink()
            for name in ("1700000000.link", "1700000000.b:2,S"):
                Path(folder, "new", name).unlink()
            Path(folder, "new").rmdir()
            self.assertIn("new cannot be read", self.update(maildir=folder)["error"])

    def test_a_subject_behind_thousands_of_addresses_is_shown(self):
        many = b"To: " + b",\n ".join(b"someone%d@example.org" % number for number in range(9000))
        with tempfile.TemporaryDirectory() as folder:
            for part in ("new", "cur", "tmp"):
                Path(folder, part).mkdir()
            Path(folder, "new", "1800000000.a").write_bytes(many + b"\nFrom: Ida <ida@example.org>\nSubject: Fair\n\nSubject: no\n")
            self.assertEqual(text(self.update(maildir=folder)["view"]), "1 unreadFairIda")

    def on_server(self, messages=(ONE,), reason="user", data=None, values=None, **answers):
        """What an update says, with the commands that the server got."""
        with Server(list(messages), **answers) as server:
            settings = {"server": "127.0.0.1", "port": server.port, "encryption": "none", "user": "me", "password": "right"}
            with KitWidget("Mail/mail.py", configuration={**settings, **(values or {})}, data=data) as widget:
                widget.initialize()
                answer = widget.call("widgetPerformUpdate", reason=reason)
            return answer.get("error") or text(answer["view"]), server.lines

    def test_messages_of_a_server_cost_themselves_too(self):
        words, _ = self.on_server([ONE, b"", b"From: Ji\xc5\x99\xc3\xad <j@x>\r\nSubject: \xe9\r\n\r\n"])
        self.assertEqual(words, "3 unread · 1 cannot be readéJiříHej!Jørgen")
        words, _ = self.on_server([ONE, b"\r\n"])
        self.assertEqual(words, "2 unreadno subjectunknown senderHej!Jørgen")
        # Literals of other items, and lines of another client, are between those that were asked for.
        literal = b"* 1 FETCH (UID 7 X-GM-LABELS ({3}\r\nA B) BODY[HEADER.FIELDS (FROM)] {12}\r\nFrom: a@x\r\n\r\n FLAGS (\\Recent))\r\n"
        words, _ = self.on_server(FETCH=b"* 1 FETCH (FLAGS (\\Seen))\r\n" + literal.replace(b"{12}", b"{13}") + b"* 3 EXPUNGE\r\nTAG OK done\r\n")
        self.assertIn("a@x", words)
        words, _ = self.on_server(FETCH=b"* 1 FETCH (FLAGS ())\r\n* 5 EXISTS\r\nTAG OK done\r\n")
        self.assertEqual(words, "1 unread · 1 cannot be read")
        words, _ = self.on_server(FETCH=b"* 1 FETCH (BODY[HEADER.FIELDS (FROM)] NIL)\r\nTAG OK done\r\n")
        self.assertEqual(words, "1 unread · 1 cannot be read")

    def test_there_is_no_unread_mail_only_if_the_server_says_so(self):
        self.assertEqual(self.on_server(SEARCH=b"* SEARCH\r\nTAG OK done\r\n")[0], "✓ No unread mail.")
        self.assertEqual(self.on_server(SEARCH=b"* SEARCH 1\r\n* SEARCH\r\nTAG OK done\r\n")[0][:8], "1 unread")
        silent = {"SEARCH": b"TAG OK done\r\n"}
        none = b'* STATUS "INBOX" (UNSEEN 0)\r\nTAG OK done\r\n'
        self.assertEqual(self.on_server(**silent, STATUS=none)[0], "✓ No unread mail.")
        cases = [
            ({**silent, "STATUS": none.replace(b"0", b"5")}, "does not say which messages are unread"),
            ({**silent, "STATUS": b"TAG OK done\r\n"}, "does not say which messages are unread"),
            ({**silent, "STATUS": b"TAG NO no\r\n"}, "does not say which messages are unread"),
                        ({"SEARCH": b"TAG NO not now\r\n"}, "does not say which messages are unread: not now"),
            ({"SEARCH": b"TAG BAD what\r\n"}, "what"),
            ({"SEARCH": b"* SEARCH many\r\nTAG OK done\r\n"}, "127.0.0.1"),
            ({"SEARCH": b"* BYE going down\r\n"}, "127.0.0.1 ended the connection"),
            ({"FETCH": b"TAG NO later\r\n"}, "does not show its messages: later"),
            ({"EXAMINE": b"TAG NO [NONEXISTENT] Unknown mailbox\r\n"}, "has no mailbox “INBOX”: [NONEXISTENT] Unknown"),
            ({"greeting": b"* BYE too many connections\r\n"}, "too many connections"),
            ({"greeting": b"220 smtp.example.org\r\n"}, "does not speak IMAP"),
            ({"CAPABILITY": b"* CAPABILITY IMAP4rev1 LOGINDISABLED\r\nTAG OK done\r\n"}, "accepts no password over this connection"),
            ({"values": {"encryption": "STARTTLS"}}, "TLS not supported"),
            ({"values": {"server": "a" * 70 + ".example"}}, "is not the name of a server"),
        ]
        for case, words in cases:
            with self.subTest(case):
                self.assertIn(words, self.on_server(**case)[0])

    def test_a_mailbox_is_selected_in_modified_utf_7(self):
        _, lines = self.on_server(values={"mailbox": "Entwürfe"})
        self.assertIn('EXAMINE "Entw&APw-rfe"', lines)
        # A name as servers have it is tried as well, as people have copied it from other programs.
        words, lines = self.on_server(values={"mailbox": "Gone&APw-"})
        self.assertEqual([line for line in lines if "EXAM" in line], ['EXAMINE "Gone&-APw-"', 'EXAMINE "Gone&APw-"'])
        self.assertIn("has no mailbox “Gone&APw-”", words)

    def test_a_refused_password_is_not_tried_again_unless_the_user_asks(self):
        with tempfile.TemporaryDirectory() as data, Server([ONE]) as server:
            values = {"server": "127.0.0.1", "port": server.port, "encryption": "none", "user": "me", "password": "wrong"}

            def logins(reason, **more):
                before = len([line for line in server.lines if line.startswith("LOGIN")])
                with KitWidget("Mail/mail.py", configuration={**values, **more}, data=data) as widget:
                    widget.initialize()
                    words = [widget.call("widgetPerformUpdate", reason=reason) for _ in range(2)]
                count = len([line for line in server.lines if line.startswith("LOGIN")]) - before
                return count, words[-1].get("error", "")

            count, words = logins("schedule")
            self.assertEqual(count, 1)
            self.assertIn("is not tried again before you set another one with , or press r", words)
            self.assertEqual(logins("appear")[0], 0)
            self.assertNotIn("wrong", Path(data, "refused.json").read_text())
            self.assertEqual(logins("user")[0], 2)
            self.assertEqual(logins("schedule", password="wrong too")[0], 1)
            self.assertEqual(logins("schedule", password="right"), (2, ""))
            Path(data, "refused.json").write_text('{"salt": 5}')
            self.assertEqual(logins("schedule", password="right"), (2, ""))

    def test_a_server_that_is_busy_has_not_refused_the_password(self):
        cases = [
            {"LOGIN": b"TAG NO [UNAVAILABLE] try later\r\n"}, {"LOGIN": b"* BYE shutting down\r\n"},
        ]
        for case in cases:
            with self.subTest(case), tempfile.TemporaryDirectory() as data:
                words, _ = self.on_server(data=data, **case)
                self.assertNotIn("does not accept", words)
                self.assertFalse(Path(data, "refused.json").exists())

    def test_names_and_passwords_of_any_letters(self):
        values = {"user": "jörg", "password": "grün"}
        self.assertIn("takes names and passwords with ASCII letters only", self.on_server(values=values)[0])
        capable = b"* CAPABILITY IMAP4rev1 AUTH=PLAIN\r\nTAG OK done\r\n"
        words, lines = self.on_server(values=values, CAPABILITY=capable, AUTHENTICATE=b"+ \r\n", **{PLAIN.upper(): b"TAG OK done\r\n"})
        self.assertTrue("1 unread" in words and PLAIN in lines, lines)
        self.assertIn("has a line break", self.on_server(values={"password": "a\r\nx LOGOUT"})[0])
        _, lines = self.on_server(values={"user": 'a "b'})
        self.assertIn('LOGIN "a \\"b" "right"', lines)
        words, lines = self.on_server(greeting=b"* PREAUTH welcome\r\n")
        self.assertIn("1 unread", words)
        self.assertFalse([line for line in lines if line.startswith("LOGIN")])


if __name__ == "__main__":
    unittest.main()
