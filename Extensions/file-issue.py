#!/usr/bin/python3 -ESB
# today: share accepts="public.text" title="File an Issue" description="at GitHub or GitLab" requires="gh|glab"
# today: option name=repository title="Repository, such as owner/name" default=""
# today: option name=at title="At" choices="github, gitlab" default=github
# today: option name=title title="Title, in place of the first line" default=""
# today: option name=labels title="Labels, with commas" default=""
# today: option name=command title="Command that has printed it" default=""
# today: option name=status title="Exit status of the command" default=""
# today: option name=host title="Host of the command" default=""
# today: option name=secrets title="Keys and passwords in it" choices="refuse, send" default=refuse
"""Makes an issue of a text with gh or glab, and prints its address.

The first line is the title, and the rest what is said. What a command has printed, and text that is neither prose nor
Markdown, is a block of code.
"""

import os
import re
import shutil
import subprocess
import sys

PROSE = ("public.plain-text", "public.text", "net.daringfireball.markdown", "public.url", "")
PROGRAMS = {"github": ("gh", "install it with: apt install gh"), "gitlab": ("glab", "get it from https://gitlab.com/gitlab-org/cli")}
# What GitHub takes; a word of a command line has at most 128 KiB.
TITLE_LIMIT, BODY_LIMIT, BODY_BYTES = 250, 65536, 120_000
SECONDS = 25


def fail(words, status=1):
    print(words, file=sys.stderr)
    sys.exit(status)


def option(name):
    """The value of an option, on one line."""
    value = os.environ.get(f"TODAY_OPTION_{name.upper()}", "")
    return "".join(one if one.isprintable() else " " for one in value).strip()


def split(text):
    """The first line that is not empty, and what follows it."""
    head, _, rest = text.lstrip().partition("\n")
    return " ".join("".join(one if one.isprintable() else " " for one in head).split()), rest.strip("\n")


def code(words):
    """Words within a line as code, whatever they have."""
    longest = max(map(len, re.findall("`+", words)), default=0)
    mark = "`" * (longest + 1)
    return f"{mark} {words} {mark}" if longest else f"`{words}`"


def issue(text):
    """The title and the body of an issue."""
    first, rest = split(text)
    title = option("title")
    command, status, host = option("command"), option("status"), option("host")
    parts = []
    if command or status or host:
        words = [code(command)] if command else []
        words += [f"on {code(host)}"] if host else []
        words += [f"has ended with exit status {code(status)}"] if status else []
        parts.append(" ".join(words))
    if command or os.environ.get("TODAY_TYPE", "") not in PROSE:
        lines = text.strip("\n").splitlines()
        # Lines that are indented need no mark at their end, which the text could have.
        parts.append("\n".join(f"    {line}".rstrip() for line in lines))
    else:
        prose = text.strip("\n") if title else rest
        # In GitLab, lines such as /close are commands.
        parts.append(re.sub(r"(?m)^(\s*)/", r"\1\\/", prose) if option("at") == "gitlab" else prose)
    title = title or first
    cut = title if len(title) <= TITLE_LIMIT else title[: TITLE_LIMIT - 1] + "…"
    return cut, "\n\n".join(part for part in parts if part)


def check_secrets(text):
    """Refuses what Redact finds, without what is private and no secret."""
    try:
        from redact import Redaction
    except ImportError:
        fail("redact.py, which comes with today, is not beside this script", 69)
    redaction = Redaction(text, ("address", "email", "user"))
    if redaction.placeholders:
        found = redaction.summary().removeprefix("redacted: ")
        fail(f"it has secrets ({found}): use Redact first, or secrets=send")


def command_of(at, repository, title, body):
    """The command that makes an issue, and what it reads."""
    labels = [label.strip() for label in option("labels").split(",") if label.strip()]
    if at == "gitlab":
        words = ["glab", "issue", "create", f"--repo={repository}", f"--title={title}", f"--description={body or title}", "--yes"]
        body = ""
    else:
        words = ["gh", "issue", "create", f"--repo={repository}", f"--title={title}", "--body-file=-"]
    return words + [f"--label={label}" for label in labels], body


def main():
    at, repository = option("at") or "github", option("repository")
    program, advice = PROGRAMS[at]
    if not shutil.which(program):
        fail(f"{program} is not installed; {advice}", 69)
    if not repository:
        fail("the option repository names where the issue is made, such as owner/name", 64)
    text = sys.stdin.buffer.read().decode("utf-8-sig", "replace").replace("\0", "\ufffd")
    title, body = issue(text)
    if not title:
        fail("an issue needs a title", 65)
    if option("secrets") != "send":
        check_secrets(f"{title}\n{body}")
    if len(body) > BODY_LIMIT or len(body.encode()) > BODY_BYTES:
        fail(f"an issue has at most {BODY_LIMIT} characters; share a part of it, or a link made with Paste Link", 65)
    command, data = command_of(at, repository, title, body)
    environment = {**os.environ, "GH_PROMPT_DISABLED": "1", "NO_COLOR": "1"}
    try:
        done = subprocess.run(
            command, input=data.encode(), capture_output=True, timeout=SECONDS, env=environment, check=False
        )
    except subprocess.TimeoutExpired:
        fail(f"{program} did not answer within {SECONDS} s; look whether the issue was made")
    said = done.stdout.decode("utf-8", "replace")
    if done.returncode != 0:
        # The advice of gh takes several lines.
        lines = [line.strip() for line in (done.stderr.decode("utf-8", "replace") + said).splitlines() if line.strip()]
        fail(lines[0] if lines else f"{program} has ended with {done.returncode}")
    addresses = re.findall(r"https?://[^\s\x1b]+", said)
    print(addresses[-1] if addresses else said.strip())


if __name__ == "__main__":
    main()
