import json
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
        path, folder = self.programs.path, str(self.net.parent)
        return KitWidget("Network/network.py", configuration=values, TODAY_PROC=folder, TODAY_SYS=folder, PATH=path)

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

    def test_bytes_of_containers_and_tunnels_are_not_counted_again(self):
        self.write(**{"docker0": (900, 900), "veth1": (800, 800), "eth0": (5, 5), "tun0": (5, 5)})
        (self.net.parent / "class/net/eth0/device").mkdir(parents=True)
        with self.widget() as widget:
            widget.initialize()
            widget.call("widgetPerformUpdate", reason="user")
            self.write(**{"docker0": (10**9, 900), "veth1": (10**9, 800), "eth0": (10**6, 5), "tun0": (10**9, 5)})
            view = widget.call("widgetPerformUpdate", reason="schedule")["view"]
            # The device is first.
            self.assertTrue(text(view).startswith("eth0"), text(view))
            counted = json.loads(Path(widget.data, "history.json").read_text())[-1]
            self.assertTrue(0 < counted < 10**8, counted)
        # In a container there is none.
        self.write(eth1=(5, 5), veth1=(9, 9))
        with self.widget() as widget:
            widget.initialize()
            words = text(widget.call("widgetPerformUpdate", reason="user")["view"])
            self.assertTrue(words.startswith("veth1"), words)

    def test_chosen_interfaces_alone_and_none_at_all(self):
        self.write(eth0=(5, 5), eth1=(5, 5))
        with self.widget(interfaces=["eth1"]) as widget:
            widget.initialize()
            words = text(widget.call("widgetPerformUpdate", reason="user")["view"])
            self.assertTrue("eth1" in words and "eth0" not in words)
        with self.widget(interfaces=["eth9"]) as widget:
            widget.initialize()
            view, error = widget.fail_update()
            self.assertEqual((text(view), error), ("eth9is not there", "eth9 is not there"))
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
        for target, answer in (
            ("nowhere.invalid", "has no address that is known here"), ("a" * 70 + ".example", "has no address that is known here"),
            ("255.255.255.255", "cannot be reached"),
        ):
            with self.subTest(target), self.widget(target=target) as widget:
                widget.initialize()
                self.assertIn(answer, text(widget.call("widgetPerformUpdate", reason="user")["view"]))

    def test_without_counters_it_fails_and_says_so(self):
        with self.widget() as widget:
            widget.initialize()
            answer = widget.call("widgetPerformUpdate", reason="user")
            self.assertEqual(answer["result"], "failed")
            self.assertIn("net/dev: No such file or directory", answer["error"])

    def test_aliases_have_their_own_numbers_whatever_stands_before_and_after_the_colon(self):
        table = HEAD + (
            " bond0: 5000 1 0 0 0 0 0 0 7000 1 0 0 0 0 0 0\nbond0:1: 600 1 0 0 0 0 0 0 700 1 0 0 0 0 0 0\n"
            "eth0:12:2:4000 1 0 0 0 0 0 0 700 1 0 0 0 0 0 0\nwl:an :1 1 0 0 0 0 0 0 1 1 0 0 0 0 0 0\n"
        )
        (self.net / "dev").write_text(table)
        with self.widget(interfaces=["bond0", "bond0:1", "eth0:12:2", "wl:an"]) as widget:
            widget.initialize(activeDisplayMode="expanded")
            widget.call("widgetPerformUpdate", reason="user")
            (self.net / "dev").write_text(table.replace("600 1", "9000000600 1"))
            words = text(widget.call("widgetPerformUpdate", reason="user")["view"])
        self.assertRegex(words, r"bond0:1no address↓ [0-9.]+ (MB|GB|TB)/s")
        for name in ("bond0", "eth0:12:2", "wl:an"):
            self.assertRegex(words, name + r"no address↓ 0 B/s")

    def test_more_has_a_graph_of_both_directions_without_what_no_rate_is(self):
        self.write(eth0=(5, 5))
        with self.widget() as widget:
            data = Path(widget.data)
            for name in ("history", "sent"):
                (data / f"{name}.json").write_text('[1, "x", null, -5, 1e300, NaN, true, 2000]')
            widget.initialize(activeDisplayMode="expanded")
            widget.call("widgetPerformUpdate", reason="user")
            view = widget.call("widgetPerformUpdate", reason="user")["view"]
            charts = [node for node in view["children"] if node["type"] == "chart"]
            self.assertEqual([chart["mirrored"] for chart in charts], [True])
            # Its scale is that of what it shows.
            self.assertFalse({"minimum", "maximum"} & charts[0].keys())
            self.assertIn("↓ to 2 kB/s  ↑ to 2 kB/s", text(view))
            for drawn in charts[0]["series"]:
                values = drawn["values"]
                self.assertEqual((len(values), values[0]), (60, None))
                self.assertTrue(all(value >= 0 for value in values if value is not None))

    def test_the_compact_card_has_the_graph_in_the_rows_that_are_free(self):
        for names, heights in ((["eth0"], [3]), (["eth0", "eth1"], [2]), (["eth0", "eth1", "eth2"], [])):
            self.write(**{name: (5, 5) for name in names})
            with self.subTest(names), self.widget() as widget:
                (Path(widget.data) / "history.json").write_text("[1, 2000]")
                widget.initialize()
                view = widget.call("widgetPerformUpdate", reason="user")["view"]
                charts = [node for node in view["children"] if node["type"] == "chart"]
                self.assertEqual([chart["height"] for chart in charts], heights)
                self.assertTrue(all(chart["mirrored"] for chart in charts))

    def test_a_counter_of_32_bits_that_begins_anew_goes_on(self):
        def line(received, packets):
            (self.net / "dev").write_text(HEAD + f"eth0: {received} {packets} 0 0 0 0 0 0 5 5 0 0 0 0 0 0\n")

        with self.widget() as widget:
            line(2**32 - 1000, 10)
            widget.initialize()
            widget.call("widgetPerformUpdate", reason="user")
            line(2_000_000, 20)
            self.assertRegex(text(widget.call("widgetPerformUpdate", reason="user")["view"]), r"↓ [0-9.]+ (MB|GB)/s")
            line(3, 1)  # It was reset.
            self.assertIn("↓ 0 B/s", text(widget.call("widgetPerformUpdate", reason="user")["view"]))
            line(2**64 - 1, 2)
            self.assertEqual(widget.call("widgetPerformUpdate", reason="user")["result"], "newData")

    def test_a_line_of_another_form_is_counted_and_a_file_without_any_is_no_answer(self):
        self.write(eth0=(5, 5))
        with (self.net / "dev").open("a") as file:
            file.write("eth1: many 1 0 0 0 0 0 0 5\neth2: 5 5\neth3: -5 1 0 0 0 0 0 0 5\neth4: " + "9" * 5000 + " 1 0 0 0 0 0 0 5\n")
        with self.widget() as widget:
            widget.initialize()
            self.assertIn("4cannot be read", text(widget.call("widgetPerformUpdate", reason="user")["view"]))
        for content in ("", HEAD, HEAD + "eth0 5 5\n"):
            with self.subTest(content), self.widget() as widget:
                (self.net / "dev").write_text(content)
                widget.initialize()
                answer = widget.call("widgetPerformUpdate", reason="user")
                self.assertIn("net/dev has no interface that can be read", answer["error"])


if __name__ == "__main__":
    unittest.main()
