"""Scripts of the gallery about servers, alerts and issues."""

import contextlib
import json
import os
import socket
import ssl
import subprocess
import threading
import unittest
from pathlib import Path
from unittest import mock

from gallery_scripts import GalleryTest, ago, module_of
from test_gallery_code import ServerCases

ALERTS = [
    {
        "annotations": {"summary": "Disk is 81 % full", "description": "/srv on db1"},
        "endsAt": ago(minutes=-4), "fingerprint": "a1", "receivers": [{"name": "team"}], "startsAt": ago(hours=3),
        "status": {"inhibitedBy": [], "silencedBy": [], "state": "active"}, "updatedAt": ago(minutes=1),
        "generatorURL": "http://prometheus.example:9090/graph?g0.expr=disk",
        "labels": {"alertname": "DiskFills", "instance": "db1:9100", "job": "node", "severity": "warning"},
    },
    {
        "annotations": {"summary": "web-2 is down"}, "endsAt": ago(minutes=-4), "fingerprint": "b2",
        "receivers": [{"name": "team"}], "startsAt": ago(minutes=20),
        "status": {"inhibitedBy": [], "silencedBy": [], "state": "active"}, "updatedAt": ago(minutes=1),
        "generatorURL": "", "labels": {"alertname": "InstanceDown", "instance": "web-2:9100", "severity": "critical"},
    },
]
INCIDENTS = {
    "incidents": [
        {
            "id": "PT4KHLK", "type": "incident", "title": "The server is on fire.", "incident_number": 1234,
            "created_at": ago(hours=2), "status": "acknowledged", "urgency": "high",
            "html_url": "https://subdomain.pagerduty.example/incidents/PT4KHLK", "service": {"summary": "My Mail Service"},
            "assignments": [{"at": ago(hours=1), "assignee": {"id": "PXPGF42", "summary": "Earline Greenholt"}}],
        },
        {
            "id": "PT4KHLX", "type": "incident", "title": "Queue grows", "incident_number": 1235,
            "created_at": ago(minutes=9), "status": "triggered", "urgency": "high",
            "html_url": "https://subdomain.pagerduty.example/incidents/PT4KHLX", "service": {"summary": "Jobs"}, "assignments": [],
        },
    ],
    "limit": 100, "offset": 0, "total": None, "more": False,
}
ISSUES = {
    "issues": [
        {"key": "KAN-7", "fields": {
            "summary": "Write the report", "status": {"name": "In Progress", "statusCategory": {"key": "indeterminate"}},
            "priority": {"name": "Medium", "id": "3"}, "duedate": ago(days=4)[:10],
        }},
        {"key": "KAN-9", "fields": {
            "summary": "Renew the contract", "status": {"name": "To Do"}, "priority": {"name": "Highest"}, "duedate": None,
        }},
    ],
    "isLast": True,
}
LINEAR = {"data": {"viewer": {"assignedIssues": {
    "nodes": [
        {
            "identifier": "ENG-12", "title": "Sync is slow", "url": "https://linear.app/x/issue/ENG-12", "priority": 2,
            "priorityLabel": "High", "dueDate": None, "createdAt": ago(days=2), "state": {"name": "Todo", "type": "unstarted"},
        },
        {
            "identifier": "ENG-3", "title": "Ship it", "url": "https://linear.app/x/issue/ENG-3", "priority": 4,
            "priorityLabel": "Low", "dueDate": ago(days=6)[:10], "createdAt": ago(days=9), "state": {"name": "In Review", "type": "started"},
        },
    ],
    "pageInfo": {"hasNextPage": False},
}}}}
NO_LINEAR = {"data": {"viewer": {"assignedIssues": {"nodes": [], "pageInfo": {"hasNextPage": False}}}}}
PIHOLE = {
    "queries": {
        "total": 7497, "blocked": 3465, "percent_blocked": 46.2, "unique_domains": 445, "forwarded": 4574, "cached": 9765,
        "types": {"A": 3643}, "status": {"GRAVITY": 72}, "replies": {"IP": 9},
    },
    "clients": {"active": 10, "total": 22}, "gravity": {"domains_being_blocked": 104756, "last_update": 1725194639}, "took": 0.003,
}
ADGUARD = {
    "time_units": "hours", "num_dns_queries": 12345, "num_blocked_filtering": 2469, "num_replaced_safebrowsing": 0,
    "num_replaced_parental": 0, "avg_processing_time": 0.0237, "dns_queries": [40, 22, 9, 5, 8, 30, 90, 240, 410, 520, 610, 700, 640, 580, 600, 690, 810, 900, 860, 770, 640, 500, 330, 210],
    "blocked_filtering": [4, 2, 1, 0, 0, 9, 30, 60, 90, 120, 90, 160, 110, 100, 130, 150, 160, 240, 200, 150, 120, 90, 60, 30],
    "top_blocked_domains": [{"ads.example": 700}, {"track.example": 90}], "top_clients": [{"192.168.1.9": 9000}],
}
CASES = {
    "alertmanager": ({}, "VAR_ALERTMANAGER", "/api/v2/alerts", ALERTS, []),
    "grafana": ({"VAR_GRAFANA_TOKEN": "t"}, "VAR_GRAFANA", "/api/alertmanager/grafana/api/v2/alerts", ALERTS, []),
    "pagerduty": ({"VAR_PAGERDUTY_TOKEN": "t"}, "VAR_PAGERDUTY", "/incidents", INCIDENTS, {**INCIDENTS, "incidents": []}),
    "jira": ({"VAR_JIRA_TOKEN": "t", "VAR_JIRA_EMAIL": "me@example.com"}, "VAR_JIRA", "/rest/api/3/search/jql", ISSUES, {"issues": [], "isLast": True}),
    "linear": ({"VAR_LINEAR_KEY": "k"}, "VAR_LINEAR", "/graphql", LINEAR, NO_LINEAR),
    "pihole": ({"VAR_PIHOLE_PASSWORD": "p"}, "VAR_PIHOLE", "/api/stats/summary", PIHOLE, None),
    "adguard": ({"VAR_ADGUARD_PASSWORD": "p"}, "VAR_ADGUARD", "/control/stats", ADGUARD, None),
}
OTHERS = [
    ("/api/auth", {"session": {"valid": True, "totp": False, "sid": "vFA+EP4MQ5JJvJg+3Q2Jnw==", "csrf": "x", "validity": 300}}),
    ("/api/dns/blocking", {"blocking": "enabled", "timer": None, "took": 0.003}),
    ("/control/status", {"version": "v0.107.52", "running": True, "protection_enabled": True, "protection_disabled_duration": 0}),
    ("/users/me", {"user": {"id": "PXPGF42"}}),
]
DEMO = {}


class ServerTests(ServerCases, GalleryTest):
    CASES, OTHERS, STANDARD = CASES, OTHERS, ("VAR_PIHOLE",)

    def test_the_most_severe_alert_is_first_and_has_its_labels_in_a_fold(self):
        for name in ("alertmanager", "grafana"):
            printed = self.ask(name)
            self.assertEqual(printed.summary, "✗ 2 firing, 1 severe")
            self.assertRegex(printed.top[0].text, r"^✗ InstanceDown  critical · web-2:9100 +20 min$")
            self.assertEqual(printed.rows[1].text, "web-2 is down")
            self.assertIn("http://prometheus.example:9090/graph?g0.expr=disk", [row.link for row in printed.rows])

    def test_an_alert_that_cannot_be_read_is_counted(self):
        printed = self.ask("alertmanager", [*ALERTS, None, {"labels": 5}])
        self.assertEqual(printed.summary, "✗ 4 firing, 1 severe, 2 cannot be read")
        self.assertEqual(self.ask("alertmanager", [None]).summary, "! 1 firing, 1 cannot be read")

    def test_very_long_alerts_are_less_than_the_host_takes(self):
        long = {**ALERTS[0], "labels": {f"label{number}": "x" * 400 for number in range(14)}, "annotations": {"summary": "word " * 100}}
        printed = self.ask("alertmanager", [long] * 300)
        self.assertEqual(printed.summary, "! 300 firing")
        self.assertRegex(printed.rows[-1].text, r"^and \d+ more$")
        self.assertLess(len(printed.output.encode()), 256 * 1024)

    def test_a_server_of_alerts_is_asked_for(self):
        self.assertIn("set VAR_ALERTMANAGER", self.run_script("alertmanager").text)

    def test_incidents_that_nobody_has_taken_are_first(self):
        printed = self.ask("pagerduty", columns=90)
        self.assertEqual(printed.summary, "✗ 2 open, 1 not taken")
        self.assertRegex(printed.top[0].text, r"^✗ Queue grows  open · Jobs +9 min$")
        self.assertIn("Earline Greenholt", printed.top[1].text)
        self.ask("pagerduty", VAR_WHOSE="mine")
        self.assertIn("user_ids[]=PXPGF42", self.server.paths[1])

    def test_overdue_issues_are_first(self):
        printed = self.ask("jira")
        self.assertEqual(printed.summary, "✗ 2 open, 1 overdue")
        self.assertRegex(printed.top[0].text, r"^✗ Write the report  KAN-7 · In Progress +\d+ d late$")
        self.assertRegex(printed.top[1].text, r"^! Renew the contract  KAN-9 · To Do +Highest$")
        self.assertTrue(printed.top[0].link.endswith("/browse/KAN-7"))
        printed = self.ask("linear")
        self.assertEqual(printed.summary, "✗ 2 open, 1 overdue")
        self.assertRegex(printed.top[0].text, r"^✗ Ship it  ENG-3 · In Review +\d+ d late$")

    def test_a_server_of_jira_gets_its_token_in_another_way(self):
        self.serve(("/rest/api/2/search", ISSUES))
        self.run_script("jira", VAR_JIRA=self.server.url, VAR_JIRA_TOKEN="t")
        self.assertEqual(self.server.headers[0]["Authorization"], "Bearer t")

    def test_linear_says_why_it_refuses(self):
        printed = self.ask("linear", {"errors": [{"message": "Rate limit exceeded"}]})
        self.assertIn("Linear refuses: Rate limit exceeded", printed.error)

    def test_pihole_ends_its_session_and_says_when_it_does_not_block(self):
        printed = self.ask("pihole")
        self.assertEqual(printed.summary, "✓ 46.2 % blocked")
        self.assertEqual(self.server.paths, ["/api/auth", "/api/stats/summary", "/api/dns/blocking", "/api/auth"])
        self.assertEqual(self.server.headers[1]["X-Ftl-Sid"], "vFA+EP4MQ5JJvJg+3Q2Jnw==")
        self.serve(("/api/dns/blocking", {"blocking": "disabled", "timer": 299}), ("/api/stats/summary", PIHOLE))
        printed = self.run_script("pihole", VAR_PIHOLE=self.server.url)
        self.assertEqual(printed.summary, "✗ Blocks nothing for another 4 min (disabled)")
        self.serve(("/api/auth", {"session": {"valid": False, "sid": None}}))
        self.assertIn("does not accept", self.run_script("pihole", VAR_PIHOLE=self.server.url, VAR_PIHOLE_PASSWORD="x").error)

    def test_adguard_has_graphs_and_says_when_it_does_not_block(self):
        printed = self.ask("adguard")
        self.assertEqual(printed.summary, "✓ 20.0 % blocked")
        self.assertRegex(printed.top[0].text, r"^ *· Queries  ▁▁▁[▁-█]{14}█[▁-█]{6} +12,345$")
        self.assertIn("24 ms", printed.text)
        self.assertIn("ads.example", printed.text)
        self.serve(("/control/stats", ADGUARD), ("/control/status", {"running": True, "protection_enabled": False, "protection_disabled_duration": 60000}))
        printed = self.run_script("adguard", VAR_ADGUARD=self.server.url)
        self.assertEqual(printed.summary, "✗ Blocks nothing for another 1 min")


class SitesTests(GalleryTest):
    def test_a_site_that_is_down_is_first_with_its_bars_and_why(self):
        self.serve(("/up", b"fine"), ("/down", 503))
        sites = f"{self.server.url}/up, {self.server.url}/down http://127.0.0.1:9/"
        for _ in range(3):
            printed = self.run_script("sites", VAR_SITES=sites)
        self.assertEqual(printed.summary, "✗ 2 of 3 down")
        self.assertRegex(printed.names()[0], r"^✗ 127.0.0.1:\d+/down  ███ +down$")
        self.assertRegex(printed.names()[2], r"^✓ 127.0.0.1:\d+/up +[▁▂▃▄▅]{3} +\d+ ms$")
        self.assertIn("127.0.0.1 reports a server error (503)", printed.text)
        self.assertIn("0 % of the last 3 checks", printed.text)
        self.serve(("/up", b"fine"))
        printed = self.run_script("sites", VAR_SITES=f"{self.server.url}/up")
        self.assertEqual(printed.summary, "✓ 1 site is up")
        self.assertIn("100 % of the last 4 checks", printed.text)

    def test_a_site_may_redirect_to_another_and_be_large(self):
        def redirect(handler, _):
            handler.send_response(302)
            handler.send_header("Location", self.server.url.replace("127.0.0.1", "localhost") + "/large")
            handler.end_headers()
            return b""

        self.serve(("/moved", redirect), ("/large", b"x" * (5 << 20)))
        self.assertEqual(self.run_script("sites", VAR_SITES=f"{self.server.url}/moved").summary, "✓ 1 site is up")

    def test_what_was_kept_may_be_anything(self):
        self.serve(("/up", b"fine"))
        self.cache.mkdir()
        (self.cache / "today-gallery").mkdir()
        for kept in ("", "[", "[]", "null", json.dumps({f"{self.server.url}/up": "x"}), json.dumps({f"{self.server.url}/up": [{}, None, -1, 1e9]})):
            (self.cache / "today-gallery" / "sites.json").write_text(kept)
            printed = self.run_script("sites", VAR_SITES=f"{self.server.url}/up")
            self.check(printed)
            self.assertEqual(printed.summary, "✓ 1 site is up")

    def test_no_sites_and_a_slow_one(self):
        self.assertIn("set VAR_SITES", self.run_script("sites").text)
        self.serve(("/up", b"fine"))
        printed = self.run_script("sites", VAR_SITES=f"{self.server.url}/up", VAR_SLOW="1")
        self.assertEqual(printed.summary, "! 1 of 1 slow")


class CertificateTests(GalleryTest):
    def secure(self, days):
        """A server whose certificate is valid for so many days; its address and the file of the certificate."""
        files = [str(self.programs.folder / f"{days}.{kind}") for kind in ("key", "pem")]
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", str(days),
             "-subj", "/O=Example CA/CN=localhost", "-addext", "subjectAltName=DNS:localhost", "-keyout", files[0], "-out", files[1]],
            check=True, capture_output=True,
        )
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(files[1], files[0])
        listener = socket.create_server(("127.0.0.1", 0))
        self.addCleanup(listener.close)

        def accept():
            with contextlib.suppress(OSError):
                while True:
                    plain, _ = listener.accept()
                    with contextlib.suppress(OSError), context.wrap_socket(plain, server_side=True):
                        pass

        threading.Thread(target=accept, daemon=True).start()
        return f"localhost:{listener.getsockname()[1]}", files[1]

    def test_the_soonest_is_first_and_one_that_is_not_valid_before_it(self):
        soon, one = self.secure(10)
        late, two = self.secure(400)
        other, _ = self.secure(300)
        trusted = self.programs.folder / "all.pem"
        trusted.write_text("".join(Path(path).read_text() for path in (one, two)))
        servers = f"{late}, {soon}, {other}, localhost:9, a_b/c"
        printed = self.run_script("certificates", columns=80, VAR_SERVERS=servers, SSL_CERT_FILE=str(trusted))
        self.assertEqual(printed.summary, "✗ 1 expired or about to, 1 to renew soon, 2 cannot be read")
        names = printed.names()
        self.assertTrue(names[0].startswith("? localhost:9  cannot be reached"), names)
        self.assertEqual(names[1], "? a_b/c  a server is such as example.com or example.com:993")
        self.assertRegex(names[2], rf"^✗ {other}  self-signed certificate +not valid$")
        self.assertRegex(names[3], rf"^! {soon}  renew · until .+ · Example CA +9 d$")
        self.assertRegex(names[4], rf"^✓ {late}  .+ +399 d$")
        printed = self.run_script("certificates", VAR_SERVERS=late, SSL_CERT_FILE=str(trusted))
        self.assertEqual(printed.summary, "✓ All valid for 399 days and more")

    def test_an_expired_one_and_none(self):
        self.assertIn("set VAR_SERVERS", self.run_script("certificates").text)
        module = module_of("certificates")
        with mock.patch.dict(os.environ, {"VAR_SERVERS": "a.example", "COLUMNS": "60"}), contextlib.redirect_stdout(None):
            module.certificate = lambda server: (1_000_000_000, "Old CA")
            card = module.Card()
            module.show(card)
        self.assertEqual(card.rows[0][1:4], ("a.example", "has expired", "not valid"))


if __name__ == "__main__":
    unittest.main()
