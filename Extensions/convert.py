#!/usr/bin/python3 -ESB
# today: action accepts="public.json, public.yaml, org.today.toml, public.delimited-values-text" title="Convert" description="between JSON, YAML, TOML and CSV"
# today: option name=to title="To" choices="json, yaml, toml, csv, tsv, table" default=json
# today: option name=indent title="Indent of JSON" choices="2, 4, 0" default=2
"""Converts data between JSON, YAML, TOML and CSV, and shows them as a table.

Modules are imported where they are used: a filter is started for every piece of content.
"""

import os
import sys


def fail(words, status=1):
    print(words, file=sys.stderr)
    sys.exit(status)


# What reads a type: text in, a value out.


def read_json(text):
    import json

    try:
        return json.loads(text)
    except ValueError:
        # A value in each line, as programs print them that go on.
        lines = [line for line in text.split("\n") if line.strip(" \t\r\x1e")]
        if len(lines) < 2 or not all(line.strip(" \t\r\x1e").startswith(("{", "[")) for line in lines):
            raise
    return [json.loads(line.strip(" \t\r\x1e")) for line in lines]


def read_yaml(text):
    # The modules of Debian's packages, which are not looked for at the start.
    sys.path.append("/usr/lib/python3/dist-packages")
    try:
        import yaml
    except ImportError:
        fail("reading YAML needs the module yaml; install it with: apt install python3-yaml", 69)
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        documents = list(yaml.load_all(text, loader))
    except yaml.YAMLError as error:
        raise ValueError(str(error).replace("\n", " ")) from error
    return documents[0] if len(documents) == 1 else documents


def read_toml(text):
    try:
        import tomllib
    except ImportError:
        fail("reading TOML needs Python 3.11 or newer", 69)
    return tomllib.loads(text)


def read_rows(text, separator=""):
    import csv
    import io
    import re

    csv.field_size_limit(sys.maxsize)
    # A name in quotes can have any of them.
    head = re.sub(r'"[^"]*"', "", text.partition("\n")[0])
    separator = separator or max(",;\t", key=head.count)
    lines = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    try:
        rows = [row for row in lines if row]
    except csv.Error as error:
        raise ValueError(f"line {lines.line_num}: {error}") from error
    width = max(map(len, rows), default=0)
    names = []
    for index in range(width):
        name = rows[0][index] if index < len(rows[0]) else ""
        name = name or str(index + 1)
        names.append(name if name not in names else f"{name} {index + 1}")
    return [dict(zip(names, row + [""] * (width - len(row)))) for row in rows[1:]]


def read_tabs(text):
    return read_rows(text, "\t")


READERS = {
    "public.yaml": read_yaml,
    "org.today.toml": read_toml,
    "public.comma-separated-values-text": read_rows,
    "public.delimited-values-text": read_rows,
    "public.tab-separated-values-text": read_tabs,
}


def plain(value):
    """A value with nothing but what JSON has: keys are texts, and so are dates."""
    if isinstance(value, dict):
        return {key if isinstance(key, str) else scalar(key): plain(one) for key, one in value.items()}
    if isinstance(value, (list, tuple, set)):
        return [plain(one) for one in value]
    if value is None or isinstance(value, (str, int, float)):
        return value
    if hasattr(value, "isoformat"):
        return value.isoformat()
    raise ValueError(f"it has a value of the type {type(value).__name__}, for which there is no text")


def scalar(value):
    """A value that is no text, as all these formats write it."""
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    words = str(value)
    if isinstance(value, float):
        if words in ("nan", "inf", "-inf"):
            raise ValueError(f"it has the number {words}, which not every format has")
        # Without a point, 1e+22 would be a text in YAML.
        mantissa, _, exponent = words.partition("e")
        words = words if "." in mantissa or not exponent else f"{mantissa}.0e{exponent}"
    return words


def quoted(text):
    """A text in double quotes, as YAML and TOML have it."""
    import json

    # Half a character, which JSON can have, is an error.
    text.encode()
    words = json.dumps(text, ensure_ascii=False)
    if words.isprintable():
        return words
    return "".join(one if one.isprintable() else f"\\U{ord(one):08x}" for one in words)


# What writes a format: a plain value in, text out.


def write_json(value):
    import json

    indent = int(os.environ.get("TODAY_OPTION_INDENT") or 2)
    separators = None if indent else (",", ":")
    words = json.dumps(value, ensure_ascii=False, allow_nan=False, indent=indent or None, separators=separators)
    return words + "\n"


WORDS_OF_YAML = {"y", "n", "yes", "no", "on", "off", "true", "false", "null"}
PLAIN_IN_YAML = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./-")


def write_yaml(value):
    return "\n".join(yaml_lines(value)) + "\n"


def yaml_lines(value):
    if isinstance(value, dict) and value:
        for key, one in value.items():
            yield from yaml_member(yaml_text(key) + ":", one)
    elif isinstance(value, list) and value:
        for one in value:
            lines = yaml_lines(one)
            yield "- " + next(lines)
            yield from ("  " + line for line in lines)
    elif isinstance(value, (dict, list)):
        yield "{}" if isinstance(value, dict) else "[]"
    else:
        yield yaml_text(value) if isinstance(value, str) else scalar(value)


def yaml_member(key, value):
    if isinstance(value, (dict, list)) and value:
        yield key
        indent = "  " if isinstance(value, dict) else ""
        yield from (indent + line for line in yaml_lines(value))
    else:
        yield f"{key} {next(yaml_lines(value))}"


def yaml_text(text):
    """A text without quotes only if it cannot be anything else."""
    is_plain = PLAIN_IN_YAML.issuperset(text.replace(" ", "")) and text[:1].isalpha() and not text.endswith(" ")
    return text if is_plain and text.lower() not in WORDS_OF_YAML else quoted(text)


def write_toml(value):
    if not isinstance(value, dict):
        raise ValueError("TOML has a table at its top, and this is not one")
    return "\n".join(toml_lines(value, ())).strip("\n") + "\n"


def toml_lines(table, path):
    tables = {key: one for key, one in table.items() if isinstance(one, dict) or is_table_array(one)}
    for key, one in table.items():
        if key not in tables:
            yield f"{toml_key(key)} = {toml_value(one, (*path, key))}"
    for key, one in tables.items():
        name = ".".join(map(toml_key, (*path, key)))
        for part in one if isinstance(one, list) else [one]:
            yield ""
            yield f"[[{name}]]" if isinstance(one, list) else f"[{name}]"
            yield from toml_lines(part, (*path, key))


def is_table_array(value):
    return isinstance(value, list) and value != [] and all(isinstance(one, dict) for one in value)


def toml_key(key):
    is_bare = key.isascii() and key.replace("-", "").replace("_", "").isalnum()
    return key if is_bare else quoted(key)


def toml_value(value, path):
    if value is None:
        raise ValueError(f"TOML has no null, which {'.'.join(path)} is")
    if isinstance(value, list):
        return f"[{', '.join(toml_value(one, path) for one in value)}]"
    if isinstance(value, dict):
        members = [f"{toml_key(key)} = {toml_value(one, (*path, key))}" for key, one in value.items()]
        return f"{{ {', '.join(members)} }}" if members else "{}"
    return quoted(value) if isinstance(value, str) else scalar(value)


def table_of(value):
    """The names of the columns, and the rows, of what has them: objects, or lists of values."""
    if isinstance(value, dict):
        # The rows beside what is said of them: the items of kubectl, else the only list of objects.
        lists = [one for one in value.values() if isinstance(one, list)]
        objects = [one for one in lists if one and all(isinstance(row, dict) for row in one)]
        if len(value) == 1 and lists:
            value = lists[0]
        elif str(value.get("kind")).endswith("List") and isinstance(value.get("items"), list):
            value = value["items"]
        else:
            value = objects[0] if len(lists) == len(objects) == 1 else [value]
    if not isinstance(value, list):
        raise ValueError("it has no rows: a table is a list of objects, or of lists")
    if all(isinstance(row, dict) for row in value):
        names = list(dict.fromkeys(name for row in value for name in row))
        return names, [[cell(row.get(name, "")) for name in names] for row in value]
    rows = [[cell(one) for one in row] if isinstance(row, list) else [cell(row)] for row in value]
    return None, rows


def cell(value):
    if isinstance(value, (dict, list)):
        import json

        return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return value if isinstance(value, str) else "" if value is None else scalar(value)


def write_rows(value, separator=","):
    import csv
    import io

    names, rows = table_of(value)
    made = io.StringIO(newline="")
    csv.writer(made, delimiter=separator, lineterminator="\n").writerows([names, *rows] if names else rows)
    return made.getvalue()


def write_tabs(value):
    return write_rows(value, "\t")


def write_table(value):
    names, rows = table_of(value)
    lines = [[printable(one) for one in row] for row in ([names, *rows] if names else rows)]
    count = max(map(len, lines), default=0)
    lines = [line + [""] * (count - len(line)) for line in lines]
    sizes = [max(columns(line[index]) for line in lines) for index in range(count)]
    if names:
        lines.insert(1, ["─" * size for size in sizes])
    made = ("  ".join(one + " " * (size - columns(one)) for one, size in zip(line, sizes)) for line in lines)
    return "".join(line.rstrip() + "\n" for line in made)


def printable(text):
    return text if text.isprintable() else "".join(one if one.isprintable() else " " for one in text)


def columns(text):
    if text.isascii():
        return len(text)
    import unicodedata

    wide = sum(unicodedata.east_asian_width(one) in "WF" for one in text)
    return len(text) + wide - sum(unicodedata.combining(one) > 0 for one in text)


WRITERS = {
    "json": write_json,
    "yaml": write_yaml,
    "toml": write_toml,
    "csv": write_rows,
    "tsv": write_tabs,
    "table": write_table,
}


def main():
    read = READERS.get(os.environ.get("TODAY_TYPE", ""), read_json)
    write = WRITERS[os.environ.get("TODAY_OPTION_TO") or "json"]
    try:
        text = sys.stdin.buffer.read().decode("utf-8-sig")
        result = write(plain(read(text))).encode()
    except (ValueError, RecursionError) as error:
        fail(f"it cannot be converted: {error}")
    sys.stdout.buffer.write(result)


if __name__ == "__main__":
    main()
