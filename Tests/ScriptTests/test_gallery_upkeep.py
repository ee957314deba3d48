"""Scripts of the gallery about upkeep: backups, packages, logins, sessions, printers and agents."""

import hashlib
import json
import os
import re
import subprocess
import time
import unittest

from gallery_scripts import SCRIPTS, GalleryTest, Printed, ago, path_of
from test_gallery_machine import ProgramCases


def local(**units):
    """A date before now as Borg has it, of the local clock."""
    moment = time.mktime(time.strptime(ago(**units), "%Y-%m-%dT%H:%M:%SZ"))
    return time.strftime("%Y-%m-%dT%H:%M:%S.000000", time.localtime(moment))


def borg(**units):
    return {
        "archives": [{"archive": "host-1", "barchive": "host-1", "id": "80cd07219ad725b3", "name": "host-1", "start": local(**units), "time": local(**units)}],
        "encryption": {"mode": "repokey"}, "repository": {"id": "0cbe6166", "last_modified": local(**units), "location": "/srv/borg"},
    }


RESTIC = [
    {"time": ago(hours=3).replace("Z", ".123456789+00:00"), "tree": "27cc", "paths": ["/home"], "hostname": "laptop", "id": "79766175", "short_id": "79766175"},
]
APT = """Listing...
bash/stable 5.2.15-2+b8 amd64 [upgradable from: 5.2.15-2+b7]
openssl/stable-security 3.0.15-1~deb12u1 amd64 [upgradable from: 3.0.14-1~deb12u2]
"""
DNF = """
NetworkManager.x86_64                1:1.46.2-1.fc40              updates
openssl.x86_64                       1:3.2.2-3.fc40               updates
Obsoleting Packages
old.noarch                           1-1                          updates
"""
JOURNAL = [
    "Failed password for root from 192.0.2.7 port 40022 ssh2", "Failed password for root from 192.0.2.7 port 40023 ssh2",
    "Invalid user admin from 192.0.2.7 port 40024", "Failed password for invalid user admin from 192.0.2.7 port 40024 ssh2",
    "Invalid user a|b from 2001:db8::9 port 1", "Accepted publickey for me from 192.0.2.9 port 2 ssh2: ED25519 SHA256:x",
    "pam_unix(sudo:auth): authentication failure; logname=me uid=1000 euid=0 tty=/dev/pts/0 ruser=me rhost=  user=me",
    # What is no text comes as bytes.
    list(b"Failed password for \xff from 198.51.100.4 port 2"),
]
TRIED = [("root", "192.0.2.7")] * 31 + [("admin", "192.0.2.7")] * 8 + [("git", "198.51.100.4")] * 5 + [("pi", "2001:db8::9")] * 2
PLAIN = "".join(json.dumps({"MESSAGE": f"Failed password for {name} from {place} port 40022 ssh2"}) + "\n" for name, place in TRIED)
LINES = "".join(json.dumps({"MESSAGE": one, "PRIORITY": "6"}) + "\n" for one in JOURNAL)
PANES = "".join(f"{line}\n" for line in (
    f"%1\tmain\t0\t{int(time.time()) - 300}\t100\tclaude\t/home/me/parser\t✳ Fix dates",
    f"%2\tmain\t1\t{int(time.time()) - 900}\t200\tnode\t/home/me/site\tcodex",
    # Still at work however long the tests before it take.
    f"%3\tmain\t2\t{int(time.time()) + 600}\t300\taider\t/home/me/api\taider",
    f"%4\tmain\t3\t{int(time.time()) - 2}\t400\tbash\t/home/me\tbash",
    "%5\tbroken",
))
ASKS = "● Bash(make test)\n╭────╮\n│ Do you want to proceed?          │\n│ ❯ 1. Yes                         │\n│   2. No                          │\n╰────╯\n"
PS = "  100     1 claude\n  200     1 node /usr/bin/codex\n  300     1 /usr/bin/python3 /usr/bin/aider\n  400     1 -bash\n"
PROGRAMS = {
    "borg": ({"VAR_REPOSITORIES": "/srv/borg"}, "borg", [("*", borg(hours=2))]),
    "restic": ({"VAR_REPOSITORIES": "/srv/restic"}, "restic", [("*", RESTIC)]),
    "updates": ({"VAR_REBOOT": "/nonexistent", "VAR_SYSTEM": "apt"}, "apt", [("*", APT)]),
}
CASES = {}
WHO = f"me       pts/0        {time.strftime('%Y-%m-%d')} 08:12 (192.0.2.7)\nroot     tty1         2026-01-02 07:00\nann      pts/4        2026-01-02 23:10 (laptop.example)\n"
LPSTAT = """printer Office is idle.  enabled since Sat 28 Nov 2026 10:00:00 AM UTC
printer Plotter disabled since Sat 28 Nov 2026 09:00:00 AM UTC -
\tPaper jam
Office-12               me              1024   Sat 28 Nov 2026 10:01:00 AM UTC
Office-13               ann             2048   Sat 28 Nov 2026 10:02:00 AM UTC
"""
SESSIONS = f"0 {int(time.time()) - 7200} 3 $2 notes and more\n1 {int(time.time())} 1 $0 work\n"
# What scripts of the shell need besides.
TOOLS = ("awk", "tr", "tail", "sort", "date", "timeout", "head")


def stand_ins(programs):
    """For pictures."""
    test = UpkeepTests()
    test.programs = programs
    for name in PROGRAMS:
        test.stand_in(name)
    programs.add("journalctl", ("*", PLAIN))
    programs.add("who", ("*", WHO))
    programs.add("lpstat", ("*", LPSTAT))
    programs.add("ps", ("*", PS))
    programs.add("tmux", ("list-sessions*", SESSIONS), ("list-panes*", PANES), ("*%1", ASKS), ("*", "done\n> \n"))


class UpkeepTests(ProgramCases, GalleryTest):
    PROGRAMS = PROGRAMS

    def test_a_backup_that_is_late_is_first(self):
        self.programs.add("borg", ("*/srv/borg", json.dumps(borg(hours=2))), ("*nas/late", json.dumps(borg(days=2))), ("*nas/old", json.dumps(borg(days=30))),
                          ("*nas/new", json.dumps({**borg(), "archives": []})), ("*", "Repository /srv/gone does not exist.\n", 2))
        repositories = "/srv/borg, ssh://me:secret@nas/late ssh://nas/old ssh://nas/new /srv/gone"
        printed = self.run_script("borg", VAR_REPOSITORIES=repositories, VAR_BORG_PASSPHRASE="p")
        self.assertEqual(printed.summary, "✗ 3 late, 1 cannot be read")
        self.assertEqual([name.split()[:2] for name in printed.names()], [["✗", "old"], ["!", "late"], ["✗", "new"], ["?", "gone"], ["✓", "borg"]])
        self.assertNotIn("secret", printed.output)
        self.assertIn("Repository /srv/gone does not exist.", printed.text)
        printed = self.run_script("borg", VAR_REPOSITORIES="/srv/borg")
        self.assertEqual(printed.summary, "✓ 2 h ago")

    def test_the_last_snapshot_of_each_machine_counts(self):
        old = {"time": ago(days=120), "tree": "3f9d", "paths": ["/srv"], "hostname": "server", "id": "40dc", "short_id": "40dc1520"}
        self.programs.add("restic", ("*", json.dumps([*RESTIC, old, {**old, "time": "?", "hostname": "nas"}])))
        printed = self.run_script("restic", **PROGRAMS["restic"][0])
        self.assertEqual(printed.summary, "✗ 2 late")
        for row, expected in zip(printed.names(), (r"^✗ restic: server /srv  late +120 d$", r"^✗ restic: nas /srv  no date$", r"^✓ restic: laptop /home  in time +3 h$")):
            self.assertRegex(row, expected)
        # With more folders since then it is the same backup, on another machine it is not.
        more = [{**old, "time": ago(hours=1), "paths": ["/etc", "/srv"]}, {**old, "time": ago(days=9), "hostname": "nas"}]
        self.programs.add("restic", ("*", json.dumps([*RESTIC, old, *more])))
        self.assertEqual(self.run_script("restic", **PROGRAMS["restic"][0]).summary, "✗ 1 late")

    def test_the_only_snapshots_of_a_repository_have_its_name(self):
        self.stand_in("restic")
        printed = self.run_script("restic", **PROGRAMS["restic"][0])
        self.assertEqual(printed.summary, "✓ 3 h ago")
        self.assertIn("laptop /home", printed.text)
        self.programs.add("restic", ("*", "Fatal: unable to open config file\nIs there a repository at the following location?\n/srv/restic\n", 1))
        self.assertIn("restic: Fatal: unable to open config file", self.run_script("restic", **PROGRAMS["restic"][0]).error)
        told = '{"message_type":"exit_error","code":10,"message":"Fatal: no repository:\\nunable to open \\"config\\""}\n'
        self.programs.add("restic", ("*", told, 1))
        self.assertEqual(self.run_script("restic", **PROGRAMS["restic"][0]).error.strip(), 'restic: Fatal: no repository: unable to open "config"')
        self.programs.add("restic", ("*", "Fatal: wrong password or no key found\n", 1))
        self.assertIn("wrong password", self.run_script("restic", **PROGRAMS["restic"][0]).error)

    def test_repositories_are_asked_for(self):
        for name in ("borg", "restic"):
            self.assertIn("set VAR_REPOSITORIES", self.run_script(name).text.replace("\n", " "))

    def test_updates_for_security_are_first(self):
        self.stand_in("updates")
        printed = self.run_script("updates", VAR_REBOOT=str(self.programs.folder))
        self.assertEqual(printed.summary, "! 2 updates, 1 for security, restart needed")
        self.assertRegex(printed.names()[0], r"^! openssl  security +3.0.15-1~deb12u1$")
        self.programs.add("apt", ("*", "Listing...\n"))
        self.assertEqual(self.run_script("updates", VAR_REBOOT="/nonexistent").summary, "✓ Up to date")

    def test_updates_of_fedora_and_arch(self):
        self.programs.add("dnf", ("*updateinfo*", "FEDORA-2026-1 Important/Sec. openssl-3.2.2-3.fc40.x86_64\n"), ("*", DNF))
        printed = self.run_script("updates", VAR_REBOOT="/nonexistent")
        self.assertEqual(printed.summary, "! 2 updates, 1 for security")
        long = "a-package-with-a-very-long-name.noarch\n                                 1:2.0-1.fc40        updates\n"
        self.programs.add("dnf", ("*updateinfo*", ""), ("*", long))
        printed = self.run_script("updates", VAR_REBOOT="/nonexistent")
        self.assertEqual(printed.summary, "1 update")
        self.assertIn("2.0-1.fc40", printed.text)
        (self.programs.folder / "dnf").unlink()
        self.programs.add("pacman", ("-Qu", "linux 6.1-1 -> 6.2-1\nold 1-1 -> 2-1 [ignored]\n"))
        printed = self.run_script("updates", VAR_REBOOT="/nonexistent")
        self.assertEqual(printed.summary, "1 update")
        self.assertIn("6.1-1 → 6.2-1", printed.text)

    def test_failed_logins_by_address(self):
        self.programs.add("journalctl", ("*", LINES))
        printed = self.run_script("failed-logins")
        self.assertEqual(printed.summary, "6 in the last day from 4 addresses")
        self.assertRegex(printed.names()[0], r"^· 192.0.2.7  root, admin +3$")
        self.assertTrue(any(name.startswith("! this machine  me") for name in printed.names()))
        self.check(printed)

    def test_a_journal_that_may_not_be_read_is_not_well(self):
        path = self.programs.folder / "journalctl"
        path.write_text("#!/bin/sh\necho 'Hint: You are currently not seeing messages from other users and the system.' >&2\n")
        path.chmod(0o755)
        self.assertIn("sudo usermod --append --groups adm", self.run_script("failed-logins").text.replace("\n", " "))
        path.write_text("#!/bin/sh\nexit 0\n")
        self.assertIn("The journal is empty", self.run_script("failed-logins").text)
        path.write_text("#!/bin/sh\ncase $* in *--system*) echo '{}';; esac\n")
        self.assertEqual(self.run_script("failed-logins").summary, "✓ None in the last day")
        path.write_text("#!/bin/sh\necho '{'; echo '{\"MESSAGE\": null}'; echo 5\n")
        self.assertEqual(self.run_script("failed-logins").summary, "! None in the last day, 2 lines cannot be read")

    def test_an_agent_that_asks_is_first_then_those_that_wait(self):
        self.programs.add("ps", ("*", PS))
        self.programs.add("tmux", ("list-panes*", PANES), ("*%1", ASKS), ("*%2", "done\n> \n"), ("*", "working\n"))
        printed = self.run_script("agents")
        self.assertEqual(printed.summary, "! 1 asks, 1 waits, 1 works")
        self.assertRegex(printed.names()[0], r"^! parser  claude · asks +5 min$")
        self.assertRegex(printed.names()[1], r"^‖ site  codex · waits +15 min$")
        self.assertIn("Do you want to proceed?", printed.text)
        self.assertIn("main:0 · /home/me/parser", printed.text)
        self.assertIn("bash=tmux param1=attach-session param2=-t param3=%1 terminal=true", printed.output)
        self.assertIn("param1=switch-client", self.run_script("agents", TMUX="/tmp/x,1,0").output)
        self.programs.add("tmux", ("*", "no server running on /tmp/tmux-1000/default\n", 1))
        self.assertIn("No agent runs", self.run_script("agents").text)

    # Scripts of the shell.

    def run_shell(self, name, columns=60):
        environment = {"PATH": self.programs.path, "COLUMNS": str(columns)}
        done = subprocess.run([path_of(name)], env=environment, capture_output=True, text=True, timeout=20, check=False)
        return Printed(done.returncode, done.stdout, done.stderr)

    def tools(self):
        for name in TOOLS:
            if not (self.programs.folder / name).exists():
                self.programs.add_real(name)

    def test_a_printer_that_has_stopped_is_first(self):
        self.tools()
        self.assertIn("apt install cups-client", self.run_shell("printers").text)
        self.programs.add("lpstat", ("*", LPSTAT))
        printed = self.run_shell("printers")
        self.check(printed)
        self.assertEqual(printed.summary, "✗ 1 stopped, 2 jobs")
        self.assertRegex(printed.rows[0].text, r"^✗ Plotter  stopped: Paper jam +0 jobs$")
        self.assertRegex(printed.rows[1].text, r"^✓ Office  ready +2 jobs$")
        self.programs.add("lpstat", ("*", "lpstat: No destinations added.\n", 1))
        self.assertIn("No printers", self.run_shell("printers").text)
        self.programs.add("lpstat", ("*", "lpstat: Connection refused\n", 1))
        printed = self.run_shell("printers")
        self.assertEqual((printed.status, printed.error), (1, "lpstat: Connection refused"))

    def test_sessions_of_ssh_without_those_of_this_machine(self):
        self.tools()
        self.programs.add("who", ("*", WHO))
        printed = self.run_shell("ssh-sessions")
        self.check(printed)
        self.assertEqual(printed.summary, "2 sessions of 2 users")
        self.assertRegex(printed.rows[0].text, r"^● ann  laptop.example +01-02 23:10$")
        self.assertRegex(printed.rows[1].text, r"^● me  192.0.2.7 +08:12$")
        self.programs.add("who", ("*", f"me       pts/0        {time.strftime('%b %e')} 08:12 (192.0.2.7)\nann      pts/4        Jan  2 23:10 (laptop.example)\n"))
        rows = self.run_shell("ssh-sessions").names()
        self.assertRegex(rows[0], r"^● ann  laptop.example +Jan 2 23:10$")
        self.assertRegex(rows[1], r"^● me  192.0.2.7 +08:12$")
        self.programs.add("who", ("*", ""))
        self.assertEqual(self.run_shell("ssh-sessions").summary, "Nobody is logged in through ssh")
        self.programs.add("who", ("*", "who: no right\n", 1))
        self.assertEqual(self.run_shell("ssh-sessions").error, "who: no right")

    def test_sessions_of_tmux_are_attached_to_by_their_number(self):
        self.tools()
        self.assertIn("apt install tmux", self.run_shell("tmux-sessions").text)
        self.programs.add("tmux", ("*", SESSIONS))
        printed = self.run_shell("tmux-sessions")
        self.check(printed)
        self.assertEqual(printed.summary, "2 sessions, 1 attached")
        self.assertRegex(printed.rows[0].text, r"^● work  1 window +attached$")
        self.assertRegex(printed.top[1].text, r"^○ notes and more  3 windows +2 h$")
        self.assertIn("bash=tmux param1=attach-session param2=-t param3=$2 terminal=true", printed.output)
        self.programs.add("tmux", ("*", "no server running on /tmp/x\n", 1))
        self.assertIn("No sessions", self.run_shell("tmux-sessions").text)

    def test_scripts_of_the_shell_bear_any_output(self):
        self.tools()
        for name, program in (("printers", "lpstat"), ("ssh-sessions", "who"), ("tmux-sessions", "tmux")):
            for output in ("", "\x1b]0;x\x07\n", "a b c d e f (\x1b[2J)\n" * 50, "printer " + "x" * 5000 + " is idle.\n", "1 2 3 $4 " + "ä" * 3000 + "\n", "-9 x nan $1 n\n", "1 2 3 $4 a | bash=x\nprinter a|b is idle. x\nme x 2026-01-02 08:12 (a|b=c)\n"):
                self.programs.add(program, ("*", output))
                for columns in (20, 100):
                    printed = self.run_shell(name, columns)
                    # No text ends a row's text, and brings parameters.
                    self.assertTrue(all(line.count("|") <= 1 for line in printed.output.splitlines()), printed.output)
                    self.assertEqual([one for line in printed.output.splitlines() for one in line.replace("\x1b", "") if not one.isprintable()], [], name)


class FormTests(GalleryTest):
    def test_what_the_sandbox_lacks_is_said_there(self):
        outside = ["agents", "borg", "compose", "failed-logins", "gpu", "smart", "tailscale", "updates", "wireguard", "zfs"]
        for name in outside:
            printed = self.run_script(name, TODAY_DATA=str(self.cache))
            self.assertIn("The sandbox has no", printed.text)
            self.assertEqual(printed.status, 0)
        inside = ("printers", "ssh-sessions", "tmux-sessions")
        # That is known before one is installed.
        for path in SCRIPTS.iterdir():
            if path.name[0] != ".":
                name, words = path.name.split(".")[0], path.read_text().splitlines()[2]
                self.assertEqual(name in (*outside, *inside), "Not in the sandbox: copy it to your scripts" in words, name)
        for name in inside:
            environment = {"PATH": self.programs.path, "TODAY_DATA": "/x"}
            output = subprocess.run([path_of(name)], env=environment, capture_output=True, text=True, check=True).stdout
            self.assertIn("The sandbox has no", output)

    def test_settings_are_declared_in_a_form_that_the_host_reads_and_used(self):
        form = re.compile(r'# <xbar\.var>(?:string|number|boolean|select|secret)\((VAR_[A-Z_]+)(?:=(?:"[^"=()]*"|[\d.]+|true|false))?\): [^<]+</xbar\.var>')
        for path in SCRIPTS.iterdir():
            lines = path.read_text().splitlines() if path.name[0] != "." else []
            declared = [form.fullmatch(line) for line in lines if "<xbar.var>" in line]
            self.assertNotIn(None, declared, path.name)
            code = "\n".join(line for line in lines if "<xbar.var>" not in line)
            self.assertEqual({match[1] for match in declared}, set(re.findall(r"VAR_[A-Z_]+[A-Z]", code)), path.name)

    def test_each_script_has_the_shared_parts_as_they_are(self):
        done = subprocess.run([SCRIPTS.parent.parent / "Scripts" / "gallery-parts", "--check"], capture_output=True, text=True, check=False)
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_each_script_has_an_entry_that_says_the_same(self):
        entries = SCRIPTS.parent / "entries"
        names = sorted(path.name for path in SCRIPTS.iterdir() if path.name[0] != ".")
        self.assertEqual([f"script.{name.split('.')[0]}.json" for name in names], sorted(path.name for path in entries.iterdir()))
        listed = json.loads((SCRIPTS.parent / "index.json").read_text())["entries"]
        hashes = {path.stem: hashlib.sha256(path.read_bytes()).hexdigest() for path in entries.iterdir()}
        self.assertEqual({one["id"]: one["sha256"] for one in listed}, hashes)
        readme = (SCRIPTS.parent / "README.md").read_text()
        for name in names:
            line = "\n".join(one for one in (SCRIPTS / name).read_text().splitlines()[:12] if one.startswith("# today:"))
            entry = json.loads((entries / f"script.{name.split('.')[0]}.json").read_text())
            self.assertEqual(entry["id"], f"script.{name.split('.')[0]}")
            self.assertEqual(entry["source"], {"path": f"scripts/{name}"})
            self.assertIn(f'title="{entry["name"]}"', line)
            self.assertIn(f'description="{entry["description"]}"', line)
            self.assertEqual("network=true" in line, "com.apple.security.network.client" in entry["permissions"], name)
            files = re.search('files="([^"]*)"', line)
            expected = [one.strip().removeprefix("~/") for one in files[1].split(",")] if files else None
            self.assertEqual(entry["permissions"].get("com.apple.security.files.home-relative-path.read-only"), expected)
            self.assertTrue(1 <= len(entry["categories"]) <= 5 and entry["license"] == "MIT")
            self.assertTrue(entry["picture"] and all(len(row) <= 120 for row in entry["picture"]) and len(entry["picture"]) <= 40)
            self.assertIn(f"[{name.split('.')[0]}](scripts/{name})", readme)
            # Made by: today gallery index Gallery
            self.assertEqual(entry["sha256"], hashlib.sha256((SCRIPTS / name).read_bytes()).hexdigest(), name)

    def test_scripts_begin_with_their_interpreter_and_say_what_they_are(self):
        for name in sorted(one for one in os.listdir(path_of("borg").parent) if one[0] != "."):
            lines = (path_of("borg").parent / name).read_text().splitlines()
            self.assertIn(lines[0], ("#!/usr/bin/python3 -ESB", "#!/bin/sh"))
            self.assertRegex(lines[1], r'^# today: title="[^"]+" icon=\S+ tint=\w+ format=xbar')
            self.assertRegex(lines[2], r'^# today: description="[^"]{20,170}\."$')
            self.assertTrue(os.access(path_of("borg").parent / name, os.X_OK), name)


if __name__ == "__main__":
    unittest.main()
