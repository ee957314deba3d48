#!/usr/bin/python3 -ESB
"""Git: the state of several repositories; a press opens the page of one."""

import datetime
import os
import re
from concurrent.futures import ThreadPoolExecutor

from todaykit import COMPACT_ROWS, Failure, Widget, date, grid, run, secondary, text

# A repository's own settings must not start programs only because it is looked at.
QUIET = ["-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "-c", "core.quotePath=false"]
ENVIRONMENT = {"GIT_OPTIONAL_LOCKS": "0", "GIT_TERMINAL_PROMPT": "0"}
OPERATIONS = [
    ("rebase-merge", "rebasing"), ("rebase-apply/applying", "applying"), ("rebase-apply", "rebasing"), ("MERGE_HEAD", "merging"),
    ("CHERRY_PICK_HEAD", "picking"), ("REVERT_HEAD", "reverting"), ("sequencer/todo", None), ("BISECT_LOG", "bisecting"),
]
# What the list of the commits that are left begins with, between two of them.
SEQUENCES = {"p": "picking", "pick": "picking", "revert": "reverting"}
# Of the address of a repository: names of projects can have blanks, as %20, and signs.
PATH = r"[\w./~%+@,-]+?"
# Servers that are asked with ssh where only the port of the web is open.
PAGES = {"ssh.github.com": "github.com", "altssh.gitlab.com": "gitlab.com", "altssh.bitbucket.org": "bitbucket.org"}
# Who has several accounts calls their servers so in the settings of ssh: github.com-work.
ACCOUNT = re.compile(r"^(github\.com|gitlab\.com|bitbucket\.org|codeberg\.org|git\.sr\.ht)[-_][\w-]+$")
# Commits of each repository that are read, and those that are listed below each with More.
KEPT_COMMITS, LISTED_COMMITS = 40, 5


class Repository:
    """What `git status --porcelain=v2` says about a working tree."""

    def __init__(self, path):
        self.path = path
        self.name = os.path.basename(path.rstrip("/")) or path
        self.branch = ""
        self.ahead = self.behind = self.changed = self.untracked = self.conflicts = self.stashed = 0
        self.commit = ""
        self.operation = None
        self.is_bare = self.has_upstream = self.is_upstream_there = False
        self.remote = None
        #: The last ones: their short names, subjects and times.
        self.commits = []
        self.trouble = None

    def read(self):
        """Asks git; what goes wrong is kept in words."""
        try:
            folder, is_bare = self.git("rev-parse", "--absolute-git-dir", "--is-bare-repository").split("\n")[:2]
            self.is_bare = is_bare == "true"
            if self.is_bare:
                self.branch = self.git("symbolic-ref", "--quiet", "--short", "HEAD", codes=(0, 1)).strip() or "(detached)"
            else:
                self.take(self.git("status", "--porcelain=v2", "--branch", "--show-stash", "--untracked-files=normal"))
                self.take_operation(folder)
            self.remote = page(self.remote_address())
            # In UTF-8, whatever the settings of the repository say of its commits and of what is printed.
            options = ["--encoding=UTF-8", "--no-show-signature", "--format=%h%x00%s%x00%ct"]
            words = self.git("log", f"-{KEPT_COMMITS}", *options, codes=(0, 128))
            commits = [line.split("\0") for line in words.split("\n")]
            self.commits = [(name, subject, moment(time)) for name, subject, time in (one for one in commits if len(one) == 3)]
        except Failure as failure:
            self.trouble = self.words(failure)
        return self

    def words(self, failure):
        """The reason in a few words; git explains itself in several lines, the last of which is not the reason."""
        if "dubious ownership" in failure.output:
            path = os.path.realpath(self.path)
            return f"the ownership is dubious: it belongs to another user; git config --global --add safe.directory {path}"
        return str(failure).removeprefix("git: ").removeprefix("fatal: ")

    def remote_address(self):
        """The address of `origin`, without the user's abbreviations (`url.….insteadOf`); empty without a remote."""
        address = self.address_of("origin")
        if address != "origin":
            return address
        # Without a remote of that name it is the only one, or the first.
        names = self.git("remote", codes=(0, 128)).split("\n")
        return self.address_of(names[0]) if names[0] else ""

    def address_of(self, name):
        # One line for each address that a remote has; none is asked over the network.
        return self.git("ls-remote", "--get-url", "--", name, codes=(0, 128)).strip().partition("\n")[0]

    def git(self, *words, codes=(0,)):
        if not os.path.isdir(self.path):
            raise Failure("there is no such folder")
        return run(["git", *QUIET, "-C", self.path, *words], seconds=10, install="git", environment=ENVIRONMENT, codes=codes)

    def take(self, output):
        """Takes the answer of `git status`; a tree is said to be clean only after one that is whole."""
        unread = 0
        for line in output.split("\n"):
            kind, _, rest = line.partition(" ")
            if kind == "#":
                self.take_header(rest)
            elif kind in ("1", "2"):
                self.changed += 1
            elif kind == "u":
                self.conflicts += 1
            elif kind == "?":
                self.untracked += 1
            elif kind not in ("", "!"):
                unread += 1
        if not self.branch or unread:
            raise Failure("git did not answer in the format that was requested")

    def take_header(self, line):
        name, _, value = line.partition(" ")
        if name == "branch.head":
            self.branch = value
        elif name == "branch.oid":
            self.commit = value
        elif name == "branch.upstream":
            self.has_upstream = True
        elif name == "branch.ab":
            self.is_upstream_there = True
            match = re.fullmatch(r"\+([0-9]{1,18}) -([0-9]{1,18})", value)
            self.ahead, self.behind = (int(part) for part in match.groups()) if match else (0, 0)
        elif name == "stash":
            self.stashed = int(value) if re.fullmatch(r"[0-9]{1,18}", value) else 0

    def take_operation(self, folder):
        """Finds what was begun and has not ended, as a prompt of git has it, and where HEAD is meanwhile."""
        paths = [(os.path.join(folder, name), words) for name, words in OPERATIONS]
        names = [words or sequence(path) for path, words in paths if os.path.exists(path)]
        self.operation = next(filter(None, names), None)
        if self.branch == "(detached)":
            self.branch = rebased_branch(folder) or f"at {self.commit[:7]}"

    @property
    def is_upstream_gone(self):
        return self.has_upstream and not self.is_upstream_there and self.commit != "(initial)"

    @property
    def marks(self):
        """What there is to do, each with its words and its colour."""
        parts = [
            (self.operation, self.operation, "red"),
            (self.conflicts, f"{self.conflicts} in conflict", "red"),
            (self.changed, f"±{self.changed}", "orange"),
            (self.untracked, f"+{self.untracked}", "yellow"),
            (self.ahead, f"↑{self.ahead}", "green"),
            (self.behind, f"↓{self.behind}", "blue"),
            (self.stashed, f"≡{self.stashed}", "purple"),
            (self.is_upstream_gone, "upstream gone", "orange"),
        ]
        return [(words, colour) for is_there, words, colour in parts if is_there]

    @property
    def is_clean(self):
        return not self.marks

    def state(self):
        """The state in spans, each with a colour, in as few characters as can be read."""
        spans = [{"text": f"{words} ", "style": {"foreground": colour}} for words, colour in self.marks]
        if spans:
            spans[-1]["text"] = spans[-1]["text"].rstrip()
        words = "bare" if self.is_bare else "no commits yet" if self.commit == "(initial)" else "clean"
        return spans or [{"text": words, "style": {"foreground": "secondaryLabel"}}]


def sequence(path):
    """What is done with several commits, in the middle of them; None if the list of those that are left does not say so."""
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return SEQUENCES.get("".join(file.read(200).split()[:1]))
    except OSError:
        return None


def rebased_branch(folder):
    """The branch that is rebased, with merges or with patches; None if there is none."""
    for name in ("rebase-merge", "rebase-apply"):
        try:
            with open(os.path.join(folder, name, "head-name"), encoding="utf-8", errors="replace") as file:
                reference = file.read(200).strip()
        except OSError:
            continue
        # What is rebased without a branch is called “detached HEAD”.
        if reference.startswith("refs/heads/"):
            return reference.removeprefix("refs/heads/")
    return None


def moment(seconds):
    """The time of a commit; None for one that is not within the years of a calendar."""
    try:
        return datetime.datetime.fromtimestamp(int(seconds), datetime.timezone.utc)
    except (ValueError, OverflowError, OSError):
        return None


def page(remote):
    """The address of a remote in a browser; None if it has none."""
    match = (
        re.fullmatch(rf"(?:(?:git\+)?ssh://)?[\w.-]+@([\w.-]+)(?::\d+/|[:/])({PATH})(?:\.git)?/?", remote)
        # Without a user it is that of this machine, or of the settings of ssh; a name without a dot is one of these.
        or re.fullmatch(rf"(?:git\+)?ssh://([\w.-]+)(?::\d+)?/({PATH})(?:\.git)?/?", remote)
        or re.fullmatch(rf"([\w-]+\.[\w.-]+):(?:\d+/)?(?!//)({PATH})(?:\.git)?/?", remote)
    )
    if match:
        host = ACCOUNT.sub(r"\1", match.group(1))
        # Azure has pages at another address than what ssh is asked.
        azure = re.fullmatch(r"v3/([^/]+)/([^/]+)/([^/]+)", match.group(2))
        if azure and host in ("ssh.dev.azure.com", "vs-ssh.visualstudio.com"):
            return "https://dev.azure.com/{}/{}/_git/{}".format(*azure.groups())
        return f"https://{PAGES.get(host, host)}/{match.group(2).lstrip('/')}"
    # A server that is reached by http alone, such as one at home, need not know https.
    match = re.fullmatch(rf"(https?)://(?:[^@/\s]*@)?([\w.:-]+)/({PATH})(?:\.git)?/?", remote, re.IGNORECASE)
    return f"{match.group(1).lower()}://{match.group(2)}/{match.group(3)}" if match else None


class Git(Widget):

    def initialize(self):
        self.repositories = []

    def view(self):
        return self.draw() if self.repositories else None

    def paths(self):
        paths = [os.path.expanduser(path) for path in self.setting("repositories", [])]
        # Without any, it is the repository in which the page was opened.
        here = os.environ.get("TODAY_FOLDER")
        return paths or ([here] if here and within_repository(here) else [])

    def widget_perform_update(self, reason):
        paths = self.paths()
        if not paths:
            return self.instructions("No repositories yet.", "Press , to list their folders.")
        with ThreadPoolExecutor(4) as pool:
            self.repositories = list(pool.map(lambda path: Repository(path).read(), paths))
        first = self.repositories[0]
        if all(one.trouble for one in self.repositories):
            raise Failure(f"{first.name}: {first.trouble}", view=self.draw())
        return self.draw()

    def ordered(self):
        """Those with something to do are first, and of what is wrong the first; the order is otherwise the user's."""
        wrong = [one for one in self.repositories if one.trouble]
        sound = [one for one in self.repositories if not one.trouble]
        busy = [one for one in sound if not one.is_clean]
        return busy + wrong[:1] + [one for one in sound if one.is_clean] + wrong[1:]

    def draw(self):
        rows = [(self.row(one), one.commits) for one in self.ordered()]
        short = [row for row, _ in rows]
        # As many of the last commits as there is room for, so many of each.
        compact = next((listed for listed in (with_commits(rows, count) for count in (3, 2, 1)) if len(listed) <= COMPACT_ROWS), short)
        expanded = with_commits(rows, LISTED_COMMITS)
        if self.screen_rows:
            expanded = next(
                listed for listed in (with_commits(rows, count) for count in range(KEPT_COMMITS, -1, -1))
                if len(listed) <= self.screen_rows or len(listed) == len(short)
            )
        self.offer_more(len(expanded) > len(compact) or len(compact) > COMPACT_ROWS)
        shapes = [{"alignment": "leading", "priority": 1}, {"alignment": "leading"}, {"alignment": "trailing", "priority": 1}]
        return grid(expanded if self.is_expanded and self.expands else compact[:COMPACT_ROWS], shapes)

    @staticmethod
    def row(one):
        # The host opens no folder that is not a setting of its own.
        link = {"link": one.remote} if one.remote else {}
        name = text([{"text": one.name, **link}], truncation="middle")
        if one.trouble:
            return [name, text(one.trouble, "orange", truncation="tail"), ""]
        return [name, secondary(one.branch, truncation="middle"), text(one.state())]


def with_commits(rows, count):
    """The rows of repositories, each with its last commits below it."""
    return [line for row, commits in rows for line in (row, *(commit_row(*one) for one in commits[:count]))]


def commit_row(name, subject, time):
    # The host counts the age, also between updates.
    age = date(time, "relative", style={"foreground": "secondaryLabel"}) if time else ""
    return [secondary(name), secondary(subject), age]


def within_repository(folder):
    while True:
        if os.path.exists(os.path.join(folder, ".git")):
            return True
        above = os.path.dirname(folder)
        if above == folder:
            return False
        folder = above


if __name__ == "__main__":
    Git().run()
