#!/usr/bin/python3 -ESB
"""Network: the interfaces with their addresses and rates, and how long a host takes to answer."""

import errno
import fcntl
import ipaddress
import os
import re
import socket
import struct
import time

from todaykit import Failure, Widget, chart, grid, hstack, number, run, secondary, series, sparkline, text, vstack

SIOCGIFADDR = 0x8915
KEPT = 60
PAUSE = 0.5
ROWS = 4  # of the compact card
WIDE = 44  # columns for the name of the graph beside its highest rates
PORTS = (443, 80, 53, 22)
COURSE = {"frame": {"maxWidth": 24}, "style": {"foreground": "blue"}, "accessibilityLabel": "Received bytes per second, over time"}


class Interface:
    """The bytes and the packets that an interface has received and sent."""

    def __init__(self, name, received, sent, packets=(0, 0)):
        self.name, self.received, self.sent, self.packets = name, received, sent, packets
        self.down = self.up = 0.0


def interfaces(folder):
    """The interfaces of /proc/net/dev by name, and how many of its lines cannot be read (proc_pid_net(5))."""
    found, unread = {}, 0
    with open(os.path.join(folder, "net/dev"), "rb") as file:
        for line in file.read(1024 * 1024).decode("utf-8", "replace").split("\n"):
            if "|" in line or not line.strip():
                continue  # A heading.
            # The name of an alias has a colon (bond0:1), and a blank need not follow the last one.
            match = re.fullmatch(r"\s*(\S+?)\s*:((?:\s*[0-9]{1,30})(?:\s+[0-9]{1,30}){8,40})\s*", line)
            if not match:
                unread += 1
                continue
            fields = [int(field) for field in match.group(2).split()]
            name = match.group(1)
            found[name] = Interface(name, fields[0], fields[8], (fields[1], fields[9] if len(fields) > 9 else 0))
    return found, unread


def rates(before, after, seconds):
    """Sets bytes a second; counters that were reset give none."""
    for name, one in after.items():
        old = before.get(name)
        if old:
            one.down = progress(old.received, one.received, one.packets[0] > old.packets[0]) / max(seconds, 0.01)
            one.up = progress(old.sent, one.sent, one.packets[1] > old.packets[1]) / max(seconds, 0.01)


def progress(old, new, is_going_on):
    """How far a counter came. Some drivers count with 32 bits: bytes begin anew then, while packets go on."""
    if new >= old:
        return new - old
    return new + 2**32 - old if is_going_on and old < 2**32 else 0


def address(name):
    """The IPv4 address of an interface; None if it has none."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asked:
        try:
            request = struct.pack("256s", name[:15].encode())
            return socket.inet_ntoa(fcntl.ioctl(asked.fileno(), SIOCGIFADDR, request)[20:24])
        except OSError:
            return None


def long_addresses(folder):
    """The global IPv6 addresses by interface."""
    found = {}
    try:
        with open(os.path.join(folder, "net/if_inet6"), encoding="ascii", errors="replace") as file:
            for line in file.read(1024 * 1024).splitlines():
                fields = line.split()
                if len(fields) == 6 and fields[3] == "00":
                    found.setdefault(fields[5], str(ipaddress.IPv6Address(int(fields[0], 16))))
    except (OSError, ValueError):
        pass
    return found


def latency(host):
    """Milliseconds until a host answers, by ping where there is one, else by a connection; words if it does not."""
    try:
        words = run(["ping", "-n", "-c", "1", "-W", "2", "--", host], seconds=5)
        match = re.search(r"time[=<]([0-9.]+) ?ms", words)
        if match:
            return float(match.group(1))
    except Failure:
        pass
    words = "does not answer"
    for port in PORTS:
        start = time.monotonic()
        try:
            with socket.create_connection((host, port), timeout=2):
                return 1000 * (time.monotonic() - start)
        except ConnectionRefusedError:
            return 1000 * (time.monotonic() - start)
        except (socket.gaierror, UnicodeError):
            return "has no address that is known here"
        except OSError as error:
            if error.errno in (errno.ENETUNREACH, errno.EHOSTUNREACH, errno.ENETDOWN, errno.EADDRNOTAVAIL):
                words = "cannot be reached"
    return words


class Network(Widget):
    folder = os.environ.get("TODAY_PROC", "/proc")
    devices = os.path.join(os.environ.get("TODAY_SYS", "/sys"), "class/net")

    def initialize(self):
        self.shown = []
        self.before, self.time = {}, 0.0
        self.history = self.load("history", [])
        self.sent = self.load("sent", [])
        self.answered = None
        self.missing = []
        self.unread = 0

    def view(self):
        return self.draw() if self.shown else None

    def widget_perform_update(self, reason):
        try:
            if not self.before:
                self.before, self.time = interfaces(self.folder)[0], time.monotonic()
                time.sleep(PAUSE)
            (after, self.unread), now = interfaces(self.folder), time.monotonic()
        except OSError as error:
            raise Failure(f"{error.filename}: {error.strerror}") from error
        if not after:
            raise Failure(f"{self.folder}/net/dev has no interface that can be read")
        rates(self.before, after, now - self.time)
        self.before, self.time = after, now
        wanted = self.setting("interfaces", [])
        # The loopback only talks to this machine.
        self.shown = [
            one for one in after.values()
            if (one.name in wanted if wanted else one.name != "lo" and one.received + one.sent > 0)
        ]
        self.missing = [name for name in wanted if name not in after]
        counted = self.shown if wanted else self.carriers(self.shown)
        # Bridges, ends of containers and tunnels are behind what carries them.
        self.shown.sort(key=lambda one: (one not in counted, -(one.received + one.sent)))
        self.addresses = {one.name: address(one.name) for one in self.shown}
        self.long = long_addresses(self.folder)
        self.history = [*rates_of(self.history), sum(one.down for one in counted)][-KEPT:]
        self.sent = [*rates_of(self.sent), sum(one.up for one in counted)][-KEPT:]
        self.store("history", self.history)
        self.store("sent", self.sent)
        host = self.setting("target")
        self.answered = latency(host) if host else None
        if self.missing and not self.shown:
            raise Failure(f"{', '.join(self.missing)} is not there", view=self.draw())
        return self.draw()

    def carriers(self, shown):
        """The interfaces that are devices, as what goes through the others goes through these too; all if none is."""
        found = [one for one in shown if os.path.exists(os.path.join(self.devices, one.name, "device"))]
        return found or shown

    def draw(self):
        if not self.shown and not self.missing and not self.unread:
            return secondary("No interface has sent or received anything.")
        full = [[text(name), text("is not there", "orange"), "", ""] for name in self.missing]
        if self.unread:
            full.append([text(str(self.unread)), text("cannot be read", "orange"), "", ""])
        short = list(full)
        for one in self.shown:
            here = self.addresses.get(one.name)
            long = self.long.get(one.name)
            row = [
                text(one.name),
                secondary(here or long or "no address", truncation="middle"),
                text(f"↓ {rate(one.down)}"),
                text(f"↑ {rate(one.up)}"),
            ]
            short.append(row)
            full += [row, ["", secondary(long, truncation="middle"), "", ""]] if here and long else [row]
        values = rates_of(self.history)
        target = self.setting("target")
        answered = [secondary(target), self.answer()] if target else []
        has_graph = len(values) > 1
        free = ROWS - len(short) - bool(answered)
        if self.is_expanded and has_graph:
            foot = [*([hstack(*answered)] if answered else []), *self.graphs()]
        elif has_graph and free > 1:
            foot = [*([hstack(*answered)] if answered else []), self.graph(free)]
        else:
            course = [{**sparkline(values, minimum=0), **COURSE}] if has_graph else []
            foot = [hstack(*answered, {"type": "spacer"}, *course)] if answered or course else []
        shapes = [*({"alignment": "leading"},) * 2, *({"alignment": "trailing", "priority": 1},) * 2]
        # More has the graphs, also where all rows fit.
        self.offer_more(has_graph or len(full) > ROWS - len(foot))
        rows = full if self.is_expanded or not self.expands else short[:ROWS - len(foot)]
        return vstack(grid(rows, shapes), *foot)

    def graphs(self):
        """The graph with its highest rates: what is received goes up, and what is sent down, each in a scale of its own."""
        received, sent = rates_of(self.history), rates_of(self.sent)
        peaks = [f"{arrow} to {rate(max(values, default=0))}" for arrow, values in (("↓", received), ("↑", sent))]
        name = [secondary("received, sent"), {"type": "spacer"}] if self.width >= WIDE else []
        head = hstack(*name, secondary("  ".join(peaks)))
        return [head, self.graph(6)]

    def graph(self, height):
        # Without a gap for the time before, a few values would fill the whole width.
        both = [[*[None] * (KEPT - len(values)), *values] for values in (rates_of(self.history), rates_of(self.sent))]
        drawn = [series(values, colour=colour) for values, colour in zip(both, ("blue", "purple"))]
        words = "received and sent bytes per second, over time"
        return chart(*drawn, kind="area", height=height, mirrored=True, accessibilityLabel=words)

    def answer(self):
        if not isinstance(self.answered, float):
            return text(self.answered or "does not answer", "red")
        colour = "orange" if self.answered >= 150 else "green"
        return text(f"{number(self.answered, 1 if self.answered < 10 else 0)} ms", colour)


def rates_of(stored):
    """The numbers that rates can be, of what was stored."""
    stored = stored if isinstance(stored, list) else []
    return [one for one in stored if isinstance(one, (int, float)) and not isinstance(one, bool) and 0 <= one < 1e15]


def rate(value):
    """A rate as networks have it, in thousands: 1.2 MB/s."""
    units = ["B", "kB", "MB", "GB", "TB"]
    while value >= 999.5 and len(units) > 1:
        value /= 1000
        del units[0]
    return f"{number(value, 1 if value < 9.95 and units[0] != 'B' else 0)} {units[0]}/s"


if __name__ == "__main__":
    Network().run()
