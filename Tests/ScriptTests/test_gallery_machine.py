"""Scripts of the gallery about this machine and its neighbours: pods, containers, networks, power and drives."""

import fnmatch
import json
import time
import unittest
from unittest import mock

from gallery_scripts import GalleryTest, ago, mutations


def pod(name, phase="Running", restarts=0, ready=True, state=None, **status):
    """A pod as kubectl prints it."""
    return {
        "apiVersion": "v1", "kind": "Pod", "metadata": {"name": name, "namespace": "default", "creationTimestamp": ago(days=1)},
        "status": {"phase": phase, "startTime": ago(days=1), "containerStatuses": [{
            "name": "app", "ready": ready, "restartCount": restarts, "state": state or {"running": {"startedAt": ago(days=1)}},
        }], **status},
    }


PODS = {"apiVersion": "v1", "kind": "List", "items": [
    pod("web-1"),
    pod("web-2", restarts=14, ready=False, state={"waiting": {"reason": "CrashLoopBackOff", "message": "back-off"}}),
    pod("job-1", "Succeeded", ready=False, state={"terminated": {"exitCode": 0, "reason": "Completed"}}),
    pod("new-1", "Pending", ready=False, state={"waiting": {"reason": "ContainerCreating"}}),
]}
PROJECTS = [
    {"Name": "blog", "Status": "running(1), exited(1)", "ConfigFiles": "/srv/blog/compose.yaml"},
    {"Name": "cloud", "Status": "running(1)", "ConfigFiles": "/srv/cloud/compose.yaml"},
]
BLOG = (
    '{"ID":"a","Name":"blog-db-1","Service":"db","State":"exited","Health":"","ExitCode":137,"Status":"Exited (137) 2 hours ago"}\n'
    '{"ID":"b","Name":"blog-web-1","Service":"web","State":"running","Health":"healthy","ExitCode":0,"Status":"Up 3 days (healthy)"}\n'
)
CLOUD = [{"Name": "cloud-app-1", "Service": "app", "State": "running", "Health": "", "ExitCode": 0, "Status": "Up 3 days"}]
TAILNET = {
    "Version": "1.66.4", "BackendState": "Running", "AuthURL": "", "TailscaleIPs": ["100.101.102.103"], "Health": [],
    "Self": {"HostName": "laptop", "DNSName": "laptop.tail1.ts.net.", "OS": "linux", "Online": True},
    "Peer": {
        "nodekey:1": {
            "HostName": "nas", "DNSName": "nas.tail1.ts.net.", "OS": "linux", "TailscaleIPs": ["100.64.0.2", "fd7a::2"], "Online": True,
            "LastSeen": "0001-01-01T00:00:00Z", "ExitNode": False, "Active": True, "KeyExpiry": "2097-01-01T00:00:00Z",
        },
        "nodekey:2": {
            "HostName": "phone", "DNSName": "phone.tail1.ts.net.", "OS": "iOS", "TailscaleIPs": ["100.64.0.3"], "Online": False,
            "LastSeen": ago(hours=5), "ExitNode": False, "Active": False,
        },
    },
}
NVIDIA = "NVIDIA GeForce RTX 3090, 83, 20123, 24576, 71, 312.45\nNVIDIA T400 4GB, 0, 10, 4096, 44, [N/A]\n"
UPSC = """battery.charge: 100
battery.runtime: 1740
device.model: Smart-UPS 1500
ups.load: 17
ups.model: Smart-UPS 1500
ups.status: OL CHRG
"""
SCAN = {"json_format_version": [1, 0], "devices": [
    {"name": "/dev/sda", "info_name": "/dev/sda [SAT]", "type": "sat", "protocol": "ATA"},
    {"name": "/dev/nvme0", "info_name": "/dev/nvme0", "type": "nvme", "protocol": "NVMe"},
]}
SDA = {
    "smartctl": {"version": [7, 3], "exit_status": 0}, "device": {"name": "/dev/sda"}, "model_name": "WDC WD40EFRX-68N32N0",
    "serial_number": "WD-1", "user_capacity": {"blocks": 7814037168, "bytes": 4000787030016}, "smart_status": {"passed": True},
    "temperature": {"current": 34}, "power_on_time": {"hours": 31234}, "ata_smart_attributes": {"revision": 16, "table": [
        {"id": 5, "name": "Reallocated_Sector_Ct", "value": 200, "worst": 200, "thresh": 140, "when_failed": "", "raw": {"value": 0, "string": "0"}},
        {"id": 197, "name": "Current_Pending_Sector", "value": 200, "worst": 200, "thresh": 0, "when_failed": "", "raw": {"value": 8, "string": "8"}},
    ]},
}
NVME = {
    "smartctl": {"exit_status": 0}, "device": {"name": "/dev/nvme0"}, "model_name": "Samsung SSD 980 PRO 1TB", "serial_number": "S5",
    "smart_status": {"passed": True, "nvme": {"value": 0}}, "temperature": {"current": 41}, "power_on_time": {"hours": 8000},
    "user_capacity": {"bytes": 1000204886016},
    "nvme_smart_health_information_log": {
        "critical_warning": 0, "temperature": 41, "available_spare": 100, "available_spare_threshold": 10, "percentage_used": 3, "media_errors": 0,
    },
}
POOLS = "tank\t3985729650688\t3267298058240\t82\t21\tONLINE\nscratch\t1000\t10\t1\t0\tDEGRADED\n"
SCRUBBED = time.strftime("%a %b %e %H:%M:%S %Y", time.localtime(time.time() - 3 * 86400))
TANK = f"""  pool: tank
 state: ONLINE
  scan: scrub repaired 0B in 05:12:07 with 0 errors on {SCRUBBED}
config:

\tNAME        STATE     READ WRITE CKSUM
\ttank        ONLINE       0     0     0
\t  mirror-0  ONLINE       0     0     0
\t    sda     ONLINE       0     0     0
\t    sdb     ONLINE       0     0     0

errors: No known data errors
"""
SCRATCH = f"""  pool: scratch
 state: DEGRADED
status: One or more devices has been taken offline by the administrator.
\tSufficient replicas exist for the pool to continue functioning.
  scan: scrub repaired 0B in 05:12:07 with 0 errors on {SCRUBBED}
config:

\tNAME        STATE     READ WRITE CKSUM
\tscratch     DEGRADED     0     0     0

errors: No known data errors
"""
KEYS = ["aB3dEfGhIjKlMnOpQrStUvWxYz0123456789abcdefg=", "xY9zEfGhIjKlMnOpQrStUvWxYz0123456789abcdefg="]
WG = [
    ("'show all latest-handshakes'", f"wg0\t{KEYS[0]}\t{int(time.time()) - 60}\nwg0\t{KEYS[1]}\t0\n"),
    ("'show all transfer'", f"wg0\t{KEYS[0]}\t1234567890\t2048\nwg0\t{KEYS[1]}\t0\t0\n"),
    ("'show all endpoints'", f"wg0\t{KEYS[0]}\t192.0.2.7:51820\nwg0\t{KEYS[1]}\t(none)\n"),
]
PROGRAMS = {
    "pods": ({}, "kubectl", [("*", PODS)]),
    "compose": ({}, "docker", [("'compose ls'*", PROJECTS), ("*'name blog ps'*", BLOG), ("*'name cloud ps'*", CLOUD)]),
    "gpu": ({"VAR_DRM": "/nonexistent"}, "nvidia-smi", [("*", NVIDIA)]),
    "tailscale": ({"VAR_EXPECTED": ""}, "tailscale", [("*", TAILNET)]),
    "wireguard": ({"VAR_NAMES": "aB3d=laptop, xY9z=phone"}, "wg", WG),
    "ups": ({}, "upsc", [("-l", "office\n"), ("'-- office'", UPSC)]),
    "smart": ({}, "smartctl", [("*--scan*", SCAN), ("*/dev/sda", SDA), ("*/dev/nvme0", NVME)]),
    "zfs": ({}, "zpool", [("list*", POOLS), ("'status -p tank'", TANK), ("'status -p scratch'", SCRATCH)]),
}
CASES = {}


class ProgramCases:
    """What every script has to do that asks a program.

    `PROGRAMS` has for each script its settings, its program, and what that prints: pairs of a pattern for the arguments and
    an answer, which is text, or a value that it prints as JSON.
    """

    PROGRAMS = {}

    def stand_in(self, name, *answers):
        """Puts the program of a script into PATH, with its own or other answers."""
        _, program, good = self.PROGRAMS[name]
        texts = [(pattern, answer if isinstance(answer, str) else json.dumps(answer), *status) for pattern, answer, *status in answers or good]
        self.programs.add(program, *texts)

    def test_a_program_that_is_missing_is_named(self):
        for name, (settings, program, _) in self.PROGRAMS.items():
            printed = self.run_script(name, **settings)
            self.assertRegex(printed.text + printed.error, rf"(?i){program} (is not installed|for|or)|install (nut-client|nvidia-smi)|\\bapt\\b", name)
            self.assertNotIn("✓", printed.text, name)

    def test_a_program_that_hangs_is_not_waited_for(self):
        for name, (settings, program, _) in self.PROGRAMS.items():
            path = self.programs.folder / program
            path.unlink(missing_ok=True)
            # It also leaves a process that has its output open.
            path.write_text("#!/bin/sh\nsleep 20 &\nsleep 20\n")
            path.chmod(0o755)
            start = time.monotonic()
            printed = self.run_script(name, seconds=0.1, **settings)
            self.assertEqual(printed.status, 1, name)
            self.assertIn("did not answer within 0.1 s", printed.error, name)
            self.assertLess(time.monotonic() - start, 5, name)

    def test_a_program_that_fails_says_why_in_its_words(self):
        for name, (settings, _, _) in self.PROGRAMS.items():
            self.stand_in(name, ("*", "first\nno right to do this\n", 77))
            printed = self.run_script(name, **settings)
            self.assertNotIn("✓", printed.text, name)
            self.assertIn("no right to do this" if name != "smart" else "JSON", printed.error, name)

    def test_output_that_is_something_else_is_never_well(self):
        for name, (settings, _, _) in self.PROGRAMS.items():
            for output in ("", "{", "null", "{}", "[]", "5", "a b c\n", "\x1b[31m\t\t\t\n|\n", "\u202e" * 9, "x" * 100_000, "\xff"):
                self.stand_in(name, ("*", output))
                printed = self.run_script(name, **settings)
                self.check(printed, words=f"{name} {output[:20]!r}")
                self.assertNotIn("✓", printed.summary, f"{name} {output[:20]!r}")

    def test_no_wrong_value_of_a_program_breaks_a_card(self):
        for name, (settings, _, good) in self.PROGRAMS.items():
            self.run_script(name, **settings)
            module = self.modules[name]
            for index, (_, value, *_) in enumerate(good):
                if isinstance(value, str):
                    continue
                for place, changed in mutations(value):
                    answers = [(pattern, changed if at == index else answer) for at, (pattern, answer, *_) in enumerate(good)]

                    def answer(*command, answers=answers, **_):
                        text = " ".join(command[1:])
                        matching = (answer for pattern, answer in answers if fnmatch.fnmatchcase(text, pattern.replace("'", "")))
                        found = next(matching, "")
                        return found if isinstance(found, str) else json.dumps(found)

                    with mock.patch.object(module, "run", answer):
                        printed = self.run_script(name, **settings)
                    self.check(printed, words=f"{name} {place}")


def stand_ins(programs):
    """For pictures."""
    test = MachineTests()
    test.programs = programs
    for name in PROGRAMS:
        test.stand_in(name)


class MachineTests(ProgramCases, GalleryTest):
    PROGRAMS = PROGRAMS

    def show(self, name, *answers, columns=60, **settings):
        self.stand_in(name, *answers)
        return self.run_script(name, columns, **{**PROGRAMS[name][0], **settings})

    def test_pods_that_are_broken_are_first_with_the_reason(self):
        printed = self.show("pods", VAR_CONTEXT="home", VAR_NAMESPACE="a; b")
        self.assertEqual(printed.summary, "✗ 1 broken, 1 not ready, 1 running")
        self.assertRegex(printed.names()[0], r"^✗ web-2  default · 14 restarts +CrashLoopBackOff$")
        self.assertRegex(printed.names()[1], r"^! new-1  default +Pending 0/1$")
        self.assertIn("--context=home --namespace=a; b", self.programs.calls("kubectl")[0])
        self.assertEqual(self.show("pods", ("*", {"items": [pod("web-1")]})).summary, "✓ 1 pod running")
        self.assertIn("No pods here", self.show("pods", ("*", {"items": []})).text)
        self.assertEqual(self.show("pods", ("*", {"items": [pod("a"), None]})).summary, "! 1 cannot be read, 1 running")

    def test_thousands_of_pods_are_less_than_the_host_takes(self):
        printed = self.show("pods", ("*", {"items": [pod("x" * 250 + str(number)) for number in range(4000)]}))
        self.assertEqual(printed.summary, "✓ 4000 pods running")
        self.assertEqual(printed.names()[3:], ["3997 more"])
        self.assertEqual(printed.rows[-1].text, "and 3847 more")
        self.assertLess(len(printed.output.encode()), 256 * 1024)

    def test_a_project_with_a_service_that_stopped_is_first(self):
        printed = self.show("compose")
        self.assertEqual(printed.summary, "✗ 1 stopped, 2 running")
        self.assertRegex(printed.names()[0], r"^✗ blog  db exit 137 +1/2 up$")
        self.assertIn("✗ db: exit 137 · Exited (137) 2 hours ago", printed.text)
        printed = self.show("compose", ("'compose ls'*", PROJECTS), ("*'name blog ps'*", "broken\n", 1), ("*", CLOUD))
        self.assertEqual(printed.summary, "! 1 cannot be read, 1 running")
        self.assertEqual(self.show("compose", ("'compose ls'*", PROJECTS[1:]), ("*", CLOUD)).summary, "✓ 1 service running")

    def test_cards_of_nvidia_and_amd(self):
        printed = self.show("gpu")
        self.assertEqual(printed.summary, "83 % used")
        self.assertRegex(printed.names()[1], r"^· Use     ████████░░ +83 %$")
        self.assertRegex(printed.names()[2], r"^· Memory  ████████░░ +19.7 of 24 GiB$")
        self.assertEqual(self.show("gpu", VAR_HOT="70").summary, "✗ 83 % used, 1 hot")
        device = self.programs.folder / "drm" / "card1" / "device"
        (device / "hwmon" / "hwmon3").mkdir(parents=True)
        values = {"gpu_busy_percent": "7", "mem_info_vram_used": str(1 << 30), "mem_info_vram_total": str(8 << 30), "hwmon/hwmon3/temp1_input": "51000"}
        for name, value in values.items():
            (device / name).write_text(value + "\n")
        (device / "hwmon/hwmon3/power1_average").write_bytes(b"\xff")
        printed = self.show("gpu", ("*", "no driver\n", 9), VAR_DRM=str(self.programs.folder / "drm"))
        self.assertEqual(printed.summary, "! 7 % used, one cannot be asked")
        self.assertIn("1.0 of 8 GiB", printed.text)
        self.assertIn("51 °C", printed.text)
        for fault, is_shown in (("1", False), ("0", True)):
            (device / "hwmon/hwmon3/temp1_fault").write_text(fault + "\n")
            printed = self.show("gpu", ("*", "no driver\n", 9), VAR_DRM=str(self.programs.folder / "drm"))
            self.assertEqual("51 °C" in printed.text, is_shown)

    def test_a_machine_that_is_expected_and_away_is_first(self):
        printed = self.show("tailscale")
        self.assertEqual(printed.summary, "✓ 1 of 2 online")
        printed = self.show("tailscale", VAR_EXPECTED="Phone, router")
        self.assertEqual(printed.summary, "✗ 1 of 3 online, 2 missing")
        self.assertRegex(printed.names()[0], r"^✗ phone  iOS +away 5 h$")
        self.assertRegex(printed.names()[1], r"^✗ router  not in the tailnet +missing$")
        printed = self.show("tailscale", ("*", {"BackendState": "NeedsLogin", "AuthURL": "https://login.example/a/1", "Peer": None}))
        self.assertEqual(printed.summary, "✗ Not logged in")
        self.assertEqual(printed.top[0].link, "https://login.example/a/1")

    def test_peers_have_the_names_that_were_given_and_no_private_keys_are_asked_for(self):
        printed = self.show("wireguard")
        self.assertEqual(printed.summary, "✓ 1 of 2 peers connected")
        self.assertRegex(printed.names()[0], r"^✓ laptop  ↓ 1\.1 GiB ↑ 2\.0 KiB +1 min$")
        self.assertRegex(printed.names()[1], r"^· phone  ↓ 0 B ↑ 0 B +never$")
        self.assertNotIn("dump", " ".join(self.programs.calls("wg")))
        printed = self.show("wireguard", ("*", "Unable to access interface: Operation not permitted\n", 1))
        self.assertIn("set VAR_SUDO", printed.error)

    def test_a_ups_on_battery_is_first_with_the_time_that_is_left(self):
        printed = self.show("ups")
        self.assertEqual(printed.summary, "✓ 100 % · On mains")
        self.assertRegex(printed.names()[0], r"^✓ office  on mains, charging · 29 min left +100 %$")
        dying = UPSC.replace("OL CHRG", "OB DISCHRG LB").replace("1740", "130").replace("charge: 100", "charge: 11")
        printed = self.show("ups", ("'-- a'", UPSC), ("'-- b@c'", dying), ("*", "Error: Connection failure\n", 1), VAR_UPS="a b@c gone -x")
        self.assertEqual(printed.summary, "✗ 11 % · No power or no state")
        self.assertEqual(printed.names()[0], "? gone  upsc: Error: Connection failure")
        self.assertRegex(printed.names()[1], r"^✗ b@c  on battery, discharging, battery low")
        (self.programs.folder / "upsc").unlink()
        self.programs.add("apcaccess", ("-u", "APC      : 001,036,0877\nUPSNAME  : rack\nSTATUS   : ONLINE\nBCHARGE  : 100.0\nTIMELEFT : 45.0\nLOADPCT  : 9.0\n"))
        self.assertRegex(self.run_script("ups").names()[0], r"^✓ rack  on mains · 45 min left +100 %$")

    def test_a_ups_is_on_mains_only_if_it_says_so(self):
        for flags, summary, row in (
            ("WAIT", "? 100 % · State not known", "? office  WAIT · "), ("CHRG", "? 100 % · State not known", "? office  charging · "),
            ("OL NEW", "? 100 % · State not known", "? office  on mains, NEW · "), ("OL TEST", "✓ 100 % · On mains", "✓ office  on mains, testing · "),
            ("WAIT RB", "! 100 % · Needs a look", "! office  WAIT, replace the battery · "), ("", "✗ 100 % · No power or no state", "✗ office  no state · "),
        ):
            printed = self.show("ups", ("-l", "office\n"), ("*", UPSC.replace("OL CHRG", flags)))
            self.assertEqual(printed.summary, summary)
            self.assertTrue(printed.names()[0].startswith(row), printed.names())

    def test_a_drive_is_healthy_only_if_its_exit_status_and_all_attributes_say_so(self):
        def row(status, **attribute):
            table = {"table": [{"id": 5, "name": "Reallocated_Sector_Ct", "raw": {"value": 0}, **attribute}]}
            answer = {**SDA, "smartctl": {"exit_status": status}, "ata_smart_attributes": table}
            return self.show("smart", ("*--scan*", {"devices": SCAN["devices"][:1]}), ("*", answer), columns=120).names()[0]

        for status, attribute, expected in (
            (0, {}, "✓ {}  healthy"), (8, {}, "✗ {}  fails"), (16, {}, "! {}  an attribute is beyond its limit"),
            (32, {}, "! {}  an attribute was beyond its limit"), (48, {"when_failed": "now"}, "! {}  reallocated sector ct is beyond its limit, an attribute was"),
            (32, {"when_failed": "past"}, "! {}  reallocated sector ct was beyond its limit  "), (0, {"when_failed": "past"}, "! {}  reallocated sector ct was"),
        ):
            self.assertTrue(row(status, **attribute).startswith(expected.format(SDA["model_name"])), row(status, **attribute))

    def test_drives_with_bad_sectors_are_first(self):
        printed = self.show("smart")
        self.assertEqual(printed.summary, "! 1 to watch")
        self.assertRegex(printed.names()[0], r"^! WDC WD40EFRX-68N32N0  8 pending sectors +34 °C$")
        self.assertRegex(printed.names()[1], r"^✓ Samsung SSD 980 PRO 1TB  healthy +41 °C$")
        failing = {**SDA, "smart_status": {"passed": False}, "smartctl": {"exit_status": 8}}
        printed = self.show("smart", ("*--scan*", SCAN), ("*/dev/sda", failing), ("*", NVME))
        self.assertEqual(printed.summary, "✗ 1 failing")
        denied = {"smartctl": {"exit_status": 2, "messages": [{"string": "Smartctl open device: /dev/sda failed: Permission denied", "severity": "error"}]}}
        self.assertIn("set VAR_SUDO", self.show("smart", ("*--scan*", SCAN), ("*", denied)).error)
        asleep = {"smartctl": {"exit_status": 2, "messages": [{"string": "Device is in STANDBY mode, exit(2)", "severity": "information"}]}}
        self.assertIn("sleeps", self.show("smart", ("*--scan*", SCAN), ("*/dev/sda", asleep), ("*", NVME)).text)
        self.assertIn("No drives", self.show("smart", ("*", {"devices": []})).text)
        table = {"table": [{"id": 194, "name": "Airflow_Temp", "when_failed": "now"}, {"id": 1, "name": "Read", "when_failed": "past"}]}
        late = {**SDA, "ata_smart_attributes": table}
        self.assertIn("airflow temp is beyond its limit", self.show("smart", ("*--scan*", SCAN), ("*/dev/sda", late), ("*", NVME)).text)
        scsi = {**SDA, "model_name": None, "scsi_model_name": "ST600MM0006", "scsi_grown_defect_list": 7, "ata_smart_attributes": None}
        self.assertRegex(self.show("smart", ("*--scan*", SCAN), ("*/dev/sda", scsi), ("*", NVME)).names()[0], "^! ST600MM0006  7 grown defects")

    def test_a_pool_that_is_not_online_is_first(self):
        printed = self.show("zfs")
        self.assertEqual(printed.summary, "✗ 1 not well, 1 to watch")
        self.assertRegex(printed.names()[0], r"^✗ scratch  degraded +1 %$")
        self.assertRegex(printed.names()[1], r"^! tank  full from 80 % +82 %$")
        self.assertIn("last scrub 3 d ago", printed.text)
        self.assertIn("taken offline", printed.text)
        self.assertIn("No pools", self.show("zfs", ("*", "no pools available\n")).text)
        well = self.show("zfs", ("list*", POOLS.split("\n")[0]), ("*", TANK), VAR_FULL="90")
        self.assertEqual(well.summary, "✓ 1 pool is healthy")

    def test_a_pool_is_healthy_only_if_its_whole_answer_says_so(self):
        def row(status, health="ONLINE"):
            printed = self.show("zfs", ("list*", f"tank\t1000\t500\t50\t0\t{health}\n"), ("*", status), columns=120)
            self.assertEqual(printed.summary[0] == "✓", printed.names()[0][0] == "✓")
            return printed.names()[0]

        self.assertRegex(row(TANK), r"^✓ tank  healthy +50 %$")
        told = TANK.replace("  scan:", "status: {}\n  scan:")
        error = "One or more devices has experienced an unrecoverable error.  An\n\tattempt was made to correct the error."
        self.assertRegex(row(told.format(error)), "^! tank  One or more devices has experienced an unrecoverable error  ")
        for harmless in ("Some supported and requested features are not enabled on the pool.", "Some supported features are not\n\tenabled on the pool."):
            self.assertRegex(row(told.format(harmless)), "^✓ tank  healthy ")
        counted = TANK.replace("    sdb     ONLINE       0     0     0", "    sdb     ONLINE      12     3   481  (repairing)")
        self.assertRegex(row(counted), "^! tank  sdb: 12 read, 3 write, 481 checksum errors ")
        self.assertRegex(row(counted.replace("sda     ONLINE       0", "sda     ONLINE       1")), "^! tank  errors of 2 devices ")
        self.assertRegex(row(TANK.replace("sda     ONLINE ", "sda     UNAVAIL")), "^! tank  sda: unavail ")
        lines = TANK.splitlines(keepends=True)
        for part in ("", "".join(lines[:-1]), "".join(lines[:4] + lines[-1:]), TANK.replace("tank", "other")):
            self.assertRegex(row(part), r"^\? tank  zpool does not say how the pool is$")
            self.assertRegex(row(part, "SUSPENDED"), "^✗ tank  suspended +50 %$")

    def test_a_pool_without_a_scrub_in_time_is_marked(self):
        then = time.strftime("%a %b %e %H:%M:%S %Y", time.localtime(time.time() - 60 * 86400))
        before, _, after = TANK.partition("scan: ")
        for scan, expected in (
            ("none requested", "! tank  never scrubbed"), (f"scrub canceled on {SCRUBBED}", "! tank  scrub cancelled"),
            (f"scrub paused since {SCRUBBED}\n\tscrub started on {SCRUBBED}", "! tank  scrub paused"),
            (f"scrub in progress since {SCRUBBED}\n\t1.2T scanned", "✓ tank  scrubs now"),
            (f"resilvered 10G in 00:10:00 with 5 errors on {SCRUBBED}", "! tank  5 errors of the resilver"),
            (f"resilvered 10G in 00:10:00 with 0 errors on {SCRUBBED}", "✓ tank  healthy"),
            (f"resilvered (mirror-0) 10G in 00:10:00 with 0 errors on {then}", "! tank  no scrub for 60 d"),
            (f"scrub repaired 0B in 1 days 00:10:00 with 2 errors on {then}", "! tank  2 errors of the scrub, scrub 60 d ago"),
            ("scrub repaired 0B in 00:10:00 with 0 errors on some day", "! tank  no date of the last scrub"),
        ):
            status = f"{before}scan: {scan}\n{after.partition(chr(10))[2]}"
            printed = self.show("zfs", ("list*", "tank\t1000\t500\t50\t0\tONLINE\n"), ("*", status), columns=100)
            self.assertRegex(printed.names()[0], rf"^{expected} +50 %$")


if __name__ == "__main__":
    unittest.main()
