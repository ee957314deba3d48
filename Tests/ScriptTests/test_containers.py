import unittest

from programs import Programs
from widget import KitWidget, pressable, text

ONE, TWO, THREE = "a" * 64, "b" * 64, "c" * 64
LIST = (
    f"{ONE}\tweb\trunning\tUp 3 hours\tnginx:1\n{TWO}\tjob\texited\tExited (1) 2 days ago\tworker\n"
    f"{THREE}\told\texited\tExited (0) 2 days ago\tworker\nodd line\n-x\ta\tb\tc\td\n"
)
USE = f"{ONE}\t12.34%\t20.5MiB / 1.9GiB\n{TWO}\t--\t--\n"


def presses(view):
    spans = [span for node in rows(view) if isinstance(node.get("text"), list) for span in node["text"]]
    return [span["action"] for span in spans if "action" in span]


def rows(view):
    grids = [node for node in [view, *view.get("children", [])] if node.get("type") == "grid"]
    return [cell for grid in grids for row in grid["rows"] for cell in row if isinstance(cell, dict)]


class ContainersTests(unittest.TestCase):
    def setUp(self):
        self.programs = Programs(self)

    def widget(self, **values):
        return KitWidget("Containers/containers.py", configuration=values, PATH=self.programs.path)

    def record(self, name, *more):
        self.programs.add(name, *more, ("ps*", LIST), ("stats*", USE))

    def test_those_that_failed_are_first_and_the_running_ones_have_what_they_use(self):
        self.record("docker")
        with self.widget() as widget:
            widget.initialize()
            words = text(widget.call("widgetPerformUpdate", reason="user")["view"])
            self.assertTrue(words.index("job") < words.index("web") < words.index("old"))
            self.assertIn("12.3 %", words)
            self.assertIn("20.5MiB", words)
            self.assertIn("ps --all", self.programs.calls("docker")[0])

    def test_when_one_has_ended_is_said_where_there_is_room(self):
        self.record("docker")
        for width, there in ((60, True), (36, False)):
            with self.subTest(width), self.widget() as widget:
                widget.initialize(maximumSize={"width": width, "height": 40})
                words = text(widget.call("widgetPerformUpdate", reason="user")["view"])
                self.assertIn("Exited (1)", words)
                self.assertEqual("2 days ago" in words, there)

    def test_a_press_asks_and_then_stops(self):
        self.record("podman", ("stop*", ""))
        with self.widget(stopped=False) as widget:
            widget.initialize()
            view = widget.call("widgetPerformUpdate", reason="user")["view"]
            asked = widget.call("performAction", action=f"ask {ONE}")["view"]
            self.assertIn(f"ask {ONE}", presses(view))
            self.assertIn("Stop web?", text(asked))
            actions = [node["action"] for node in pressable(asked)]
            self.assertEqual(actions[:2], [f"stop {ONE}", "cancel"])
            done = widget.call("performAction", action=f"stop {ONE}")["view"]
            self.assertIn("web was stopped.", text(done))
            calls = self.programs.calls("podman")
            self.assertIn(f"stop -- {ONE}", calls)
            self.assertNotIn("--all", calls[0])
            self.assertIn("That container is gone.", text(widget.call("performAction", action="stop --all")["view"]))
            self.assertEqual([call for call in calls if call.startswith("stop")], [f"stop -- {ONE}"])

    def test_what_goes_wrong_is_said_in_words(self):
        with self.widget() as widget:
            widget.initialize()
            answer = widget.call("widgetPerformUpdate", reason="user")
            self.assertIn("podman or docker is not installed", answer["error"])
            denied = "permission denied while trying to connect to the Docker daemon socket\n"
            self.programs.add("docker", ("*", denied, 1))
            self.assertIn("you may not ask docker", widget.call("widgetPerformUpdate", reason="user")["error"])

    def test_use_that_cannot_be_had_costs_only_itself(self):
        self.programs.add("docker", ("ps*", LIST), ("stats*", "no cgroups\n", 1), ("stop*", "in use\n", 1))
        with self.widget(engine="docker") as widget:
            widget.initialize()
            logged = widget.request_of("widgetPerformUpdate", {"reason": "user"})
            self.assertEqual(logged["method"], "log")
            self.assertIn("web", text(widget.read()["result"]["view"]))
            pressed = widget.call("performAction", action=f"stop {ONE}")
            self.assertEqual(pressed["result"], "failed")
            self.assertIn("docker: in use", pressed["error"])

    def test_each_value_that_is_missing_or_of_another_form_costs_itself_alone(self):
        for odd in ("1.2.3%", ".%", "%", "nan%", "-5%", "1e5%", "9" * 400 + "%", "٣%", "--", "", "1,5%"):
            self.programs.add("docker", ("ps*", LIST), ("stats*", f"{ONE}\t{odd}\t1GiB / 2GiB\n\t5%\t1GiB / 2GiB\n{THREE[:12]}\t7.25%\t3MiB / 2GiB\n"))
            with self.subTest(odd), self.widget(engine="docker") as widget:
                widget.initialize(activeDisplayMode="expanded")
                words = text(widget.call("widgetPerformUpdate", reason="user")["view"])
                self.assertIn("webUp 3 hours1GiBnginx:1", words)
                self.assertIn("7.2 %3MiB", words)
        for listed, words in (
            (f"{ONE}\t\trunning\tUp\tx\n", "● aaaaaaaaaaaaUpx"), (f"{ONE}\tweb\t\t\t\n", "● web"),
            (f"{ONE}\tweb\texited\tExited ({'9' * 30}) now\tx\n", "● webExited (" + "9" * 30 + ")x"),
            (f"{ONE}\tweb\trunning\tUp\tx\n" * 2, "● webUpx"), (f"{ONE}\tapp/db,web\trunning\tUp\tx\n", "● webUpx"),
            (f"{ONE}\tweb,app/db\trunning\tUp\tx\n", "● webUpx"), (f"{ONE}\tapp/db\trunning\tUp\tx\n", "● app/dbUpx"),
        ):
            self.programs.add("docker", ("ps*", listed), ("stats*", ""))
            with self.subTest(listed), self.widget(engine="docker") as widget:
                widget.initialize(activeDisplayMode="expanded")
                self.assertEqual(text(widget.call("widgetPerformUpdate", reason="user")["view"]), words)

    def test_what_is_used_is_read_behind_the_sequences_of_a_terminal(self):
        for before in ("\x1b[2J\x1b[H", "\x1b[H\x1b[?25l", "\x1b[K"):
            self.programs.add("docker", ("ps*", LIST), ("stats*", f"{before}{ONE}\t12.5%\t3MiB / 2GiB\x1b[K\n"))
            with self.subTest(before), self.widget(engine="docker") as widget:
                widget.initialize()
                self.assertIn("12.5 %3MiB", text(widget.call("widgetPerformUpdate", reason="user")["view"]))

    def test_old_versions_say_their_states_in_words(self):
        for state, status, words, press in (
            ("Up 2 minutes ago", "Up 2 minutes ago", "green", "Stop"), ("<no value>", "Up 2 hours", "green", "Stop"), ("", "Exited (0) 2 days ago", "secondaryLabel", "Start"),
            ("Exited (1) 3 days ago", "Exited (1) 3 days ago", "red", "Start"), ("Up", "Up 3 hours (Paused)", "yellow", "Stop"), ("odd", "odd", "secondaryLabel", "Start"),
        ):
            self.programs.add("docker", ("ps*", f"{ONE}\tweb\t{state}\t{status}\tnginx\n"), ("stats*", ""))
            with self.subTest(state), self.widget() as widget:
                widget.initialize()
                view = widget.call("widgetPerformUpdate", reason="user")["view"]
                self.assertEqual(rows(view)[0]["text"][0]["style"]["foreground"], words)
                self.assertIn(f"{press} web?", text(widget.call("performAction", action=f"ask {ONE}")["view"]))

    def test_who_may_not_ask_docker_is_told_what_to_do(self):
        said = "permission denied while trying to connect to the Docker daemon socket at unix:///var/run/docker.sock: Get ...\n"
        self.programs.add("docker", ("*", said, 1))
        with self.widget() as widget:
            widget.initialize()
            self.assertIn("usermod -aG docker", widget.call("widgetPerformUpdate", reason="user")["error"])

    def test_no_containers(self):
        self.programs.add("docker", ("ps*", ""))
        with self.widget() as widget:
            widget.initialize()
            view = widget.call("widgetPerformUpdate", reason="user")["view"]
            self.assertEqual(text(view), "docker has no containers.")

    def colours(self, *states, width=60):
        """The colours of the marks by name, and the words of the card."""
        lines = [f"{index:064x}\t{name}\t{state}\t{status}\timage\n" for index, (name, state, status) in enumerate(states)]
        self.programs.add("docker", ("ps*", "".join(lines)), ("stats*", ""))
        with self.widget() as widget:
            widget.initialize(activeDisplayMode="expanded", maximumSize={"width": width, "height": 40})
            view = widget.call("widgetPerformUpdate", reason="user")["view"]
        names = [node["text"] for node in rows(view) if isinstance(node.get("text"), list)]
        return {one[1]["text"]: one[0]["style"]["foreground"] for one in names}, text(view)

    def test_only_a_container_that_is_sound_is_green(self):
        states = {
            "sound": ("running", "Up 2 hours (healthy)", "green"), "plain": ("running", "Up 2 hours", "green"),
            "ill": ("running", "Up 2 hours (unhealthy)", "red"), "new": ("running", "Up 1 second (health: starting)", "yellow"),
            "pod": ("running", "Up 1 second (starting)", "yellow"), "held": ("paused", "Up 2 hours (Paused)", "yellow"),
            "loop": ("restarting", "Restarting (1) 5 seconds ago", "orange"), "again": ("restarting", "Restarting (0) 1 s ago", "orange"),
            "dead": ("dead", "Dead", "red"), "bad": ("exited", "Exited (137) 2 days ago", "red"),
            "done": ("exited", "Exited (0) 2 days ago", "secondaryLabel"), "told": ("exited", "Exited (143) 1 s ago", "secondaryLabel"),
            "made": ("created", "Created", "secondaryLabel"), "going": ("removing", "Removal In Progress", "yellow"),
            "odd": ("configured", "", "secondaryLabel"), "was": ("exited", "Exited (0) 1 s ago (unhealthy)", "secondaryLabel"),
        }
        found, words = self.colours(*((name, *state[:2]) for name, state in states.items()))
        self.assertEqual(found, {name: state[2] for name, state in states.items()})
        for name in ("ill", "bad", "dead", "loop"):
            self.assertLess(words.index("● " + name), words.index("● sound"))

    def test_that_one_is_unhealthy_is_said_in_a_narrow_card_too(self):
        _, words = self.colours(("ill", "running", "Up About an hour (unhealthy)"), ("new", "running", "Up 1 s (health: starting)"), width=36)
        self.assertTrue("● illunhealthy" in words and "● newstarting" in words, words)

    def test_no_containers_only_if_the_engine_says_so(self):
        self.programs.add("docker", ("ps*", "CONTAINER ID   IMAGE\n"))
        with self.widget() as widget:
            widget.initialize()
            answer = widget.call("widgetPerformUpdate", reason="user")
            self.assertEqual(answer["error"], "docker lists its containers in a form that cannot be read")
        self.programs.add("docker", ("ps*", LIST), ("stats*", ""))
        with self.widget() as widget:
            widget.initialize()
            self.assertIn("2 containers of docker cannot be read", text(widget.call("widgetPerformUpdate", reason="user")["view"]))
        self.programs.add("podman", ("ps*", ""))
        for stopped, words in ((True, "podman has no containers."), (False, "podman has no containers that run.")):
            with self.subTest(stopped), self.widget(stopped=stopped) as widget:
                widget.initialize()
                self.assertEqual(text(widget.call("widgetPerformUpdate", reason="user")["view"]), words)


if __name__ == "__main__":
    unittest.main()
