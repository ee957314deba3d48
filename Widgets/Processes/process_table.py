"""Processes as rows: what /proc says of them, their orders, and who started whom."""

import os
import pwd

from todaykit import Failure, reason

COMMAND_BYTES = 1024
NOBODY = 65534
KEYS = {
    "processor": lambda one: (-(one.share or 0), -one.memory, one.pid),
    "memory": lambda one: (-one.memory, -(one.share or 0), one.pid),
    "name": lambda one: (one.name.casefold(), one.pid),
    "pid": lambda one: one.pid,
}


class Process:
    """What /proc says about a process."""

    def __init__(self, pid, name, start, ticks, memory, parent=0, threads=1, terminal=0):
        self.pid, self.name, self.start, self.ticks, self.memory, self.parent = pid, name, start, ticks, memory, parent
        self.threads, self.terminal = threads, terminal
        #: In percent of a processor; None before there is an earlier sample.
        self.share = None
        self.depth = 0

    @property
    def key(self):
        return f"{self.pid} {self.start}"

    @property
    def identity(self):
        return self.pid, self.start, self.name


def processes(folder):
    """All processes by their numbers; one that ends meanwhile is left out."""
    found = {}
    page = os.sysconf("SC_PAGE_SIZE")
    try:
        names = os.listdir(folder)
    except OSError as error:
        raise Failure(f"{folder} cannot be read: {reason(error)}") from error
    for name in names:
        if not name.isdigit():
            continue
        try:
            with open(os.path.join(folder, name, "stat"), "rb") as file:
                line = file.read(4096).decode("utf-8", "replace")
            # The name is in parentheses, and may have some itself.
            words = line[line.index("(") + 1:line.rindex(")")]
            fields = line[line.rindex(")") + 2:].split()
            ticks = int(fields[11]) + int(fields[12])
            process = Process(
                int(name), words, int(fields[19]), ticks, int(fields[21]) * page, int(fields[1]), int(fields[17]), int(fields[4])
            )
        except (OSError, ValueError, IndexError):
            continue
        if process.memory > 0:
            found[process.pid] = process
    return found


class Details:
    """What is read for the processes that are shown alone: what they were started with, and by whom."""

    def __init__(self, folder, process):
        path = os.path.join(folder, str(process.pid))
        try:
            with open(os.path.join(path, "cmdline"), "rb") as file:
                words = file.read(COMMAND_BYTES).decode("utf-8", "replace").split("\0")
        except OSError:
            words = []
        try:
            self.user = os.stat(path).st_uid
        except OSError:
            self.user = None
        # The name alone is said already, as that of a login shell, -bash.
        is_named = words and os.path.basename(words[0]).lstrip("-").startswith(process.name)
        self.command = " ".join(word for word in words[1 if is_named else 0:] if word) or terminal(process.terminal)

    @property
    def user_words(self):
        # In a sandbox nobody stands for all others.
        if self.user in (None, NOBODY):
            return "other" if self.user else ""
        # A sandbox has a list of users of its own.
        own = os.environ.get("USER") if self.user == os.getuid() else None
        try:
            return own or pwd.getpwuid(self.user).pw_name
        except KeyError:
            return str(self.user)

    @property
    def can_be_ended(self):
        """Whether the user may send it signals."""
        return self.user is None or os.getuid() in (0, self.user)


def terminal(device):
    """The name of the terminal of a process; empty without one, as of a service."""
    major, minor = device >> 8 & 0xFFF, device & 0xFF | device >> 12 & 0xFFF00
    return f"pts/{minor + (major - 136) * 256}" if 136 <= major <= 143 else f"tty{minor}" if major == 4 and minor < 64 else ""


def shares(before, after, seconds):
    """Sets how much of a processor each process has used, in percent."""
    rate = os.sysconf("SC_CLK_TCK") * max(seconds, 0.01)
    for pid, process in after.items():
        old = before.get(pid)
        # One that has begun since then has used all of its time since then.
        used = old.ticks if old and old.start == process.start else 0
        process.share = 100 * max(0, process.ticks - used) / rate


def ordered(found, order, limit):
    """The first processes of an order."""
    return sorted(found.values(), key=KEYS.get(order, KEYS["processor"]))[:limit]


def tree(found, order, limit):
    """The first processes of an order with those that started them, each below its parent, as deep as `depth` says."""
    wanted = {}
    for process in ordered(found, order, limit):
        chain = [process]
        # A number can be used again, so that a chain need not end.
        while (parent := found.get(chain[-1].parent)) and parent.pid not in wanted and parent not in chain:
            chain.append(parent)
        if len(wanted) + len(chain) > limit:
            break
        wanted.update((one.pid, one) for one in chain)
    children = {}
    for process in ordered(wanted, order, limit):
        children.setdefault(process.parent if process.parent in wanted else None, []).append(process)
    rows, waiting = [], [(one, 0) for one in reversed(children.get(None, []))]
    while waiting:
        process, depth = waiting.pop()
        process.depth = depth
        rows.append(process)
        waiting += [(one, depth + 1) for one in reversed(children.get(process.pid, []))]
    # Those of a circle hang on nothing.
    seen = {one.pid for one in rows}
    return rows + [one for one in wanted.values() if one.pid not in seen]
