"""The scripts of the gallery on the page of the built program, with stand-ins for servers and programs."""

import sys
import unittest

from pages import ROOT
from program import PROGRAM

sys.path.insert(0, str(ROOT / "Tests" / "ScriptTests"))

from gallery_page import NAMES, GalleryPage  # noqa: E402

# The first row of a card, of the answers that the tests of the scripts have.
FIRST = {
    "github-reviews": "! 2 to review, 1 overdue", "github-notifications": "! 2 unread, 1 about you",
    "gitlab-reviews": "! 1 to review, 1 overdue", "gitlab-todos": "✗ 2 to do, 1 broken", "releases": "1 new release",
    "hacker-news": "2 stories, up to 380 points", "alertmanager": "✗ 2 firing, 1 severe", "grafana": "✗ 2 firing, 1 severe",
    "pagerduty": "✗ 2 open, 1 not taken", "jira": "✗ 2 open, 1 overdue", "linear": "✗ 2 open, 1 overdue", "pihole": "✓ 46.2 % blocked",
    "adguard": "✓ 20.0 % blocked", "pods": "✗ 1 broken, 1 not ready, 1 running", "compose": "✗ 1 stopped, 2 running",
    "tailscale": "✓ 1 of 2 online", "wireguard": "✓ 1 of 2 peers connected", "ups": "✓ 100 % · On mains", "smart": "! 1 to watch",
    "zfs": "✗ 1 not well, 1 to watch", "gpu": "83 % used", "borg": "✓ 2 h ago", "restic": "✓ 3 h ago", "sites": "✓ 1 site is up",
    "updates": "! 2 updates, 1 for security", "failed-logins": "46 in the last day from 3 addresses", "certificates": "No servers yet.",
    "agents": "! 1 asks, 1 waits, 1 works", "printers": "✗ 1 stopped, 2 jobs", "ssh-sessions": "2 sessions of 2 users",
    "tmux-sessions": "2 sessions, 1 attached", "air": "! 67 · poor", "departures": "Next in 15 min",
}
# These are of the day on which the test runs.
OF_TODAY = {"currency", "sun", "tides"}
# Without a server or a program these are failures, of which one is enough here.
FAILING = {"agents", "compose", "currency", "failed-logins", "hacker-news", "pihole", "smart", "ssh-sessions", "tailscale", "wireguard", "zfs"}


class GalleryTests(unittest.TestCase):
    maxDiff = None

    def test_each_script_shows_its_answers(self):
        with GalleryPage(PROGRAM) as page:
            for width in ("44", "120"):
                cards, notes = page.cards(NAMES, "--width", width)
                # Nothing is reported about the lines of the scripts and their settings either.
                self.assertEqual(notes, "")
                self.assertEqual(sorted(cards), NAMES)
                first = {name: card["rows"][0].strip() for name, card in cards.items() if name not in OF_TODAY}
                self.assertEqual(first, FIRST)
                for name, card in cards.items():
                    self.assertEqual(card["state"], "live", name)
                    self.assertTrue(all(len(row) <= card["size"]["width"] for row in card["rows"]), f"{name} {card['rows']}")
                    self.assertGreater(len(card["rows"]), 1, name)

    def test_a_script_without_its_settings_or_its_program_says_what_to_do(self):
        names = [name for name in NAMES if name not in FAILING]
        with GalleryPage(PROGRAM, is_filled=False) as page:
            cards, notes = page.cards(names)
        self.assertEqual(sorted(cards), names)
        for name, card in cards.items():
            words = " ".join([*(card.get("rows") or []), card.get("message") or ""])
            self.assertRegex(words, r"VAR_|[Ii]nstall|not installed", name)
            self.assertNotIn("✓", words, name)
        self.assertIn("kubectl is not installed", notes)
        self.assertEqual([line for line in notes.splitlines() if not line.startswith("today: script.pods: ")], [])


if __name__ == "__main__":
    unittest.main()
