#!/usr/bin/python3 -ESB
# today: action accepts="public.text" title="Redact" description="keys, addresses and names become placeholders"
# today: option name=addresses title="Addresses of machines" choices="yes, no" default=yes
# today: option name=emails title="Addresses of e-mail" choices="yes, no" default=yes
# today: option name=paths title="Names in paths of homes" choices="yes, no" default=yes
"""Replaces keys, tokens, passwords, addresses and names of users by placeholders.

The same value has the same placeholder everywhere, such as [token-1]. How many there are is said on standard error.
"""

import os
import re
import socket
import sys

# What is replaced: the kind, and an expression whose group `value`, or all of it, is the value. The order counts:
# what a former one has replaced is not looked at again. Repetitions that can begin anywhere have a limit: without one,
# the time grows with the square of the length of a word.
PATTERNS = [
    ("key", r"-----BEGIN (?P<name>[A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?)-----.*?-----END (?P=name)-----"),
    ("token", r"\beyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]*"),
    ("token", r"\b(?:gh[oprsu]_\w{20,}|github_pat_\w{20,}|gl(?:pat|ptt|rt)-[\w-]{16,}|xox[abeprs]-[\w-]{10,})"),
    ("token", r"\b(?:sk|pk|rk)[-_](?:[a-z]+[-_]){0,8}[A-Za-z0-9]{16,}[\w-]*|\b(?:npm|hf|dckr_pat|pypi)[-_][\w-]{20,}"),
    ("token", r"\b(?:AKIA|ASIA)[A-Z0-9]{16}\b|\bAIza[\w-]{35}"),
    ("token", r"(?i)\bauthorization[\"']?\s*[:=]\s*[\"']?(?:(?:bearer|basic|token)\s+)?(?P<value>[^\s\"',]{6,})"),
    ("token", r"(?i)\b(?:bearer|basic)\s+(?P<value>[\w.~+/-]{16,}=*)"),
    ("password", r"\b[a-z][a-z0-9+.-]{0,30}://[^\s/:@]*:(?P<value>[^\s/@]+)@"),
    (
        "secret",
        r"(?i)(?:passw(?:or)?d|passphrase|secret|token|api[_-]?key|access[_-]?key|private[_-]?key)[\w-]{0,64}"
        r"[\"']?\s*[:=]\s*[\"']?(?P<value>[^\s\"',;]{4,})",
    ),
    ("email", r"\b[\w.+-]{1,64}@(?:[\w-]+\.)+[A-Za-z]{2,}\b"),
    ("address", r"(?<![\w.:-])(?:\d{1,3}\.){3}\d{1,3}(?![\w-]|\.\d)"),
    ("address", r"(?<![\w:.])(?:[0-9A-Fa-f]{0,4}:){2,7}[0-9A-Fa-f]{0,4}(?![\w:])"),
    ("address", r"(?i)(?<![\w:])(?:[0-9a-f]{2}:){5}[0-9a-f]{2}(?![\w:])"),
    ("user", r"(?<![\w.])/(?:home|Users)/(?P<value>[^\s/:;,\"'<>()\[\]]+)"),
]
PLACEHOLDER = re.compile(r"\[[a-z]+-\d+\]")
KINDS_OF_OPTIONS = {"ADDRESSES": "address", "EMAILS": "email", "PATHS": "user"}


class Redaction:
    """One text, and the placeholders of its values."""

    def __init__(self, text, kept=()):
        self.original = text
        self.placeholders = {}
        self.numbers = {}
        self.text = text
        for kind, pattern in PATTERNS:
            if kind not in kept:
                self.text = re.sub(pattern, lambda match, kind=kind: self.replace(match, kind), self.text, flags=re.S)

    def replace(self, match, kind):
        name = "value" if "value" in match.re.groupindex else 0
        value, whole = match[name], match[0]
        if PLACEHOLDER.fullmatch(value) or (kind == "address" and not is_address(value)):
            return whole
        start = match.start(name) - match.start()
        return whole[:start] + self.placeholder(kind, value) + whole[start + len(value) :]

    def placeholder(self, kind, value):
        if (kind, value) not in self.placeholders:
            self.placeholders[kind, value] = next(self.unused(kind))
        return self.placeholders[kind, value]

    def unused(self, kind):
        """The placeholders of a kind that the text does not have: one that was redacted before has some."""
        number = self.numbers.get(kind, 0)
        while True:
            number += 1
            self.numbers[kind] = number
            if f"[{kind}-{number}]" not in self.original:
                yield f"[{kind}-{number}]"

    def summary(self):
        """How many values there were, in words."""
        kinds = [kind for kind, _ in self.placeholders]
        counts = [f"{kinds.count(kind)} of the kind {kind}" for kind in dict.fromkeys(kinds)]
        return f"redacted: {', '.join(counts) or 'nothing'}"


def is_address(text):
    """Whether it is the address of a machine other than this one, and not a time or the like."""
    if len(text) == 17 and text.count(":") == 5:
        return True
    for family in (socket.AF_INET, socket.AF_INET6):
        try:
            packed = socket.inet_pton(family, text)
        except OSError:
            continue
        # “::” alone, as in C++, and the addresses that every machine has for itself.
        return packed.strip(b"\0") not in (b"", b"\1") and not (len(packed) == 4 and packed[0] == 127)
    return False


def main():
    kept = [kind for name, kind in KINDS_OF_OPTIONS.items() if os.environ.get(f"TODAY_OPTION_{name}") == "no"]
    # Bytes that are no text stay as they are.
    redaction = Redaction(sys.stdin.buffer.read().decode("utf-8", "surrogateescape"), kept)
    sys.stdout.buffer.write(redaction.text.encode("utf-8", "surrogateescape"))
    print(redaction.summary(), file=sys.stderr)


if __name__ == "__main__":
    main()
