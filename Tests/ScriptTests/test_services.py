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

    def test_a_unit_that_cannot_be_started_says_so(self):
        block = "Id=a.service\nDescription=About\nLoadState={}\nActiveState={}\nSubState={}\n"
        for load, active, detail, words in (
            ("masked", "inactive", "dead", "masked"), ("bad-setting", "inactive", "dead", "bad-setting"), ("error", "inactive", "dead", "error"),
            ("masked", "active", "running", "active (running)"), ("loaded", "inactive", "dead", "inactive"), ("bad-setting", "failed", "failed", "failed"),
        ):
            self.programs.add("systemctl", ("*list-units*", ""), ("*show*", block.format(load, active, detail)))
            self.programs.add("journalctl", ("*", "one\n"))
            with self.subTest(load=load, active=active):
                self.assertIn(f"● a.serviceAbout{words}", text(self.update(units=["a.service"])["view"]))

    def test_a_system_without_systemd_is_said_to_be_one(self):
        said = "System has not been booted with systemd as init system (PID 1). Can't operate.\nFailed to connect to bus: Host is down\n"
        self.programs.add("systemctl", ("*", said, 1))
        self.assertEqual(self.update()["error"], "system: this system has not been booted with systemd")

    def test_colours_of_the_journal_are_left_out(self):
        self.programs.add("systemctl", ("'--user --no-pager list-units'*", ""), ("*list-units*", FAILED))
        self.programs.add("journalctl", ("*", "\x1b[1;31mone\x1b[0m\x1b]8;;http://a\x1b\\two\n"))
        words = text(self.update(mode="expanded")["view"])
        self.assertIn("onetwo", words)
        self.assertNotIn("31m", words)

    def test_without_systemd_it_fails_and_says_so(self):
        answer = self.update()
        self.assertEqual(answer["result"], "failed")
        self.assertIn("systemctl is not installed", answer["error"])
        self.programs.add("systemctl", ("*", "System has not been booted with systemd as init system.\n", 1))
        self.assertIn("has not been booted with systemd", self.update()["error"])

    def record(self, failed="", show=SHOW, *more, user=("",)):
        users = ("'--user --no-pager list-units'*", *user)
        self.programs.add("systemctl", *more, users, ("*list-units*", failed), ("*show*", show))
        self.programs.add("journalctl", ("*", "one\n"))

    def test_a_template_a_pattern_and_an_invalid_name_cost_themselves(self):
        template = "Failed to get properties: Unit name a@b@c is neither a valid invocation ID nor unit name.\n"
        one = "Id={0}\nNames={0}\nDescription=About it\nLoadState=loaded\nActiveState=active\nSubState=running\n"
        show = one.format("cron.service") + "\n" + one.format("x1.service")
        self.record(
            FAILED.replace("odd\n", ""), SHOW,
            ("*'-- ssh.service'", one.format("ssh.service")), ("*'-- cron'", one.format("cron.service")),
            ("*'-- x*'", show), ("*'-- y?.service'", ""), ("*'a@b@c'*", template, 1), ("*'-- gone.service'", ""),
        )
        names = ["ssh.service", "getty@.service", "user@", "x*", "y?.service", "a@b@c", "cron", "gone.service", " "]
        words = text(self.update(mode="expanded", width=90, units=names)["view"])
        for part in (
            "● certbot.service", "● ssh.service", "● cron.service", "● x1.serviceAbout itactive (running)",
            "● getty@.servicewatch getty@*.service for its instancestemplate", "● user@", "template",
            "● y?.serviceno unit that is loaded matchesmissing", "● a@b@cFailed to get properties", "unknown",
            "● gone.servicesystemctl says nothing about itunknown",
        ):
            self.assertIn(part, words)
        self.assertEqual(words.count("● cron.service"), 1)
        self.assertNotIn("No unit", words)

    def test_an_alias_is_the_unit_that_it_names_and_order_does_not_matter(self):
        other = "Id=systemd-logind.service\nNames=systemd-logind.service dbus-org.freedesktop.login1.service\nActiveState=failed\n"
        self.record("", other + "\n\n" + SHOW.split("\n\n")[0])
        words = text(self.update(units=["ssh", "dbus-org.freedesktop.login1.service"])["view"])
        self.assertTrue("systemd-logind.service" in words and "ssh.serviceSecure Shellactive (running)" in words, words)
        self.assertNotIn("No unit", words)
        self.record("", SHOW.replace("ssh.service", "home.mount"))
        self.assertIn("home.mount", text(self.update(units=["/home", "gone.service"])["view"]))

    def test_no_unit_has_failed_only_of_managers_that_have_said_so(self):
        bullet = "● certbot.service loaded failed failed Renew certificates\n"
        refused = "Failed to connect to bus: Permission denied\n"
        cases = [
            (("",), "✓ No unit has failed."),
            (("Failed to connect to bus: No medium found\n", 1), "✓ No unit has failed."),
            (("Failed to connect to user scope bus via local transport: $DBUS_SESSION_BUS_ADDRESS and $XDG_RUNTIME_DIR"
              " not defined (consider using --machine=<user>@.host --user to connect to bus of other user)\n", 1), "✓ No unit has failed."),
            ((refused, 1), "✓ No unit of the system has failed.user: Failed to connect to bus: Permission denied"),
            (("UNIT LOAD ACTIVE SUB DESCRIPTION\n",), "✓ No unit of the system has failed.user: 1 of the failed units cannot be read"),
        ]
        for user, words in cases:
            with self.subTest(user):
                self.record("", SHOW, user=user)
                self.assertEqual(text(self.update(width=100)["view"]), words)
        self.record(bullet)
        words = text(self.update()["view"])
        self.assertIn("● certbot.serviceRenew certificatesfailed", words)
        self.record("odd\n", user=("odd\n",))
        words = self.update()["error"]
        self.assertEqual(words, "system: 1 of the failed units cannot be read")
        # What is watched is shown, and nothing is said of the others.
        self.programs.add("systemctl", ("'--no-pager list-units'*", "x\n", 1), ("*list-units*", "x\n", 1), ("*show*", SHOW))
        words = text(self.update(units=["ssh.service", "gone.service"])["view"])
        self.assertIn("ssh.service", words)
        self.assertNotIn("No unit", words)

    def test_colours_and_links_of_a_terminal_are_none_of_the_answer(self):
        link = "\x1b]8;;file://host/etc/x.service\x07certbot.service\x1b]8;;\x07"
        failed = f"\x1b[0;1;31m●\x1b[0m {link} loaded \x1b[0;1;31mfailed failed\x1b[0m Renew certificates\n"
        self.record(failed, SHOW.replace("=active", "=\x1b[32mactive\x1b[0m"))
        words = text(self.update(units=["ssh.service", "gone.service"], width=100)["view"])
        self.assertIn("● certbot.serviceRenew certificatesfailed", words)
        self.assertIn("ssh.serviceSecure Shellactive (running)", words)
        self.assertNotIn("cannot be read", words)

    def test_where_there_is_no_manager_nothing_is_well(self):
        absent = "System has not been booted with systemd as init system (PID 1). Can't operate.\n"
        bus = "Failed to connect to bus: No medium found\n"
        self.programs.add("systemctl", ("'--no-pager list-units'*", absent, 1), ("*list-units*", bus, 1))
        result = self.update()
        self.assertEqual((result["result"], result["error"]), ("failed", "system: this system has not been booted with systemd"))

    def test_a_manager_that_hangs_is_asked_once_and_the_other_is_shown(self):
        self.record("", SHOW)
        hanging = self.programs.folder / "systemctl"
        body = hanging.read_text().replace("case", "case $1 in --no-pager) exec sleep 60 ;; esac\ncase", 1)
        hanging.write_text(body)
        words = text(self.update(units=["ssh.service"], width=100)["view"])
        self.assertEqual(words, "✓ No unit of the user has failed.system: systemctl did not answer within 6 s")
        self.assertEqual(len(self.programs.calls("systemctl")), 2)

    def test_a_journal_that_cannot_be_read_says_so(self):
        self.record(FAILED)
        self.programs.add("journalctl", ("*", ""))
        self.assertIn("has no lines of it that you may read", text(self.update()["view"]))
        self.programs.add("journalctl", ("*", "no\n", 1))
        self.assertIn("journalctl: no", text(self.update()["view"]))


if __name__ == "__main__":
    unittest.main()
