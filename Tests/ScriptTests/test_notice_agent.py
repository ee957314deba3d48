import os
import queue
import signal
import subprocess
import sys
import tempfile
import threading
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Tests/Fixtures"))

from agents import compile_agent  # noqa: E402
from dbus_client import PATIENCE, Client, Refused  # noqa: E402
from notification_daemon import (  # noqa: E402
    DO_NOT_QUEUE, EXISTS, NAME, OBJECT, OWNER, QUEUED, REPLACE, Daemon, notify,
)

IMAGE_BYTES = 50 * 1000 * 1000


class Agent:
    """A running agent, and what it reports."""

    def __init__(self, program, lock, address, *words, environment=None):
        self.process = subprocess.Popen(
            [program, lock, "1.0", *words],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={"DBUS_SESSION_BUS_ADDRESS": address, **(environment or {})},
        )
        self.reports = queue.Queue()
        self.may_read = threading.Event()
        self.may_read.set()
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        fields, count, rest = [], None, b""
        while part := self.process.stdout.read1():
            self.may_read.wait()
            *whole, rest = (rest + part).split(b"\0")
            for text in whole:
                if count is None:
                    count = int(text)
                    continue
                fields.append(text.decode())
                if len(fields) == count:
                    self.reports.put(fields)
                    fields, count = [], None
        self.reports.put(None)

    def next(self, word):
        """Waits for a report that begins with a word; returns the rest of it."""
        while (report := self.reports.get(timeout=PATIENCE)) is not None:
            if report[0] == word:
                return report[1:]
        raise AssertionError("the agent has ended")

    def until(self, state):
        """Waits for a state."""
        while self.next("state")[0] != state:
            pass

    def posted(self):
        """Waits for a notification; returns it by its parts."""
        scope, number, application, _, title, body, _, count, *rest = self.next("posted")
        hints, actions = rest[:2 * int(count)], rest[2 * int(count):]
        return {
            "scope": scope, "number": int(number), "application": application, "title": title,
            "body": body, "hints": dict(zip(hints[::2], hints[1::2])), "actions": actions,
        }

    def tell(self, *fields):
        texts = [str(len(fields)), *map(str, fields)]
        self.process.stdin.write(b"".join(text.encode() + b"\0" for text in texts))
        self.process.stdin.flush()

    def memory(self, name):
        """A line of /proc/PID/status in KiB."""
        text = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(text.split(f"{name}:")[1].split()[0])

    def end(self):
        self.process.stdin.close()
        self.process.wait(timeout=PATIENCE)
        self.process.stdout.close()


class NoticeAgent(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.program = f"{folder.name}/notice-agent"
        compile_agent("NoticeAgent", cls.program)

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.socket, self.lock = f"{folder.name}/bus", f"{folder.name}/lock"
        self.bus = None
        self.addCleanup(self.stop_bus)
        self.start_bus()

    def start_bus(self):
        self.bus = subprocess.Popen(
            ["dbus-daemon", "--session", "--nofork", "--print-address",
             f"--address=unix:path={self.socket}"],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        self.assertTrue(self.bus.stdout.readline())

    def stop_bus(self):
        self.bus.kill()
        self.bus.wait()
        self.bus.stdout.close()

    def agent(self, *words, environment=None):
        agent = Agent(
            self.program, self.lock, f"unix:path={self.socket}", *words, environment=environment
        )
        self.addCleanup(agent.end)
        return agent

    def client(self, kind=Client, *arguments):
        client = kind(self.socket, *arguments)
        self.addCleanup(client.close)
        return client

    def owner(self, client):
        try:
            return client.bus("GetNameOwner", "s", [NAME])[0]
        except Refused:
            return None

    # Beside a daemon

    def test_what_a_daemon_shows_is_reported_with_its_number_and_the_daemon_hears_nothing(self):
        daemon, client = self.client(Daemon), self.client()
        agent = self.agent("own")
        agent.until("watching")
        hints = {"urgency": ("y", 2), "value": ("i", 40), "x-canonical": ("s", "no")}
        number = notify(client, "Hello", "<b>you</b>", actions=["default", "Open"], hints=hints)
        posted = agent.posted()
        self.assertEqual(posted["number"], number)
        self.assertEqual((posted["application"], posted["title"]), ("mail", "Hello"))
        self.assertEqual(posted["body"], "<b>you</b>")
        self.assertEqual(posted["hints"], {"urgency": "2", "value": "40"})
        self.assertEqual(posted["actions"], ["default", "Open"])
        self.assertTrue(posted["scope"].endswith(daemon.name))
        self.assertEqual(len(daemon.shown), 1)
        daemon.close_shown(number, 2)
        self.assertEqual(agent.next("closed"), [posted["scope"], str(number), "2"])
        daemon.act(number, "default")
        self.assertEqual(agent.next("acted"), [posted["scope"], str(number), "default"])
        self.assertEqual(self.owner(client), daemon.name)

    def test_transient_ones_own_ones_and_refused_ones_are_not_reported(self):
        self.client(Daemon)
        client, agent = self.client(), self.agent()
        agent.until("watching")
        notify(client, "volume", hints={"transient": ("b", True)})
        notify(client, "own", hints={"x-today-id": ("s", "7")})
        notify(client, "own", hints={"x-today-id": ("i", 7)})
        with self.assertRaises(Refused):
            notify(client, "refused", application="refused")
        notify(client, "kept", hints={"transient": ("b", False)})
        self.assertEqual(agent.posted()["title"], "kept")

    def test_an_image_of_50_mb_costs_no_memory_when_it_was_read(self):
        self.client(Daemon)
        client, agent = self.client(), self.agent("own")
        agent.until("watching")
        before, image = agent.memory("VmRSS"), bytes(IMAGE_BYTES)
        notify(client, "image", hints={
            "image-data": ("(iiibiiay)", (1, 1, 3, False, 8, 3, image)), "urgency": ("y", 0),
        })
        self.assertEqual(agent.posted()["hints"], {"urgency": "0"})
        notify(client, "bytes", hints={"icon": ("ay", image)})
        self.assertEqual(agent.posted()["title"], "bytes")
        # The message is in a buffer that grows.
        self.assertLess(agent.memory("VmHWM"), before + 3 * IMAGE_BYTES / 1024)
        self.assertLess(agent.memory("VmRSS"), before + 4096)

    def test_a_malformed_call_is_no_report_and_does_not_end_the_agent(self):
        daemon, client = self.client(Daemon), self.client()
        daemon.answer = lambda message: ("u", [1])
        agent = self.agent()
        agent.until("watching")
        for signature, values in ("", []), ("s", ["x"]), ("susssasa{ss}i", [
            "a", 0, "", "t", "b", [], {"urgency": "x"}, 1,
        ]):
            client.call(NAME, OBJECT, NAME, "Notify", signature, values)
        odd = {"value": ("(ss)", ("a", "b")), "urgency": ("v", ("v", ("y", 1)))}
        notify(client, "odd", actions=["alone"], hints=odd)
        self.assertEqual(agent.posted()["hints"], {})

    def test_it_gains_no_privileges_and_leaves_no_core(self):
        agent = self.agent()
        agent.next("state")
        status = Path(f"/proc/{agent.process.pid}/status").read_text()
        self.assertIn("NoNewPrivs:\t1", status)
        limits = Path(f"/proc/{agent.process.pid}/limits").read_text()
        self.assertRegex(limits, r"Max core file size +0 +0")

    # Without a daemon

    def test_without_the_setting_the_name_is_left_alone(self):
        client, agent = self.client(), self.agent()
        agent.until("idle")
        self.assertIsNone(self.owner(client))
        with self.assertRaises(Refused):
            notify(client, "nobody")

    def test_where_nobody_is_the_daemon_the_agent_is(self):
        client, agent = self.client(), self.agent("own")
        agent.until("own")
        client.bus("AddMatch", "s", [f"type='signal',interface='{NAME}'"])
        call = lambda *words: client.call(NAME, OBJECT, NAME, *words)  # noqa: E731
        self.assertEqual(call("GetCapabilities"), [["actions", "body", "persistence"]])
        self.assertEqual(call("GetServerInformation"), ["today", "today", "1.0", "1.2"])
        first = notify(client, "one", actions=["yes", "Yes"])
        self.assertEqual(agent.posted()["number"], first)
        self.assertEqual(notify(client, "two", replaces=first), first)
        self.assertEqual(agent.posted()["number"], first)
        second = notify(client, "three")
        self.assertNotIn(second, (0, first))
        agent.tell("acted", first, "yes")
        self.assertEqual(client.signal("ActionInvoked"), [first, "yes"])
        agent.tell("closed", first, 2)
        self.assertEqual(client.signal("NotificationClosed"), [first, 2])
        call("CloseNotification", "u", [second])
        self.assertEqual(client.signal("NotificationClosed"), [second, 3])
        self.assertEqual(agent.next("closed"), ["own", str(second), "3"])
        with self.assertRaises(Refused):
            call("Explode")
        with self.assertRaises(Refused):
            call("Notify", "s", ["x"])
        xml = client.call(NAME, OBJECT, "org.freedesktop.DBus.Introspectable", "Introspect")
        self.assertIn("CloseNotification", xml[0])

    def test_a_transient_one_has_a_number_and_is_closed_at_once(self):
        client, agent = self.client(), self.agent("own")
        agent.until("own")
        client.bus("AddMatch", "s", [f"type='signal',interface='{NAME}'"])
        number = notify(client, "volume", hints={"transient": ("b", True)})
        self.assertEqual(client.signal("NotificationClosed"), [number, 1])
        notify(client, "own", hints={"x-today-id": ("s", "7")})
        notify(client, "kept")
        self.assertEqual(agent.posted()["title"], "kept")

    def test_no_application_takes_the_place_of_a_notification_of_another_one(self):
        client, agent = self.client(), self.agent("own")
        agent.until("own")
        first = notify(client, "from mail")
        second = notify(client, "from chat", application="chat", replaces=first)
        self.assertNotEqual(first, second)
        self.assertEqual([agent.posted()["number"], agent.posted()["number"]], [first, second])

    def test_a_daemon_that_replaces_gets_the_name_and_when_it_ends_the_agent_has_it(self):
        client, agent = self.client(), self.agent("own")
        agent.until("own")
        daemon = Daemon(self.socket, REPLACE)
        self.assertEqual(daemon.result_of_request, OWNER)
        agent.until("watching")
        notify(client, "shown")
        self.assertEqual(agent.posted()["title"], "shown")
        self.assertEqual(len(daemon.shown), 1)
        daemon.close()
        agent.until("own")
        notify(client, "own again")
        self.assertEqual(agent.posted()["scope"], "own")

    def test_a_daemon_that_waits_for_the_name_gets_it(self):
        client, agent = self.client(), self.agent("own")
        agent.until("own")
        daemon = self.client(Daemon)
        self.assertEqual(daemon.result_of_request, QUEUED)
        agent.until("watching")
        self.assertEqual(self.owner(client), daemon.name)

    def test_a_daemon_that_asks_and_does_not_wait_finds_the_name_free_the_next_time(self):
        client, agent = self.client(), self.agent("own")
        agent.until("own")
        self.assertEqual(self.client(Daemon, DO_NOT_QUEUE).result_of_request, EXISTS)
        agent.until("idle")
        self.assertIsNone(self.owner(client))
        self.assertEqual(self.client(Daemon, DO_NOT_QUEUE).result_of_request, OWNER)
        agent.until("watching")

    # A reader that does not read

    def flood(self, client, size):
        """Sends notifications of a size, until one is refused or 64 MiB were sent; returns how many were taken."""
        for count in range((64 << 20) // size):
            try:
                notify(client, "flood", "x" * size)
            except Refused as refused:
                self.assertIn("ExcessNotificationGeneration", str(refused))
                return count
        return count + 1

    def test_a_daemon_whose_reader_does_not_read_answers_and_refuses_what_has_no_room(self):
        client, agent = self.client(), self.agent("own")
        agent.until("own")
        agent.may_read.clear()
        before = agent.memory("VmRSS")
        taken = self.flood(client, 10_000)
        self.assertGreater(taken, 50)
        self.assertLess(taken, 300)
        self.assertLess(agent.memory("VmRSS"), before + 8192)
        # It still answers.
        information = client.call(NAME, OBJECT, NAME, "GetServerInformation")
        self.assertEqual(information[0], "today")
        agent.may_read.set()
        for _ in range(taken):
            self.assertEqual(agent.posted()["title"], "flood")
        self.assertEqual(agent.next("omitted"), ["1"])
        notify(client, "afterwards")
        self.assertEqual(agent.posted()["title"], "afterwards")

    def test_beside_a_daemon_what_has_no_room_is_counted(self):
        self.client(Daemon)
        client, agent = self.client(), self.agent()
        agent.until("watching")
        agent.may_read.clear()
        sent = self.flood(client, 64_000)
        self.assertGreater(sent, 1_000)
        agent.may_read.set()
        read = omitted = 0
        # What the agent has yet to get from the bus comes while it is read again, which takes longer on a busy machine.
        while read + omitted < sent:
            report = agent.reports.get(timeout=PATIENCE)
            read += report[0] == "posted"
            omitted += int(report[1]) if report[0] == "omitted" else 0
        self.assertEqual(read + omitted, sent)
        self.assertGreater(omitted, 100)
        notify(client, "afterwards")
        self.assertEqual(agent.posted()["title"], "afterwards")

    def test_an_agent_whose_reader_goes_ends_though_the_queue_is_full(self):
        client, agent = self.client(), self.agent("own")
        agent.until("own")
        agent.may_read.clear()
        self.flood(client, 10_000)
        agent.process.stdin.close()
        self.assertEqual(agent.process.wait(timeout=PATIENCE), 0)
        agent.may_read.set()
        while agent.reports.get(timeout=PATIENCE) is not None:
            pass

    # Processes

    def test_one_of_two_agents_reports_and_the_other_one_takes_over(self):
        client, first = self.client(), self.agent("own")
        first.until("own")
        second = self.agent("own")
        second.until("waiting")
        notify(client, "once")
        self.assertEqual(first.posted()["title"], "once")
        first.process.send_signal(signal.SIGKILL)
        second.until("own")
        notify(client, "next")
        self.assertEqual(second.posted()["title"], "next")
        self.assertEqual(second.reports.qsize(), 0)

    def test_one_that_waits_ends_with_its_input(self):
        self.agent("own").until("own")
        second = self.agent("own")
        second.until("waiting")
        second.process.stdin.close()
        self.assertEqual(second.process.wait(timeout=PATIENCE), 0)

    def test_when_the_bus_ends_the_agent_says_so_and_ends_with_3(self):
        agent = self.agent("own")
        agent.until("own")
        self.stop_bus()
        agent.until("absent")
        self.assertEqual(agent.process.wait(timeout=PATIENCE), 3)
        # Without a bus at all, too.
        other = self.agent()
        other.until("absent")
        self.assertEqual(other.process.wait(timeout=PATIENCE), 3)

    def test_a_probe_says_who_shows_notifications(self):
        def probe():
            return subprocess.run(
                [self.program, "--probe"],
                env={"DBUS_SESSION_BUS_ADDRESS": f"unix:path={self.socket}"},
                stdout=subprocess.PIPE,
                check=True,
            ).stdout.decode().split("\0")[1:]

        self.assertEqual(probe(), ["state", "idle", "", ""])
        self.client(Daemon)
        with open("/proc/self/comm", encoding="utf-8") as file:
            program = file.read().strip()
        self.assertEqual(probe(), ["state", "watching", program, ""])


if __name__ == "__main__":
    unittest.main()
