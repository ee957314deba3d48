"""How a thousand notices a second from four writers affect an open page.

The writers append to the journal as the program does (Docs/Notices.md, "Where they are kept"): a process of the
program for each notice would need more than the machine has. The program itself posts two a second, and so writes the
journal anew now and then.
"""

import fcntl
import json
import os
import subprocess
import sys
import time
from pathlib import Path

from flood import watch
from measure import Results, Session, frames
from processes import Reading
from programs import Page, Today

PAGE, WRITERS, RATE = Page(16, "rest"), 4, 1000
MASK = (1 << 64) - 1


def mixed(value: int, word: int) -> int:
    product = ((value ^ word) * 0x9E3779B97F4A7C15) & MASK
    return product ^ (product >> 32)


def checksum(text: bytes) -> int:
    value, whole = 0xCBF29CE484222325 ^ len(text), len(text) // 8 * 8
    for start in range(0, whole, 8):
        value = mixed(value, int.from_bytes(text[start : start + 8], "little"))
    for byte in text[whole:]:
        value = mixed(value, byte)
    return value


def hashed(text: str) -> int:
    value = 0xCBF29CE484222325
    for byte in text.encode():
        value = ((value ^ byte) * 0x100000001B3) & MASK
    return value


def line(number: int, application: str, title: str) -> bytes:
    """The line of a notice in the journal, without tag and time limit."""
    content = {"application": application, "source": "post", "title": title, "urgency": "normal"}
    fields = f"n k 0 {hashed(application):016x} {0:016x} {json.dumps(content, separators=(',', ':'))}"
    text = f"P {number} {int(time.time() * 1000)} {fields}".encode()
    return f"{checksum(text):016x} ".encode() + text + b"\n"


def last_number(journal: int, size: int) -> int:
    """The number of the last line; its first line has that of a journal that was just written anew."""
    end = os.pread(journal, 4096, max(0, size - 4096)).splitlines()[-1].split()
    return int(end[5] if end[1] == b"H" else end[2])


def post(folder: str, application: str, title: str) -> None:
    """Appends a notice while no other program does."""
    lock = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX)
        journal = os.open(f"{folder}/journal", os.O_RDWR | os.O_APPEND)
        number = last_number(journal, os.fstat(journal).st_size) + 1
        os.write(journal, line(number, application, title))
        os.close(journal)
    finally:
        os.close(lock)


def write(folder: str, name: str, seconds: float) -> None:
    """Posts at a steady rate, and prints how many."""
    begun, count = time.monotonic(), 0
    while (passed := time.monotonic() - begun) < seconds:
        if count >= passed * RATE / WRITERS:
            time.sleep(0.001)
            continue
        post(folder, name, f"Notice {count}")
        count += 1
    print(count)


def listed(today: Today, environment: dict[str, str]) -> int:
    """How many notices there are."""
    run = subprocess.run(
        [str(today.binary), "notices", "--json"], env=environment, capture_output=True, check=True
    )
    return len(json.loads(run.stdout))


def most_in_a_second(starts: list[float]) -> int:
    """The most frames that begin within any second."""
    return max((sum(start <= other < start + 1 for other in starts) for start in starts), default=0)


def load(results: Results, today: Today, seconds: float) -> None:
    """Keys before and during the load, pictures and CPU during it, and what was lost."""
    environment = today.environment(PAGE)
    configuration = Path(environment["XDG_CONFIG_HOME"]) / "today/config.json"
    configuration.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    configuration.write_text('{"notices": {"count": 100000, "deliver": []}}')
    folder = Path(environment["XDG_STATE_HOME"]) / "today/notices"
    single = [str(today.binary), "post", "one", "--app", "today"]
    subprocess.run(single, env=environment, stdout=subprocess.DEVNULL, check=True)
    before = listed(today, environment)
    with Session(results, today, PAGE, "notices quit") as terminal:
        terminal.read_for(2.5)
        watch(results, today, terminal, "notices calm", seconds * 0.4)
        writers = [
            subprocess.Popen(
                [sys.executable, "-B", __file__, str(folder), f"writer{number}", str(seconds)],
                stdout=subprocess.PIPE,
            )
            for number in range(WRITERS)
        ]
        singles = []
        begun = Reading.of(terminal.pid)
        terminal.read_for(0.5)
        reads: list[tuple[float, bytes]] = []
        for _ in range(8):
            reads += terminal.read_for(seconds * 0.05)
            singles.append(subprocess.Popen(single, env=environment, stdout=subprocess.DEVNULL))
        results.add(today, "notices draws", most_in_a_second(frames(reads)[0]))
        watch(results, today, terminal, "notices", seconds * 0.4)
        cpu = Reading.of(terminal.pid).host_since(begun).cpu
        results.add(today, "notices host CPU", 100 * cpu / (0.5 + seconds * 0.8))
        terminal.read_for(seconds * 0.2)
        posted = sum(int(writer.communicate()[0]) for writer in writers)
        stored = sum(one.wait() == 0 for one in singles)
        results.add(today, "notices posted", posted / seconds)
    results.add(today, "notices lost", before + posted + stored - listed(today, environment))


if __name__ == "__main__":
    write(sys.argv[1], sys.argv[2], float(sys.argv[3]))
