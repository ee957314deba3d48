"""A client of a message bus, for tests."""

import itertools
import os
import queue
import socket
import struct
import threading

from dbus_wire import Reader, Writer, types

BUS, BUS_PATH = "org.freedesktop.DBus", "/org/freedesktop/DBus"
CALL, RETURN, ERROR, SIGNAL = 1, 2, 3, 4
PATH, INTERFACE, MEMBER, ERROR_NAME, REPLY_SERIAL, DESTINATION, SENDER, SIGNATURE = range(1, 9)
KINDS = {PATH: "o", REPLY_SERIAL: "u", SIGNATURE: "g"}
PATIENCE = 10


class Refused(Exception):
    """A call was answered with an error."""


class Message:
    def __init__(self, kind, serial, fields, values):
        self.kind, self.serial, self.fields, self.values = kind, serial, fields, values
        self.member, self.sender = fields.get(MEMBER), fields.get(SENDER)


class Client:
    """A connection to the bus at a socket; calls of others are answered by `answer`."""

    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(path)
        self.file = self.socket.makefile("rb")
        self.serials, self.lock = itertools.count(1), threading.Lock()
        self.replies, self.signals = {}, queue.Queue()
        self.socket.sendall(b"\0AUTH EXTERNAL " + str(os.getuid()).encode().hex().encode() + b"\r\n")
        if not self.file.readline().startswith(b"OK"):
            raise OSError("the bus refuses the connection")
        self.socket.sendall(b"BEGIN\r\n")
        threading.Thread(target=self.serve, daemon=True).start()
        self.name, = self.call(BUS, BUS_PATH, BUS, "Hello")

    def close(self):
        self.socket.shutdown(socket.SHUT_RDWR)
        self.socket.close()

    def send(self, kind, fields, signature="", values=()):
        """Sends a message; returns its serial."""
        body = Writer()
        for part, value in zip(types(signature), values):
            body.put(part, value)
        if signature:
            fields = {**fields, SIGNATURE: signature}
        serial = next(self.serials)
        head = Writer()
        head.put("(yyyyuua(yv))", (ord("l"), kind, 0, 1, len(body.bytes), serial, [
            (code, (KINDS.get(code, "s"), value)) for code, value in fields.items()
        ]))
        head.pad(8)
        with self.lock:
            self.socket.sendall(bytes(head.bytes + body.bytes))
        return serial

    def call(self, destination, path, interface, member, signature="", values=()):
        """Calls a method; returns the values of the answer."""
        fields = {PATH: path, INTERFACE: interface, MEMBER: member, DESTINATION: destination}
        serial = self.send(CALL, fields, signature, values)
        return self.result(serial)

    def result(self, serial):
        # The answer may have come before it is asked for.
        reply = self.replies.setdefault(serial, queue.Queue()).get(timeout=PATIENCE)
        del self.replies[serial]
        if reply.kind == ERROR:
            raise Refused(reply.fields.get(ERROR_NAME))
        return reply.values

    def serve(self):
        while True:
            try:
                message = self.read()
            except (OSError, ValueError):
                return
            if message is None:
                return
            if message.kind in (RETURN, ERROR):
                serial = message.fields[REPLY_SERIAL]
                self.replies.setdefault(serial, queue.Queue()).put(message)
            elif message.kind == SIGNAL:
                self.signals.put(message)
            else:
                reply = {REPLY_SERIAL: message.serial, DESTINATION: message.sender}
                answer = self.answer(message)
                if answer is None:
                    name = "org.freedesktop.DBus.Error.UnknownMethod"
                    self.send(ERROR, {**reply, ERROR_NAME: name})
                else:
                    self.send(RETURN, reply, *answer)

    def read(self):
        start = self.file.read(16)
        if len(start) < 16:
            return None
        length, serial, fields_length = struct.unpack("<III", start[4:])
        head = Reader(start + self.file.read(fields_length + -fields_length % 8))
        head.place = 12
        fields = dict(head.get("a(yv)"))
        body = Reader(self.file.read(length))
        values = [body.get(part) for part in types(fields.get(SIGNATURE, ""))]
        return Message(start[1], serial, fields, values)

    def answer(self, message):
        """Answers a call: signature and values, or None for an error."""
        return None

    def bus(self, member, signature="", values=()):
        return self.call(BUS, BUS_PATH, BUS, member, signature, values)

    def signal(self, member):
        """Waits for a signal; returns its values."""
        while True:
            message = self.signals.get(timeout=PATIENCE)
            if message.member == member:
                return message.values
