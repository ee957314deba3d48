#!/usr/bin/python3 -ESB
"""Mail: how many messages are unread, and the newest of them, in a Maildir or on a server of IMAP."""

import email
import email.header
import email.policy
import email.utils
import imaplib
import os
import re
import socket
import ssl

from todaykit import Failure, Widget, grid, reason, secondary, text, vstack

SHORT, LONG = 3, 15
HEAD_LIMIT = 64 * 1024
MESSAGES = 20_000
IMAP_SECONDS = 15


class Message:
    def __init__(self, sender, subject, date):
        self.sender, self.subject, self.date = sender, subject, date


def message(head):
    """The sender, the subject and the date of a message's head."""
    try:
        found = email.message_from_bytes(head, policy=email.policy.compat32)
    except (ValueError, LookupError):
        return Message("", "unreadable", 0)
    name, address = email.utils.parseaddr(decoded(found.get("From")))
    try:
        date = email.utils.parsedate_to_datetime(str(found.get("Date"))).timestamp()
    except (TypeError, ValueError, IndexError, OverflowError):
        date = 0
    return Message(name or address or "unknown", decoded(found.get("Subject")) or "no subject", date)


def decoded(value):
    """A header with its encoded words decoded (RFC 2047)."""
    try:
        value = str(email.header.make_header(email.header.decode_header(str(value or ""))))
    except (ValueError, LookupError):
        value = str(value)
    return " ".join(value.encode("utf-8", "replace").decode().split())


def unread_in_maildir(folder):
    """The unread messages of a Maildir: all in `new`, and those in `cur` without the flag S."""
    if not os.path.isdir(os.path.join(folder, "cur")):
        raise Failure(f"{folder} is no Maildir; set another folder with ,")
    found = []
    for part in ("new", "cur"):
        try:
            names = os.listdir(os.path.join(folder, part))
        except OSError as error:
            raise Failure(f"{folder}/{part} cannot be read: {reason(error)}") from error
        for name in names[:MESSAGES]:
            flags = name.rpartition(":2,")[2] if ":2," in name else ""
            path = os.path.join(folder, part, name)
            if not name.startswith(".") and (part == "new" or not set(flags) & set("ST")) and os.path.isfile(path):
                found.append(path)
    return found


def delivered(path):
    """When a message was delivered: as its name says, which copies keep, else as its file does."""
    match = re.match(r"(\d{9,11})\.", os.path.basename(path))
    try:
        return int(match.group(1)) if match else os.stat(path).st_mtime
    except OSError:
        return 0


def newest(paths, count):
    """The heads of the newest files."""
    found = []
    for path in sorted(paths, key=delivered, reverse=True)[:count]:
        try:
            descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
            with os.fdopen(descriptor, "rb") as file:
                found.append(message(file.read(HEAD_LIMIT).replace(b"\r\n", b"\n").partition(b"\n\n")[0]))
        except OSError:
            continue  # Another program has moved it meanwhile.
    return found


def unread_on_server(server, port, encryption, user, password, mailbox, count):
    """The number of unread messages of a mailbox, and the heads of the newest."""
    try:
        if encryption == "none":
            client = imaplib.IMAP4(server, port, timeout=IMAP_SECONDS)
        elif encryption == "STARTTLS":
            client = imaplib.IMAP4(server, port, timeout=IMAP_SECONDS)
            client.starttls(ssl.create_default_context())
        else:
            client = imaplib.IMAP4_SSL(server, port, timeout=IMAP_SECONDS, ssl_context=ssl.create_default_context())
    except socket.timeout as error:
        raise Failure(f"{server} did not answer within {IMAP_SECONDS} s") from error
    except imaplib.IMAP4.error as error:
        raise Failure(f"{server} does not speak IMAP as it should") from error
    except OSError as error:
        raise Failure(f"no connection to {server}: {reason(error)}") from error
    try:
        try:
            client.login(user, password)
        except imaplib.IMAP4.error as error:
            raise Failure(f"{server} does not accept the name or the password") from error
        status, answer = client.select(quoted(mailbox), readonly=True)
        if status != "OK":
            raise Failure(f"{server} has no mailbox “{mailbox}”")
        numbers = client.search(None, "UNSEEN")[1][0].split()
        found = []
        if numbers:
            chosen = b",".join(numbers[-count:]).decode()
            query = "(BODY.PEEK[HEADER.FIELDS (FROM SUBJECT DATE)])"
            for part in client.fetch(chosen, query)[1]:
                if isinstance(part, tuple):
                    found.append(message(part[1][:HEAD_LIMIT]))
        return len(numbers), sorted(found, key=lambda one: -one.date)
    except (OSError, imaplib.IMAP4.error, IndexError, AttributeError) as error:
        raise Failure(f"{server}: {reason(error)}") from error
    finally:
        try:
            client.logout()
        except (OSError, imaplib.IMAP4.error):
            pass


def quoted(mailbox):
    """A name as a quoted string of IMAP (RFC 3501)."""
    clean = "".join(letter for letter in mailbox if letter.isprintable())
    return '"' + clean.replace("\\", "\\\\").replace('"', '\\"') + '"'


class Mail(Widget):

    def initialize(self):
        self.count, self.messages = None, []

    def view(self):
        return self.draw() if self.count is not None else None

    def widget_perform_update(self, why):
        server, folder = self.setting("server"), self.setting("maildir")
        if not server and not folder:
            return self.instructions("No mailbox yet.", "Press , to set a Maildir or a server.")
        if server:
            user, password = self.setting("user", ""), self.setting("password")
            if not password:
                raise Failure("the password is missing; set it with ,")
            encryption = self.setting("encryption", "TLS")
            port = int(self.setting("port", 0)) or (993 if encryption == "TLS" else 143)
            mailbox = self.setting("mailbox", "INBOX")
            answer = unread_on_server(server, port, encryption, user, password, mailbox, LONG)
            self.count, self.messages = answer
        else:
            paths = unread_in_maildir(os.path.expanduser(folder))
            self.count, self.messages = len(paths), newest(paths, LONG)
        return self.draw()

    def draw(self):
        self.offer_more(len(self.messages) > SHORT)
        if not self.count:
            return text([{"text": "✓ ", "style": {"foreground": "green"}}, {"text": "No unread mail."}])
        head = text(f"{self.count} unread", bold=True)
        shown = self.messages[:LONG if self.is_expanded else SHORT]
        lines = 2 if self.is_expanded else 1
        rows = [[text(one.subject, limit=lines, privacySensitive=True), sender(one)] for one in shown]
        return vstack(head, grid(rows, ["leading", "trailing"]))


def sender(message):
    return secondary(message.sender, privacySensitive=True, frame={"maxWidth": 20})


if __name__ == "__main__":
    Mail().run()
