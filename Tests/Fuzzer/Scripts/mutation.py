"""Random changes of bytes."""

SIZE = 128 * 1024
ODD = [b"\0", b"\xff", b"\xfe\xff", b"\xef\xbb\xbf", b"\x1b[31m", b"\r\n", b"\n", b" ", b"\xc2\xad", b"\xed\xa0\x80", b"-1", b"9" * 30]


def mutated(generator, target):
    """An input for a target: one of its examples, or noise of its words, with changes."""
    if generator.random() < 0.1:
        content = b"".join(generator.choice(target.words) for _ in range(generator.randrange(60)))
    else:
        content = generator.choice(target.examples)
    for _ in range(generator.choice((0, 1, 1, 2, 3, 5, 8))):
        content = changed(generator, target, content)
    return content[:SIZE]


def changed(generator, target, content):
    start = generator.randrange(len(content) + 1)
    end = min(len(content), start + generator.choice((0, 1, 1, 2, 4, 16, 64, 256)))
    part, word = content[start:end], generator.choice(generator.choice((target.words, ODD)))
    kind = generator.randrange(7)
    if kind == 0:
        new = b""
    elif kind == 1:
        new = part + part
    elif kind == 2:
        new = bytes([generator.randrange(256)])
    elif kind == 3:
        # What may take long is often many of the same.
        new = word * generator.choice((10, 100, 1000, 20_000))
    elif kind == 4:
        other = generator.choice(target.examples)
        at = generator.randrange(len(other) + 1)
        new = other[at : at + generator.randrange(200)]
    elif kind == 5:
        return content[:start]
    else:
        new = word
    return content[:start] + new[:SIZE] + content[end:]
