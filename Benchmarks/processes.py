"""The CPU time, wake-ups and memory of a process and its descendants, from Linux."""

import os
from dataclasses import dataclass, field

TICKS = os.sysconf("SC_CLK_TCK")


def read(path: str) -> str:
    """A file of /proc, or an empty string if the process has ended meanwhile."""
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read()
    except (FileNotFoundError, ProcessLookupError):
        return ""


def stat_fields(pid: int) -> list[str]:
    """The fields of stat(5) from the third on, because the second may contain spaces."""
    return read(f"/proc/{pid}/stat").rpartition(")")[2].split()


def executable(pid: int) -> str:
    """The path of a process's program, or an empty string if the process has ended."""
    try:
        return os.readlink(f"/proc/{pid}/exe")
    except OSError:
        return ""


def family(root: int) -> list[int]:
    """A process and all its descendants, the process itself first."""
    children: dict[int, list[int]] = {}
    for name in os.listdir("/proc"):
        if name.isdigit() and (fields := stat_fields(int(name))):
            children.setdefault(int(fields[1]), []).append(int(name))
    found = [root]
    for pid in found:
        found += children.get(pid, [])
    return found


@dataclass
class Usage:
    """CPU seconds and voluntary context switches, up to now or between two moments.

    Threads start and end: the difference of two readings is the sum over the threads of the later one,
    so that a thread that has ended does not reduce it.
    """

    cpu: float = 0
    wakeups: int = 0
    threads: dict[int, tuple[float, int]] = field(default_factory=dict)
    # CPU seconds of all threads that ever existed, in hundredths. This value is used if it exceeds the
    # threads' own nanoseconds by more than its resolution, because those do not include threads that
    # have ended.
    coarse: float = 0

    def __add__(self, other: "Usage") -> "Usage":
        return Usage(self.cpu + other.cpu, self.wakeups + other.wakeups)

    def __sub__(self, earlier: "Usage") -> "Usage":
        difference = Usage()
        for thread, (cpu, wakeups) in self.threads.items():
            old_cpu, old_wakeups = earlier.threads.get(thread, (0.0, 0))
            difference += Usage(cpu - old_cpu, wakeups - old_wakeups)
        coarse = self.coarse - earlier.coarse
        if coarse > difference.cpu + 2 / TICKS:
            difference.cpu = coarse
        return difference


def usage(pid: int) -> Usage:
    """One process's usage by thread: nanoseconds of schedstat, and context switches."""
    result = Usage()
    try:
        threads = os.listdir(f"/proc/{pid}/task")
    except (FileNotFoundError, ProcessLookupError):
        threads = []
    for thread in threads:
        cpu = int((read(f"/proc/{pid}/task/{thread}/schedstat").split() or ["0"])[0]) / 1e9
        wakeups = 0
        for line in read(f"/proc/{pid}/task/{thread}/status").splitlines():
            if line.startswith("voluntary_ctxt_switches"):
                wakeups = int(line.split()[1])
        result.threads[int(thread)] = (cpu, wakeups)
        result.cpu += cpu
        result.wakeups += wakeups
    fields = stat_fields(pid)
    result.coarse = (int(fields[11]) + int(fields[12])) / TICKS if fields else 0
    return result


def reaped_cpu(pid: int) -> float:
    """CPU seconds of the children that a process has waited for."""
    fields = stat_fields(pid)
    return (int(fields[13]) + int(fields[14])) / TICKS if fields else 0


@dataclass
class Reading:
    """The usage of a host and of its whole tree at one moment."""

    host: int
    usages: dict[int, Usage] = field(default_factory=dict)
    reaped: float = 0

    @staticmethod
    def of(host: int) -> "Reading":
        return Reading(host, {pid: usage(pid) for pid in family(host)}, reaped_cpu(host))

    def host_since(self, earlier: "Reading") -> Usage:
        return self.usages[self.host] - earlier.usages[self.host]

    def tree_since(self, earlier: "Reading") -> Usage:
        """What the tree used; a process that started meanwhile counts from its start."""
        total = Usage(self.reaped - earlier.reaped)
        for pid, now in self.usages.items():
            total += now - earlier.usages.get(pid, Usage())
        return total


def memory_kib(pid: int) -> int:
    """The proportional set size: shared pages count proportionally."""
    for line in read(f"/proc/{pid}/smaps_rollup").splitlines():
        if line.startswith("Pss:"):
            return int(line.split()[1])
    return 0


def identities(pids: list[int]) -> dict[int, str]:
    """Processes with their start times, which distinguish a process from a later one with the same number."""
    found = {}
    for pid in pids:
        if fields := stat_fields(pid):
            found[pid] = fields[19]
    return found


def still_there(known: dict[int, str]) -> list[int]:
    """The known processes that are still running; one that only waits to be collected has ended."""
    left = []
    for pid, started in known.items():
        fields = stat_fields(pid)
        if fields and fields[19] == started and fields[0] not in "ZX":
            left.append(pid)
    return left
