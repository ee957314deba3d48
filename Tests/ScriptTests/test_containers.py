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
            self.assertIn("permission denied", widget.call("widgetPerformUpdate", reason="user")["error"])

    def test_use_that_cannot_be_had_costs_only_itself(self):
        self.programs.add("docker", ("ps*", LIST), ("stats*", "no cgroups\n", 1), ("stop*", "in use\n", 1))
        with self.widget(engine="docker") as widget:
            widget.initialize()
            logged = widget.request_of("widgetPerformUpdate", {"reason": "user"})
            self.assertEqual(logged["method"], "log")
            self.assertIn("web", text(widget.read()["result"]["view"]))
            error = widget.fail("performAction", action=f"stop {ONE}")
            self.assertIn("docker: in use", error["message"])

    def test_no_containers(self):
        self.programs.add("docker", ("ps*", ""))
        with self.widget() as widget:
            widget.initialize()
            view = widget.call("widgetPerformUpdate", reason="user")["view"]
            self.assertEqual(text(view), "There are no containers.")


if __name__ == "__main__":
    unittest.main()
