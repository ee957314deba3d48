"""Values of D-Bus as bytes, in little endian (D-Bus specification, “Marshaling”)."""

import struct

FIXED = {"y": "B", "b": "I", "n": "h", "q": "H", "i": "i", "u": "I", "x": "q", "t": "Q", "d": "d"}
SIZES = {"y": 1, "n": 2, "q": 2, "b": 4, "i": 4, "u": 4, "a": 4, "s": 4, "o": 4, "g": 1, "v": 1}


def alignment(kind):
    return SIZES.get(kind[0], 8)


def types(signature):
    """The complete types of a signature, one after the other."""
    start = 0
    while start < len(signature):
        end = start
        while signature[end] == "a":
            end += 1
        if signature[end] in "({":
            depth = 0
            while True:
                depth += (signature[end] in "({") - (signature[end] in ")}")
                if depth == 0:
                    break
                end += 1
        yield signature[start:end + 1]
        start = end + 1


class Writer:
    def __init__(self):
        self.bytes = bytearray()

    def pad(self, size):
        self.bytes += bytes(-len(self.bytes) % size)

    def put(self, kind, value):
        self.pad(alignment(kind))
        if kind in FIXED:
            self.bytes += struct.pack("<" + FIXED[kind], value)
        elif kind in "so":
            text = value.encode()
            self.bytes += struct.pack("<I", len(text)) + text + b"\0"
        elif kind == "g":
            self.bytes += bytes([len(value)]) + value.encode() + b"\0"
        elif kind == "v":
            self.put("g", value[0])
            self.put(*value)
        elif kind == "ay":
            self.bytes += struct.pack("<I", len(value)) + bytes(value)
        elif kind[0] == "a":
            place = len(self.bytes)
            self.bytes += bytes(4)
            self.pad(alignment(kind[1:]))
            start = len(self.bytes)
            for part in value.items() if isinstance(value, dict) else value:
                self.put(kind[1:], part)
            struct.pack_into("<I", self.bytes, place, len(self.bytes) - start)
        else:
            for part, member in zip(types(kind[1:-1]), value):
                self.put(part, member)


class Reader:
    def __init__(self, data):
        self.data, self.place = data, 0

    def take(self, count):
        self.place += count
        return self.data[self.place - count:self.place]

    def pad(self, size):
        self.place += -self.place % size

    def get(self, kind):
        self.pad(alignment(kind))
        if kind in FIXED:
            return struct.unpack("<" + FIXED[kind], self.take(struct.calcsize(FIXED[kind])))[0]
        if kind in "so":
            text = self.take(self.get("u")).decode()
            self.take(1)
            return text
        if kind == "g":
            text = self.take(self.take(1)[0]).decode()
            self.take(1)
            return text
        if kind == "v":
            return self.get(self.get("g"))
        if kind == "ay":
            return bytes(self.take(self.get("u")))
        if kind[0] == "a":
            count = self.get("u")
            self.pad(alignment(kind[1:]))
            end, values = self.place + count, []
            while self.place < end:
                values.append(self.get(kind[1:]))
            return dict(values) if kind[1] == "{" else values
        return tuple(self.get(part) for part in types(kind[1:-1]))
