import socket
import tempfile
import unittest
from pathlib import Path

from programs import Programs
from widget import KitWidget, text

HEAD = "Inter-|   Receive  |  Transmit\n face |bytes packets errs drop fifo frame compressed multicast|bytes\n"
LINE = "{name}: {received} 1 0 0 0 0 0 0 {sent} 1 0 0 0 0 0 0\n"


class NetworkTests(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.net = Path(folder.name, "net")
        self.net.mkdir()
        self.programs = Programs(self)

    def write(self, **counts):
        lines = [LINE.format(name=name, received=pair[0], sent=pair[1]) for name, pair in counts.items()]
        (self.net / "dev").write_text(HEAD + "".join(lines))

    def widget(self, **values):
        path = self.programs.path
        return KitWidget("Network/network.py", configuration=values, TODAY_PROC=str(self.net.parent), PATH=path)

    def test_interfaces_that_are_used_with_rates_and_addresses(self):
        self.write(lo=(9, 9), eth0=(5000, 100), wlan0=(0, 0))
        (self.net / "if_inet6").write_text(
            "20010db8000000000000000000000001 02 40 00 80     eth0\nfe800000000000000000000000000001 02 40 20 80 eth0\nodd\n"
        )
        with self.widget() as widget:
            widget.initialize()
            words = text(widget.call("widgetPerformUpdate", reason="user")["view"])
            self.assertIn("↓ 0 B/s", words)
            self.assertNotIn("lo", words.replace("eth0", ""))
            self.assertNotIn("wlan0", words)
            self.write(lo=(9, 9), eth0=(10**9, 100))
            words = text(widget.call("widgetPerformUpdate", reason="schedule")["view"])
            self.assertRegex(words, r"↓ [0-9.]+ (MB|GB)/s")
            # A counter that was reset is no rate below zero.
            self.write(eth0=(1, 0))
            self.assertIn("↓ 0 B/s", text(widget.call("widgetPerformUpdate", reason="schedule")["view"]))

    def test_chosen_interfaces_alone_and_none_at_all(self):
        self.write(eth0=(5, 5), eth1=(5, 5))
        with self.widget(interfaces=["eth1"]) as widget:
            widget.initialize()
            words = text(widget.call("widgetPerformUpdate", reason="user")["view"])
            self.assertTrue("eth1" in words and "eth0" not in words)
        with self.widget(interfaces=["eth9"]) as widget:
            widget.initialize()
            words = text(widget.call("widgetPerformUpdate", reason="user")["view"])
            self.assertEqual(words, "eth9is not there")
        self.write(eth0=(0, 0))
        with self.widget() as widget:
            widget.initialize()
            words = text(widget.call("widgetPerformUpdate", reason="user")["view"])
            self.assertEqual(words, "No interface has sent or received anything.")

    def test_the_answer_of_a_host_by_ping_or_by_a_connection(self):
        self.write(eth0=(5, 5))
        with socket.socket() as server:
            server.bind(("127.0.0.1", 0))
            with self.widget(target="127.0.0.1") as widget:
                widget.initialize()
                words = text(widget.call("widgetPerformUpdate", reason="user")["view"])
                self.assertRegex(words, r"127\.0\.0\.1[0-9.]+ ms")
        self.programs.add("ping", ("'-n -c 1 -W 2 -- far.example'", "64 bytes: icmp_seq=1 ttl=5 time=187 ms\n"))
        with self.widget(target="far.example") as widget:
            widget.initialize()
            self.assertIn("187 ms", text(widget.call("widgetPerformUpdate", reason="user")["view"]))
        with self.widget(target="nowhere.invalid") as widget:
            widget.initialize()
            self.assertIn("does not answer", text(widget.call("widgetPerformUpdate", reason="user")["view"]))

    def test_without_counters_it_fails_and_says_so(self):
        with self.widget() as widget:
            widget.initialize()
            answer = widget.call("widgetPerformUpdate", reason="user")
            self.assertEqual(answer["result"], "failed")
            self.assertIn("net/dev: No such file or directory", answer["error"])


if __name__ == "__main__":
    unittest.main()
