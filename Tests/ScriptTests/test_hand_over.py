import os
import shutil
import socket
import subprocess
import tempfile
import unittest
from pathlib import Path

from extensions import Extension

HOSTILE = "-a 'b' \"c\" $(x) `y`\n;é.txt"
SSHD = "/usr/sbin/sshd"
# What `systemd-run` makes of its words: files for output, and the program, which goes on by itself.
SERVICE = """#!/bin/sh
printf '%s\\n' "$@" >"$0.calls"
for word; do
    case $word in
    --property=StandardOutput=file:*) log=${word#*file:} ;;
    --*) ;;
    *) break ;;
    esac
    shift
done
"$@" >"$log" 2>&1 &
"""


class HandOverTests(unittest.TestCase):
    def setUp(self):
        self.hand = Extension(self, "hand-over.sh")
        self.programs = self.hand.programs
        for name in ("mktemp", "rm", "id", "tr", "grep", "wc", "sed"):
            self.programs.add_real(name)
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        (self.folder / "tmp").mkdir()
        (self.folder / "run").mkdir()
        self.variables = {"TMPDIR": str(self.folder / "tmp"), "XDG_RUNTIME_DIR": str(self.folder / "run")}

    def run_alone(self, content, **options):
        done = self.hand.run(content, "public.plain-text", self.variables, self.programs.path, **options)
        if options.get("by") != "croc":
            self.assertEqual(os.listdir(self.folder / "tmp"), [])
        return done

    def refused(self, content, status, **options):
        """The reason why nothing was handed over."""
        done = self.run_alone(content, **options)
        self.assertEqual((done.stdout, done.returncode), (b"", status))
        return done.stderr.decode().rstrip("\n")

    def test_the_place_on_the_host(self):
        self.programs.add("scp", ("*", ""))
        self.programs.add("rsync", ("*", ""))
        for by in ("scp", "rsync"):
            for folder, place in (
                ("", "./a.txt"), ("~", "./a.txt"), ("~/in box/", "./in box/a.txt"), ("/srv", "/srv/a.txt"), ("-x", "./-x/a.txt"),
            ):
                self.variables["TODAY_NAME"] = "../../a.txt"
                done = self.run_alone("a", by=by, host="ann@build-1.test", folder=folder)
                self.assertEqual((done.stdout, done.stderr), (f"ann@build-1.test:{place}\n".encode(), b""))
                call = self.programs.calls(by)[-1]
                self.assertTrue(call.endswith(f"/a.txt ann@build-1.test:{place}"), call)
        self.assertIn("-s -B ", self.programs.calls("scp")[0])
        self.assertIn("-s --rsh=ssh -o BatchMode=yes ", self.programs.calls("rsync")[0])

    def test_the_agent_of_the_session_is_found(self):
        agent = self.folder / "run/openssh_agent"
        with socket.socket(socket.AF_UNIX) as server:
            server.bind(str(agent))
        path = self.programs.folder / "scp"
        path.write_text('#!/bin/sh\necho "$SSH_AUTH_SOCK" >&2\nexit 1\n')
        path.chmod(0o755)
        self.assertEqual(self.refused("a", 1, host="there"), str(agent))

    def make_server(self):
        """Lets ssh and scp know a real sshd as “there”, which is started for each connection."""
        if os.getuid() == 0:
            os.makedirs("/run/sshd", exist_ok=True)
        for name in ("host", "user"):
            subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", self.folder / name], check=True)
        (self.folder / "sshd_config").write_text(
            f"HostKey {self.folder}/host\nAuthorizedKeysFile {self.folder}/user.pub\nStrictModes no\nUsePAM no\n"
            "PidFile none\nPermitRootLogin yes\nSubsystem sftp internal-sftp\n"
        )
        (self.folder / "ssh_config").write_text(
            f"Host there\n  ProxyCommand {SSHD} -i -f {self.folder}/sshd_config\n  IdentityFile {self.folder}/user\n"
            f"  IdentitiesOnly yes\n  UserKnownHostsFile {self.folder}/known\n  StrictHostKeyChecking accept-new\n  LogLevel ERROR\n"
        )
        for name in ("ssh", "scp"):
            path = self.programs.folder / name
            path.write_text(f'#!/bin/sh\nexec {shutil.which(name)} -F {self.folder}/ssh_config "$@"\n')
            path.chmod(0o755)
        if shutil.which("rsync"):
            self.programs.add_real("rsync")

    @unittest.skipUnless(os.path.exists(SSHD), "there is no sshd")
    def test_a_real_host_gets_every_byte_under_the_name(self):
        self.make_server()
        for by in filter(shutil.which, ("scp", "rsync")):
            there = self.folder / f"{by} 'x'"
            there.mkdir()
            for name, content in ((HOSTILE, b"\0\xff a\r\n"), ("", b"")):
                self.variables["TODAY_NAME"] = name
                done = self.run_alone(content, by=by, host="there", folder=str(there))
                self.assertEqual(done.stdout, f"there:{there}/{name or 'shared'}\n".encode(), done.stderr)
                self.assertEqual((there / (name or "shared")).read_bytes(), content)
            self.assertEqual(sorted(os.listdir(there)), [HOSTILE, "shared"])

    @unittest.skipUnless(os.path.exists(SSHD), "there is no sshd")
    def test_a_host_that_refuses_is_named_with_the_reason(self):
        self.make_server()
        self.assertIn("No such file or directory", self.refused("a", 1, host="there", folder=f"{self.folder}/none"))
        (self.folder / "user.pub").write_text("")
        for by in filter(shutil.which, ("scp", "rsync")):
            self.assertIn("Permission denied", self.refused("a", 1, by=by, host="there"))

    def test_a_host_is_needed_that_is_no_option(self):
        self.programs.add("scp", ("*", ""))
        self.programs.add("rsync", ("*", ""))
        for by in ("scp", "rsync"):
            self.assertEqual(self.refused("a", 64, by=by), "the option host names a host of ~/.ssh/config, or user@host")
            for host in ("-oProxyCommand=x", "a b", "a:b", "a/b", "$(x)", "a\nb"):
                self.assertIn("is no host; expected a name", self.refused("a", 64, by=by, host=host))
            self.assertEqual(self.programs.calls(by), [])

    def test_croc_goes_on_as_a_service_that_cleans_up(self):
        path = self.programs.folder / "systemd-run"
        path.write_text(SERVICE)
        path.chmod(0o755)
        self.programs.add("croc", ("send*", "Sending 'a' (1 B)\nCode is: 1234-sofa-lamp\nOn the other computer\n"))
        self.variables["TODAY_NAME"] = "--a b.txt"
        done = self.run_alone(b"\0\xff", by="croc")
        self.assertEqual((done.stdout, done.stderr), (b"croc 1234-sofa-lamp\n", b""))
        words = self.programs.calls("systemd-run")
        shared = Path(words[-1])
        self.assertEqual(words[-3:-1], ["croc", "send"])
        self.assertEqual((shared.name, shared.read_bytes()), ("--a b.txt", b"\0\xff"))
        self.assertIn(f"--property=ExecStopPost=rm -rf {shared.parent} {shared.parent}.log", words)
        self.assertIn("--property=RuntimeMaxSec=1h", words)

    def test_croc_without_a_service_leaves_nothing(self):
        self.programs.add("croc")
        self.programs.add("systemd-run", ("*", "Failed to connect to bus\n", 1))
        self.assertEqual(self.refused("a", 1, by="croc"), "Failed to connect to bus")
        self.assertEqual(os.listdir(self.folder / "tmp"), [])

    def test_croc_that_ends_without_a_code_is_named(self):
        self.programs.add("croc")
        # The service has ended, and has removed what it had.
        path = self.programs.folder / "systemd-run"
        path.write_text(f"#!/bin/sh\nrm -rf {self.folder}/tmp/*\n")
        path.chmod(0o755)
        self.assertEqual(self.refused("a", 1, by="croc"), "croc has printed no code; look at: journalctl --user")

    @unittest.skipUnless(shutil.which("qrencode"), "qrencode is not installed")
    def test_a_text_is_a_real_qr_code(self):
        self.programs.add_real("qrencode")
        for text in ("https://a.test/é?b='c'", "-x $(y)\n two"):
            done = self.run_alone(text + "\n\n", by="qr")
            command = ["qrencode", "--type=UTF8", "--level=L", "--8bit", "--output=-"]
            self.assertEqual(done.stdout, subprocess.run(command, input=text.encode(), capture_output=True, check=True).stdout)
            self.assertTrue(done.stdout.startswith("█".encode()))
        self.assertEqual(self.run_alone("a" * 2953, by="qr").returncode, 0)

    def test_what_is_no_qr_code_says_why(self):
        self.programs.add("qrencode", ("*", ""))
        self.assertEqual(self.refused("a" * 2954, 65, by="qr"), "a QR code has at most 2953 bytes, and this has 2954")
        self.assertEqual(self.refused("\n\n", 65, by="qr"), "there is nothing to show")
        for content in (b"a\0b", b"\x89PNG\xff"):
            self.assertEqual(self.refused(content, 65, by="qr"), "a QR code is for text")

    def test_a_missing_program_and_a_failure_are_named(self):
        for by, words in (
            ("scp", "scp is not installed; install it with: apt install openssh-client"),
            ("rsync", "rsync is not installed; install it with: apt install rsync"),
            ("croc", "croc is not installed; get it from https://github.com/schollz/croc"),
            ("qr", "qrencode is not installed; install it with: apt install qrencode"),
        ):
            self.assertEqual(self.refused("a", 69, by=by, host="there"), words)
        self.programs.add("croc")
        self.assertIn("systemd-run is not installed; croc needs it", self.refused("a", 69, by="croc"))
        self.programs.add("rsync", ("*", "\nWarning: Permanently added\nrsync: broken\r\nmore\n", 12))
        self.assertEqual(self.refused("a", 1, by="rsync", host="there"), "rsync: broken")


if __name__ == "__main__":
    unittest.main()
