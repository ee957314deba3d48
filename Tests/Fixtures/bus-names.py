#!/usr/bin/env python3
"""Owns names on a message bus and answers every call to them, until it is killed.

Usage: bus-names.py SOCKET NAME...

Prints “ready” when it owns the names.
"""

import importlib.util
import itertools
import os
import socket
import struct
import sys
from pathlib import Path

SPECIFICATION = importlib.util.spec_from_file_location(
    "secret_service", Path(__file__).with_name("secret-service.py")
)
wire = importlib.util.module_from_spec(SPECIFICATION)
SPECIFICATION.loader.exec_module(wire)
BUS = "org.freedesktop.DBus"


def main():
    serials = itertools.count(1)
    with socket.socket(socket.AF_UNIX) as stream:
        stream.connect(sys.argv[1])
        file = stream.makefile("rb")
        user = str(os.getuid()).encode().hex()
        stream.sendall(f"\0AUTH EXTERNAL {user}\r\n".encode())
        if not file.readline().startswith(b"OK"):
            sys.exit("the bus does not accept this user")
        stream.sendall(b"BEGIN\r\n")

        def send(kind, fields, signature="", values=()):
            body, head = wire.Writer(), wire.Writer()
            for part, value in zip(wire.types(signature), values):
                body.put(part, value)
            fields = [*fields, (8, ("g", signature))] if signature else fields
            head.put("(yyyyuua(yv))", (ord("l"), kind, 0, 1, len(body.bytes), next(serials), fields))
            head.pad(8)
            stream.sendall(bytes(head.bytes + body.bytes))

        def receive():
            start = file.read(16)
            if len(start) < 16:
                sys.exit(0)
            length, serial, fields_length = struct.unpack("<III", start[4:])
            head = wire.Reader(start + file.read(fields_length + -fields_length % 8))
            head.place = 12
            file.read(length)
            return start[1], serial, dict(head.get("a(yv)"))

        def ask(member, signature="", values=()):
            fields = [(1, ("o", "/")), (2, ("s", BUS)), (3, ("s", member)), (6, ("s", BUS))]
            send(1, fields, signature, values)
            while receive()[0] != 2:
                pass

        ask("Hello")
        for name in sys.argv[2:]:
            ask("RequestName", "su", [name, 0])
        print("ready", flush=True)
        while True:
            kind, serial, fields = receive()
            if kind == 1:
                send(2, [(5, ("u", serial)), (6, ("s", fields[7]))])


if __name__ == "__main__":
    main()
