"""The unread messages of a mailbox on a server of IMAP (RFC 3501)."""

import imaplib
import re
import socket
import ssl
import threading

import headers
import mailbox_names
from todaykit import Failure, reason

HEAD_LIMIT = 64 * 1024
# The longest wait for one answer, and for all of them.
ANSWER_SECONDS = 15
SECONDS = 24
FIELDS = "(BODY.PEEK[HEADER.FIELDS (FROM SENDER SUBJECT CONTENT-TYPE)])"
# A server that refuses for one of these reasons does not say that the password is wrong (RFC 5530).
PASSING = ("UNAVAILABLE", "INUSE", "SERVERBUG", "LIMIT", "CONTACTADMIN", "PRIVACYREQUIRED", "OVERQUOTA")


class Refused(Failure):
    """The server does not accept the name or the password."""


def unread(server, port, encryption, user, password, mailbox, count):
    """The number of unread messages, what is shown of the newest, and the number of those that cannot be read."""
    client = connected(server, port, encryption)
    # A server that sends a byte now and then must not keep the update.
    end = threading.Timer(SECONDS, lambda: stop(client))
    end.daemon = True
    end.start()
    try:
        log_in(client, server, user, password)
        return newest(client, server, choose(client, server, mailbox), count)
    except imaplib.IMAP4.abort as error:
        raise Failure(f"{server} ended the connection: {words(error)}") from error
    except socket.timeout as error:
        raise Failure(f"{server} did not answer within {ANSWER_SECONDS} s") from error
    except (OSError, imaplib.IMAP4.error, ValueError) as error:
        raise Failure(f"{server}: {words(error)}") from error
    finally:
        try:
            client.logout()
        except (OSError, imaplib.IMAP4.error):
            pass
        end.cancel()


def connected(server, port, encryption):
    try:
        if encryption in ("none", "STARTTLS"):
            client = imaplib.IMAP4(server, port, timeout=ANSWER_SECONDS)
            if encryption == "STARTTLS":
                client.starttls(ssl.create_default_context())
            return client
        return imaplib.IMAP4_SSL(server, port, timeout=ANSWER_SECONDS, ssl_context=ssl.create_default_context())
    except socket.timeout as error:
        raise Failure(f"{server} did not answer within {ANSWER_SECONDS} s") from error
    except imaplib.IMAP4.error as error:
        raise Failure(f"{server} does not speak IMAP as it should: {words(error)}") from error
    except OSError as error:
        raise Failure(f"no connection to {server}: {reason(error)}") from error
    except ValueError as error:  # such as a name that is none of the Internet
        raise Failure(f"“{server}” is not the name of a server") from error


def stop(client):
    try:
        client.sock.shutdown(socket.SHUT_RDWR)
    except (OSError, AttributeError):
        pass


def log_in(client, server, user, password):
    if client.state == "AUTH":
        return  # It knows the user by the connection.
    if any(ord(letter) < 32 for letter in user + password):
        raise Failure("the name or the password has a line break or a tab; set it with ,")
    if "LOGINDISABLED" in client.capabilities:
        raise Failure(f"{server} accepts no password over this connection; set the encryption to TLS or STARTTLS with ,")
    try:
        if (user + password).isascii():
            client.login(mailbox_names.quoted(user), password)
        elif "AUTH=PLAIN" in client.capabilities:
            client.authenticate("PLAIN", lambda _: f"\0{user}\0{password}".encode())
        else:
            raise Failure(f"{server} takes names and passwords with ASCII letters only")
    except imaplib.IMAP4.abort:
        raise
    except imaplib.IMAP4.error as error:
        said = words(error)
        if any(f"[{code}]" in said.upper() for code in PASSING):
            raise Failure(f"{server}: {said}") from error
        raise Refused(f"{server} does not accept the name or the password") from error


def choose(client, server, mailbox):
    """Selects a mailbox, whose name is written as people or as servers write it; the name that the server knows."""
    names = [mailbox_names.encoded(mailbox)]
    if "&" in mailbox and mailbox_names.decoded(mailbox):
        names.append(mailbox)
    for name in names:
        status, answer = client.select(mailbox_names.quoted(name), readonly=True)
        if status == "OK":
            return name
    raise Failure(f"{server} has no mailbox “{mailbox}”: {words(answer[-1])}")


def newest(client, server, mailbox, count):
    status, answer = client.search(None, "UNSEEN", "UNDELETED")
    numbers = sorted({int(number) for part in answer if part for number in part.split()}) if status == "OK" else []
    if status != "OK" or (answer == [None] and has_unread(client, mailbox)):
        raise Failure(f"{server} does not say which messages are unread: {words(answer[-1])}")
    if not numbers:
        return 0, [], 0
    chosen = numbers[-count:]
    status, answer = client.fetch(",".join(map(str, chosen)), FIELDS)
    if status != "OK":
        raise Failure(f"{server} does not show its messages: {words(answer[-1])}")
    found = {}
    number = None
    for part in answer:
        # A line with several literals is in several parts, of which the first alone has the number.
        number = re.match(rb"(\d+) \(", part[0]) or number if isinstance(part, tuple) else None
        if number and b"BODY[" in part[0].upper():
            # An empty line alone is the head of a message that has none of the fields.
            head = part[1][:HEAD_LIMIT] if part[1].strip() else b"Subject:" + part[1] if part[1] else b""
            try:
                found[int(number.group(1))] = headers.message(head)
            except headers.Unreadable:
                continue
    shown = [found[number] for number in reversed(chosen) if number in found]
    return len(numbers), shown, len(chosen) - len(shown)


def has_unread(client, mailbox):
    """Whether there can be unread messages: some servers answer a search with nothing where there are none."""
    status, answer = client.status(mailbox_names.quoted(mailbox), "(UNSEEN)")
    found = [re.search(rb"\bUNSEEN (\d+)", part, re.IGNORECASE) for part in answer if isinstance(part, bytes)]
    return status != "OK" or not any(match and int(match.group(1)) == 0 for match in found)


def words(said):
    """What a server or an error says, as text."""
    if isinstance(said, Exception) and said.args and isinstance(said.args[0], bytes):
        said = said.args[0]
    if isinstance(said, bytes):
        return said.decode("utf-8", "replace").strip()
    if isinstance(said, imaplib.IMAP4.error):
        return str(said)
    return reason(said) if isinstance(said, Exception) else "no reason is given"
