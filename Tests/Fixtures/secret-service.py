#!/usr/bin/env python3
"""A session bus with a Secret Service in it, for tests: secrets in memory, and the ways in which a keyring fails.

Usage: secret-service.py SOCKET [usual|locked|dismissing|silent|absent]

`locked`: the keyring is locked, and nobody answers its prompt; `dismissing`: the prompt is dismissed at once;
`silent`: connections are accepted and nothing is answered; `absent`: a bus without a Secret Service. Prints
“ready” when connections are accepted, and each item that is created as a line.
"""

import itertools
import os
import socket
import struct
import sys
import threading

from dbus_wire import Reader, Writer, types

SERVICE = "org.freedesktop.secrets"
ROOT = "/org/freedesktop/secrets"
COLLECTION = f"{ROOT}/collection/login"
PROMPT = f"{ROOT}/prompt/1"


class Failure(Exception):
    pass


class Keyring:
    """The items of the service, by their paths."""

    def __init__(self, mode):
        self.mode, self.items, self.numbers = mode, {}, itertools.count(1)
        self.is_locked = mode in ("locked", "dismissing")
        if self.is_locked:
            words = {"xdg:schema": "org.today.Secret", "group": "com.a", "name": "token"}
            self.items[f"{COLLECTION}/0"] = (words, b"one", "text/plain")

    def properties(self, path):
        lock = ("b", self.is_locked)
        times = {"Created": ("t", 1), "Modified": ("t", 1)}
        if path == ROOT:
            return {"Collections": ("ao", [COLLECTION])}
        if path in self.items:
            words = ("a{ss}", self.items[path][0])
            return {"Attributes": words, "Locked": lock, "Label": ("s", "a"), **times}
        return {"Items": ("ao", list(self.items)), "Label": ("s", "Login"), "Locked": lock, **times}

    def call(self, path, member, values):
        """Performs a method; returns the signature and the values of the answer."""
        if member == "GetAll":
            return "a{sv}", [self.properties(path)]
        if member == "Get":
            return "v", [self.properties(path)[values[1]]]
        if member == "OpenSession":
            if values[0] != "plain":
                raise Failure("org.freedesktop.DBus.Error.NotSupported")
            return "vo", [("s", ""), f"{ROOT}/session/1"]
        if member == "ReadAlias":
            return "o", [COLLECTION]
        if member == "SearchItems":
            found = [
                path for path, (words, _, _) in self.items.items()
                if values[0].items() <= words.items()
            ]
            return "aoao", [[], found] if self.is_locked else [found, []]
        if member == "GetSecrets":
            session = values[1]
            return "a{o(oayays)}", [{
                path: (session, b"", self.items[path][1], self.items[path][2]) for path in values[0]
            }]
        if member == "Unlock":
            return "aoo", [[], PROMPT] if self.is_locked else [values[0], "/"]
        if member == "CreateItem":
            if self.is_locked:
                raise Failure("org.freedesktop.Secret.Error.IsLocked")
            words = values[0]["org.freedesktop.Secret.Item.Attributes"]
            for old in [path for path, item in self.items.items() if item[0] == words]:
                del self.items[old]
            path = f"{COLLECTION}/{next(self.numbers)}"
            self.items[path] = (words, values[1][2], values[1][3])
            print(words["group"], words["name"], flush=True)
            return "oo", [path, "/"]
        if member == "Delete":
            del self.items[path]
            return "o", ["/"]
        if member in ("Prompt", "Dismiss", "Close"):
            return "", []
        raise Failure("org.freedesktop.DBus.Error.UnknownMethod")


class Connection:
    """One client of the bus."""

    def __init__(self, stream, keyring, number):
        self.stream, self.keyring, self.name = stream, keyring, f":1.{number}"
        self.file, self.serials = stream.makefile("rb"), itertools.count(1)

    def authenticate(self):
        self.file.read(1)
        while True:
            words = self.file.readline().split()
            if not words or words[0] == b"BEGIN":
                return bool(words)
            if words == [b"AUTH"]:
                answer = b"REJECTED EXTERNAL"
            elif words == [b"AUTH", b"EXTERNAL"]:
                answer = b"DATA"
            else:
                answer = b"OK " + b"0" * 32 if words[0] in (b"AUTH", b"DATA") else b"ERROR"
            self.stream.sendall(answer + b"\r\n")

    def send(self, kind, sender, fields, signature="", values=()):
        body = Writer()
        for part, value in zip(types(signature), values):
            body.put(part, value)
        fields = [*fields, (6, ("s", self.name)), (7, ("s", sender))]
        if signature:
            fields.append((8, ("g", signature)))
        head = Writer()
        head.put("(yyyyuua(yv))", (
            ord("l"), kind, 1, 1, len(body.bytes), next(self.serials), fields,
        ))
        head.pad(8)
        self.stream.sendall(bytes(head.bytes + body.bytes))

    def bus(self, member, values):
        """Performs a method of the bus itself."""
        is_there = self.keyring.mode != "absent"
        if member == "Hello":
            return "s", [self.name]
        if member in ("AddMatch", "RemoveMatch"):
            return "", []
        if member == "NameHasOwner":
            return "b", [is_there and values[0] == SERVICE]
        if member == "StartServiceByName" and is_there and values[0] == SERVICE:
            return "u", [2]
        if member == "GetNameOwner" and is_there and values[0] in (SERVICE, ":1.0"):
            return "s", [":1.0"]
        raise Failure("org.freedesktop.DBus.Error.ServiceUnknown")

    def serve(self):
        if self.keyring.mode == "silent" or not self.authenticate():
            return
        while True:
            start = self.file.read(16)
            if len(start) < 16:
                return
            length, serial, fields_length = struct.unpack("<III", start[4:])
            rest = self.file.read(fields_length + -fields_length % 8)
            head = Reader(start[:16] + rest)
            head.place = 12
            fields = dict(head.get("a(yv)"))
            body = Reader(self.file.read(length))
            values = [body.get(part) for part in types(fields.get(8, ""))]
            is_bus = fields.get(6) == "org.freedesktop.DBus"
            sender = "org.freedesktop.DBus" if is_bus else ":1.0"
            path, member = fields.get(1, "/"), fields.get(3, "")
            reply = [(5, ("u", serial))]
            try:
                if is_bus:
                    answer = self.bus(member, values)
                else:
                    answer = self.keyring.call(path, member, values)
                self.send(2, sender, reply, *answer)
            except OSError:
                return
            except (Failure, KeyError) as failure:
                self.send(3, sender, [*reply, (4, ("s", str(failure.args[0])))], "s", ["no"])
            if member == "Prompt" and self.keyring.mode == "dismissing":
                place = [(1, ("o", PROMPT)), (2, ("s", "org.freedesktop.Secret.Prompt"))]
                self.send(4, sender, [*place, (3, ("s", "Completed"))], "bv", [True, ("ao", [])])


def main():
    path, mode = sys.argv[1], (sys.argv[2:] or ["usual"])[0]
    keyring = Keyring(mode)
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(path)
        listener.listen()
        print("ready", flush=True)
        kept = []
        for number in itertools.count(1):
            stream, _ = listener.accept()
            kept.append(stream)
            connection = Connection(stream, keyring, number)
            threading.Thread(target=connection.serve, daemon=True).start()


if __name__ == "__main__":
    sys.stdout = os.fdopen(1, "w")
    main()
