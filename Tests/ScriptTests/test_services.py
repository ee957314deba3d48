import unittest

from programs import Programs
from widget import KitWidget, text

FAILED = "certbot.service loaded failed failed Renew certificates\nodd\n"
SHOW = (
    "Id=ssh.service\nDescription=Secure Shell\nLoadState=loaded\nActiveState=active\nSubState=running\n\n"
    "Id=gone.service\nDescription=gone.service\nLoadState=not-found\nActiveState=inactive\nSubState=dead\n"
)


class ServicesTests(unittest.TestCase):
    def setUp(self):
        self.programs = Programs(self)

    def update(self, mode="compact", width=60, **values):
        with KitWidget("Services/services.py", configuration=values, PATH=self.programs.path) as widget:
            answer = widget.initialize(activeDisplayMode=mode, maximumSize={"width": width, "height": 40})
            # An expanded card is not folded up before it is known what there is.
            self.assertEqual(answer.get("largestAvailableDisplayMode", "compact"), mode)
            return widget.call("widgetPerformUpdate", reason="user")

    def test_failed_and_watched_units_with_the_end_of_the_journal(self):
        self.programs.add(
            "systemctl", ("'--user --no-pager list-units'*", ""), ("*list-units*", FAILED), ("*show*", SHOW),
        )
        self.programs.add("journalctl", ("*", "one\ntwo\n\x1b[31mthree\n"))
        words = text(self.update(units=["ssh.service", "gone.service"])["view"])
        for part in ("certbot.service", "Renew certificates", "failed", "ssh.service", "active (running)", "missing"):
            self.assertIn(part, words)
        self.assertNotIn("No unit has failed", words)
        self.assertIn("-- ssh.service gone.service", " ".join(self.programs.calls("systemctl")))
        words = text(self.update(mode="expanded")["view"])
        self.assertIn("Journal of certbot.service", words)
        self.assertIn("two", words)

    def test_a_narrow_card_says_what_a_unit_is_for_with_more(self):
        self.programs.add("systemctl", ("'--user --no-pager list-units'*", ""), ("*list-units*", FAILED))
        self.programs.add("journalctl", ("*", "one\n"))
        units = ["ssh.service", "gone.service"]
        self.programs.add("systemctl", ("'--user --no-pager list-units'*", ""), ("*list-units*", FAILED), ("*show*", SHOW))
        self.assertNotIn("Renew", text(self.update(width=36, units=units)["view"]))
        words = text(self.update(mode="expanded", width=36, units=units)["view"])
        self.assertIn("● certbot.servicefailedRenew certificates", words)

    def test_more_has_the_journal_at_once(self):
        self.programs.add("systemctl", ("'--user --no-pager list-units'*", ""), ("*list-units*", FAILED))
        self.programs.add("journalctl", ("*", "one\n"))
        self.assertIn("one", text(self.update(width=36)["view"]))
        self.programs.add("systemctl", ("'--user --no-pager list-units'*", ""), ("*list-units*", FAILED), ("*show*", SHOW))
        values = {"units": ["ssh.service", "gone.service"]}
        with KitWidget("Services/services.py", configuration=values, PATH=self.programs.path) as widget:
            widget.initialize()
            view = widget.call("widgetPerformUpdate", reason="user")["view"]
            self.assertEqual((widget.mode, "Journal of" in text(view)), ("expanded", False))
            shown = widget.notify("widgetActiveDisplayModeDidChange", activeDisplayMode="expanded")
        self.assertIn("one", text(shown["params"]["view"]))

    def test_all_is_well_also_where_the_user_has_no_manager(self):
        refused = "Failed to connect to bus: No such file or directory\n"
        self.programs.add("systemctl", ("--user*", refused, 1), ("*list-units*", ""))
        self.assertEqual(text(self.update()["view"]), "✓ No unit has failed.")
        words = text(self.update(userUnits=["a.service"])["view"])
        self.assertIn("user: Failed to connect to bus", words)

    def test_without_systemd_it_fails_and_says_so(self):
        answer = self.update()
        self.assertEqual(answer["result"], "failed")
        self.assertIn("systemctl is not installed", answer["error"])
        self.programs.add("systemctl", ("*", "System has not been booted with systemd as init system.\n", 1))
        self.assertIn("has not been booted with systemd", self.update()["error"])


if __name__ == "__main__":
    unittest.main()
