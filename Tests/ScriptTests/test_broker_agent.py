import contextlib
import os
import select
import socket
import subprocess
import sys
import tempfile
import threading
import time
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Tests/Fixtures"))

from agents import compile_agent  # noqa: E402
from mqtt_broker import (  # noqa: E402
    PROGRAM, Broker, OldBroker, RefusingBroker, certificates, free_port,
)

PATIENCE = 30

# Tries to change a file as the program does not; 77 where the kernel does not prevent it.
PROBE = """
#include <errno.h>
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "agent.h"

int main(int count, char **words) {
  if (count != 2 || syscall(444, NULL, 0, 1) < 3) return 77;
  confine();
  if (truncate(words[1], 0) == 0 || errno != EACCES) return 1;
  if (open(words[1], O_WRONLY) >= 0 || errno != EACCES) return 2;
  if (open(words[1], O_RDONLY | O_TRUNC) >= 0 || errno != EACCES) return 3;
  return unlink(words[1]) == 0 || errno != EACCES ? 4 : 0;
}
"""


def status_of(pid):
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return dict(line.split(":", 1) for line in lines)


def holds_back(pid, port):
    """Whether a process sleeps while much waits for it in a connection to a port of this machine."""
    rows = [row.split() for row in Path("/proc/net/tcp").read_text().splitlines()[1:]]
    waits = any(
        row[2].endswith(f":{port:04X}") and int(row[4].split(":")[1], 16) > 65536 for row in rows
    )
    return waits and status_of(pid)["State"].strip().startswith("S")


class Agent:
    """The program, and what it has said."""

    def __init__(self, program, environment=None, **values):
        self.process = subprocess.Popen(
            [program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment
        )
        self.rest = b""
        for name, value in values.items():
            self.say("set", name.replace("_", "-"), str(value))
        self.say("connect")

    def say(self, word, *fields):
        data = [each if isinstance(each, bytes) else each.encode() for each in fields]
        head = " ".join([word, *(str(len(each)) for each in data)])
        self.send(head.encode() + b"\n" + b"".join(data))

    def send(self, data):
        # One that has failed at its start does not read.
        with contextlib.suppress(BrokenPipeError):
            self.process.stdin.write(data)
            self.process.stdin.flush()

    def next(self):
        """The next frame; None at the end."""
        while (frame := self.frame()) is None:
            if not select.select([self.process.stdout], [], [], PATIENCE)[0]:
                raise TimeoutError("the agent says nothing")
            data = os.read(self.process.stdout.fileno(), 1 << 16)
            if not data:
                return None
            self.rest += data
        return frame

    def frame(self):
        head, found, rest = self.rest.partition(b"\n")
        word, *counts = head.decode().split(" ") if found else [""]
        if not found or len(rest) < sum(map(int, counts)):
            return None
        fields = []
        for count in map(int, counts):
            fields.append(rest[:count])
            rest = rest[count:]
        self.rest = rest
        return [word, *fields]

    def wait_for(self, word, *beginning):
        """The next frame with a word, whose fields begin so; others are skipped."""
        wanted = [each.encode() for each in beginning]
        while True:
            frame = self.next()
            if frame is None:
                raise EOFError(f"the agent has ended without {word}")
            if frame[0] == word and frame[1 : 1 + len(wanted)] == wanted:
                return frame

    def stop(self):
        self.process.kill()
        self.process.wait()
        with contextlib.suppress(BrokenPipeError):
            self.process.stdin.close()
        self.process.stdout.close()


@unittest.skipUnless(PROGRAM, "mosquitto is not installed")
class BrokerAgent(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.shared = Path(folder.name)
        cls.program = f"{folder.name}/broker-agent"
        compile_agent("BrokerAgent", cls.program)
        cls.certificates = certificates(cls.shared)

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def broker(self, *lines, **options):
        broker = Broker(self.folder, *lines, **options)
        self.addCleanup(broker.stop)
        return broker

    def start(self, port, **values):
        agent = Agent(self.program, **{"host": "127.0.0.1", "port": port, "client": "test", **values})
        self.addCleanup(agent.stop)
        return agent

    def connect(self, port, **values):
        agent = self.start(port, **values)
        agent.wait_for("connected")
        return agent

    def words_of(self, port, **values):
        frame = self.start(port, **values).wait_for("disconnected")
        return [frame[1].decode(), frame[2].decode()]

    # Receiving

    def test_retained_and_new_messages_come_with_what_belongs_to_them(self):
        broker = self.broker()
        broker.publish("home/a", "one", "-V", "5", "-D", "publish", "message-expiry-interval", "500")
        agent = self.connect(broker.port)
        agent.say("subscribe", "home/+")
        self.assertEqual(agent.wait_for("subscribed"), ["subscribed", b"home/+", b""])
        first = agent.wait_for("message")
        self.assertEqual(first[1:4], [b"home/a", b"one", b"1"])
        self.assertLessEqual(int(first[4]), 500)
        broker.publish("home/b", b"\x00\xff\n1", retained=False)
        self.assertEqual(agent.wait_for("message")[1:], [b"home/b", b"\x00\xff\n1", b"0", b"", b""])
        # It is retained, but comes just now.
        broker.publish("home/a", "two")
        self.assertEqual(agent.wait_for("message")[1:4], [b"home/a", b"two", b"0"])
        broker.publish("home/a", None)
        self.assertEqual(agent.wait_for("message")[1:4], [b"home/a", b"", b"0"])

    def test_a_large_payload_is_reported_and_not_passed_on(self):
        broker = self.broker()
        broker.publish("a", b"x" * (10 << 20))
        broker.publish("b", b"x" * (64 << 10))
        agent = self.connect(broker.port)
        agent.say("subscribe", "a")
        self.assertEqual(agent.wait_for("large")[1:], [b"a", b"10485760"])
        agent.say("subscribe", "b")
        self.assertEqual(len(agent.wait_for("message")[2]), 64 << 10)

    def test_a_thousand_retained_messages_come_at_once(self):
        broker = self.broker()
        sender = self.connect(broker.port, client="sender")
        for number in range(1500):
            sender.say("publish", str(number), f"many/{number}", "x" * 2000, "1", "", "")
        for _ in range(1500):
            sender.wait_for("published")
        agent = self.connect(broker.port)
        agent.say("subscribe", "many/#")
        topics = {agent.wait_for("message")[1] for _ in range(1500)}
        self.assertEqual(len(topics), 1500)

    def test_a_reader_that_waits_costs_little_memory_and_loses_nothing(self):
        broker = self.broker()
        sender = self.connect(broker.port, client="sender")
        for number in range(400):
            sender.say("publish", str(number), f"many/{number}", "x" * 60000, "1", "", "")
        for _ in range(400):
            sender.wait_for("published")
        agent = self.connect(broker.port)
        agent.say("subscribe", "many/#")
        end = time.monotonic() + PATIENCE
        while not holds_back(agent.process.pid, broker.port):
            self.assertLess(time.monotonic(), end, "it does not hold the broker back")
            time.sleep(0.01)
        topics = {agent.wait_for("message")[1] for _ in range(400)}
        self.assertEqual(len(topics), 400)
        # The most that it has used.
        self.assertLess(int(status_of(agent.process.pid)["VmHWM"].split()[0]), 40000)

    def test_what_is_no_filter_is_refused_with_words(self):
        agent = self.connect(self.broker().port)
        agent.say("subscribe", "a/#/b")
        self.assertEqual(agent.wait_for("subscribed")[2], b"it is not a filter of topics")

    def test_a_subscription_that_is_refused_says_so(self):
        broker = RefusingBroker()
        self.addCleanup(broker.stop)
        agent = self.connect(broker.port)
        agent.say("subscribe", "secret/#")
        self.assertEqual(
            agent.wait_for("subscribed")[1:], [b"secret/#", b"the broker does not allow it"]
        )

    # Publishing

    def test_published_messages_are_retained_with_expiry_and_type(self):
        broker = self.broker()
        agent = self.connect(broker.port)
        agent.say("publish", "7", "today/nas/System", b"{}", "1", "120", "application/json")
        self.assertEqual(agent.wait_for("published")[1:], [b"7", b""])
        other = self.connect(broker.port, client="other")
        other.say("subscribe", "today/#")
        frame = other.wait_for("message")
        self.assertEqual(frame[1:4], [b"today/nas/System", b"{}", b"1"])
        self.assertEqual(frame[5], b"application/json")
        self.assertLessEqual(int(frame[4]), 120)

    def test_what_cannot_be_published_says_why(self):
        agent = self.connect(self.broker().port)
        for topic, payload, words in [
            ("a/+", "", b"the topic cannot be used"),
            ("", "", b"the topic cannot be used"),
            (b"a\x00b", "", b"the topic cannot be used"),
            (b"a\xff", "", b"the topic cannot be used"),
            ("a", "x" * (64 * 1024 + 1), b"it is too large"),
        ]:
            with self.subTest(topic=topic):
                agent.say("publish", "1", topic, payload, "0", "", "")
                self.assertEqual(agent.wait_for("published")[2], words)

    def test_a_broker_that_does_not_allow_a_topic_says_so(self):
        (Path(self.folder) / "acl").write_text("topic read #\n")
        broker = self.broker("allow_anonymous true", f"acl_file {self.folder}/acl")
        agent = self.connect(broker.port)
        agent.say("publish", "1", "a", "b", "1", "", "")
        self.assertEqual(agent.wait_for("published")[2], b"the broker does not allow it")

    # The will and the end

    def watch_state(self, broker):
        other = self.connect(broker.port, client="other")
        other.say("subscribe", "today/nas/$state")
        other.wait_for("subscribed")
        return other

    def connect_with_will(self, broker):
        will = {"will_topic": "today/nas/$state", "will_payload": "offline"}
        return self.connect(broker.port, **will)

    def test_the_will_is_published_when_the_program_is_killed(self):
        broker = self.broker()
        other = self.watch_state(broker)
        self.connect_with_will(broker).process.kill()
        self.assertEqual(other.wait_for("message")[1:3], [b"today/nas/$state", b"offline"])
        late = self.connect(broker.port, client="late")
        late.say("subscribe", "today/#")
        self.assertEqual(late.wait_for("message")[1:4], [b"today/nas/$state", b"offline", b"1"])

    def test_the_will_is_published_and_nothing_left_when_the_input_ends(self):
        broker = self.broker()
        other = self.watch_state(broker)
        agent = self.connect_with_will(broker)
        agent.process.stdin.close()
        self.assertEqual(other.wait_for("message")[2], b"offline")
        self.assertEqual(agent.process.wait(PATIENCE), 0)

    def test_an_orderly_end_publishes_what_was_said_and_no_will(self):
        broker = self.broker()
        other = self.watch_state(broker)
        agent = self.connect_with_will(broker)
        agent.say("publish", "1", "today/nas/$state", "away", "1", "", "")
        agent.say("end")
        agent.process.stdin.close()
        self.assertEqual(agent.process.wait(PATIENCE), 0)
        broker.publish("today/nas/$state", "last")
        self.assertEqual(other.wait_for("message")[2], b"away")
        self.assertEqual(other.wait_for("message")[2], b"last")

    def test_it_ends_with_its_input_while_it_connects(self):
        # An address of TEST-NET-1, which never answers.
        agent = self.start(1883, host="192.0.2.1")
        agent.process.stdin.close()
        self.assertEqual(agent.process.wait(PATIENCE), 0)

    # Connections

    def test_it_connects_again_and_subscribes_again(self):
        broker = self.broker()
        agent = self.connect(broker.port)
        agent.say("subscribe", "a")
        agent.wait_for("subscribed")
        broker.stop()
        frame = agent.wait_for("disconnected")
        self.assertEqual(frame[1:3], [b"network", b"the broker has ended the connection"])
        broker.start()
        agent.wait_for("connected")
        agent.wait_for("subscribed")
        broker.publish("a", "again")
        self.assertEqual(agent.wait_for("message")[2], b"again")

    def test_nothing_listens(self):
        self.assertEqual(self.words_of(free_port()), ["network", "Connection refused"])

    def test_pauses_grow(self):
        agent = self.start(free_port())
        pauses = [int(agent.wait_for("disconnected")[3]) for _ in range(3)]
        self.assertEqual(pauses, sorted(pauses))
        self.assertGreater(pauses[2], pauses[0])

    def test_an_older_broker_is_used_with_words(self):
        behind = self.broker()
        behind.publish("a", "kept")
        for refuses, words in [
            (True, b"the broker refuses MQTT 5"),
            (False, b"the broker does not answer to MQTT 5"),
        ]:
            with self.subTest(refuses=refuses):
                old = OldBroker(behind.port, refuses)
                self.addCleanup(old.stop)
                agent = self.start(old.port, will_topic="w", will_payload="x")
                self.assertEqual(agent.wait_for("connected")[1:], [b"3.1.1", words])
                agent.say("subscribe", "a")
                self.assertEqual(agent.wait_for("message")[1:], [b"a", b"kept", b"1", b"", b""])
                agent.say("publish", "1", "b", "c", "1", "60", "text/plain")
                self.assertEqual(agent.wait_for("published")[2], b"")
                agent.stop()

    def test_one_greeting_that_was_closed_is_no_older_broker(self):
        behind = self.broker()
        old = OldBroker(behind.port, refuses=False)
        self.addCleanup(old.stop)
        agent = self.start(old.port)
        self.assertEqual(agent.wait_for("connected")[1], b"3.1.1")
        old.is_old = False
        behind.stop()
        agent.wait_for("disconnected")
        behind.start()
        self.assertEqual(agent.wait_for("connected")[1], b"5")

    def test_passwords(self):
        subprocess.run(
            ["mosquitto_passwd", "-b", "-c", f"{self.folder}/passwords", "me", "right"], check=True
        )
        broker = self.broker("allow_anonymous false", f"password_file {self.folder}/passwords")
        self.connect(broker.port, user="me", password="right").stop()
        refused = ["password", "the broker refuses the user name or the password"]
        self.assertEqual(self.words_of(broker.port, user="me", password="wrong"), refused)
        wanted = ["password", "the broker wants a user name and a password"]
        self.assertEqual(self.words_of(broker.port), wanted)
        old = OldBroker(broker.port)
        self.addCleanup(old.stop)
        self.assertEqual(self.words_of(old.port, user="me", password="wrong"), refused)

    def secure_broker(self, name="server", *lines):
        return self.broker(
            "allow_anonymous true",
            f"certfile {self.certificates}/{name}.crt",
            f"keyfile {self.certificates}/{name}.key",
            *lines,
        )

    def test_certificates_of_brokers(self):
        broker, wrong = self.secure_broker(), self.secure_broker("wrong")
        ca, other = self.certificates / "ca.crt", self.certificates / "other.crt"
        self.connect(broker.port, tls=1, ca=ca).stop()
        for port, values, words in [
            (broker.port, {}, "not trusted; set ca to the certificate of its authority"),
            (broker.port, {"ca": other}, "not trusted by the authority in ca"),
            (wrong.port, {"ca": ca}, "not for 127.0.0.1"),
        ]:
            with self.subTest(words):
                expected = ["tls", f"the certificate of the broker is {words}"]
                self.assertEqual(self.words_of(port, tls=1, **values), expected)
        missing = self.words_of(broker.port, tls=1, ca="/nowhere/ca.crt")
        self.assertEqual(missing, ["request", "/nowhere/ca.crt: No such file or directory"])
        plain = self.broker()
        kind, _ = self.words_of(plain.port, tls=1, ca=ca)
        self.assertIn(kind, ["tls", "network"])

    def test_the_end_of_a_secure_connection_is_not_about_certificates(self):
        for ends_in_order in [False, True]:
            with self.subTest(ends_in_order=ends_in_order):
                broker = self.secure_broker()
                agent = self.connect(broker.port, tls=1, ca=self.certificates / "ca.crt")
                broker.stop(ends_in_order)
                kind, words = agent.wait_for("disconnected")[1:3]
                self.assertIn(kind, [b"network", b"broker"])
                self.assertNotIn(b"certificate", words)
                agent.stop()

    def test_certificates_of_clients(self):
        ca = self.certificates / "ca.crt"
        broker = self.secure_broker("server", f"cafile {ca}", "require_certificate true")
        own = {"certificate": self.certificates / "client.crt", "key": self.certificates / "client.key"}
        self.connect(broker.port, tls=1, ca=ca, **own).stop()
        self.assertEqual(
            self.words_of(broker.port, tls=1, ca=ca),
            ["tls", "the broker refuses the connection; it may want a client certificate"],
        )
        own = {"certificate": self.certificates / "own.crt", "key": self.certificates / "own.key"}
        self.assertEqual(
            self.words_of(broker.port, tls=1, ca=ca, **own),
            ["tls", "the broker refuses the client certificate"],
        )

    # What is hostile

    def test_what_is_no_broker_is_not_believed(self):
        listener = socket.create_server(("127.0.0.1", 0))
        self.addCleanup(listener.close)

        def answer():
            try:
                while True:
                    client, _ = listener.accept()
                    client.sendall(b"\x1b]0;title\x07HTTP/1.1 400 Bad Request\r\n\r\n" * 100)
                    client.close()
            except OSError:
                pass

        threading.Thread(target=answer, daemon=True).start()
        kind, words = self.words_of(listener.getsockname()[1])
        self.assertIn(kind, ["protocol", "network", "broker"])
        self.assertTrue(words.isprintable())

    def test_frames_that_cannot_be_read_end_the_program(self):
        port = self.broker().port
        for data in [
            b"\n", b"publish -1\n", b"publish 99999999999999999999\n", b"word 1 1 1 1 1 1 1\n",
            b"x" * 200, b"no such word\n", b"subscribe\n", b"set 4 4\nhostabcd", b"a\x00b 1\nx",
            b"publish 1 1 1 1 1\n12345",
        ]:
            with self.subTest(data=data):
                agent = self.connect(port)
                agent.send(data)
                self.assertEqual(agent.wait_for("failed")[1], b"request")
                self.assertEqual(agent.process.wait(PATIENCE), 2)
                agent.stop()

    def test_values_of_a_broker_that_cannot_be_used(self):
        for values, words in [
            ({"port": "0"}, "a value of the broker cannot be used"),
            ({"port": "65536"}, "a value of the broker cannot be used"),
            ({"port": "x"}, "a value of the broker cannot be used"),
            ({"host": ""}, "there is no address of a broker"),
            ({"certificate": "a"}, "a client certificate needs its key, and a key its certificate"),
            ({"password": "a"}, "a password needs a user name"),
        ]:
            with self.subTest(values=values):
                agent = self.start(**{"port": 1, **values})
                self.assertEqual(agent.wait_for("failed")[2].decode(), words)

    def test_without_the_library_it_says_what_to_install(self):
        # A folder in which the loader finds a file of that name that is no library.
        (Path(self.folder) / "libmosquitto.so.1").write_text("none")
        agent = Agent(self.program, {"LD_LIBRARY_PATH": self.folder}, host="127.0.0.1", port=1)
        self.addCleanup(agent.stop)
        self.assertEqual(
            agent.wait_for("failed")[1:],
            [b"missing", b"libmosquitto is not installed; install it with: apt install libmosquitto1"],
        )

    def test_it_gains_no_privileges_and_leaves_no_core(self):
        agent = self.connect(self.broker().port)
        status = Path(f"/proc/{agent.process.pid}/status").read_text()
        self.assertIn("NoNewPrivs:\t1", status)
        limits = Path(f"/proc/{agent.process.pid}/limits").read_text()
        self.assertRegex(limits, r"Max core file size +0 +0")

    def test_it_changes_no_files(self):
        source, program = f"{self.folder}/probe.c", f"{self.folder}/probe"
        Path(source).write_text(PROBE)
        compile_agent("BrokerAgent", program, source, only="confine.c")
        file = Path(self.folder) / "file"
        file.write_text("kept")
        status = subprocess.run([program, str(file)]).returncode
        if status == 77:
            self.skipTest("this kernel has no Landlock that covers truncation")
        self.assertEqual(status, 0)
        self.assertEqual(file.read_text(), "kept")


if __name__ == "__main__":
    unittest.main()
