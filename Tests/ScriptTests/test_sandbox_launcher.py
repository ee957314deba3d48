"""The launcher of the sandbox without namespaces, as root and as an ordinary user, with each version of Landlock."""

import ctypes
import json
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CREATE_RULESET = 444
VERSION = ctypes.CDLL(None).syscall(CREATE_RULESET, None, 0, 1)
SYSTEM = ["/usr", "/bin", "/sbin", "/lib", "/lib64", "/etc/ld.so.cache", "/etc/passwd"]
# What a widget can do at this level: the last one is what the level does not hold.
ALLOWED = {
    "its bundle", "its data", "its cache", "the time of its file", "its temporary folder", "a process",
    "the time zones", "the existence of a file", "a pair of streams", "a pair of packets",
}


def compiled(folder, name, sources, *options):
    flags = ["-std=gnu17", "-D_GNU_SOURCE", "-Wall", "-Wextra", "-Werror", "-O1"]
    path = f"{folder}/{name}"
    subprocess.run(["cc", *flags, *options, *sources, "-o", path], check=True)
    os.chmod(path, 0o755)
    return path


@unittest.skipUnless(VERSION > 0, "this kernel has no Landlock")
class SandboxLauncher(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        # Not below a folder that only root may enter.
        cls.tools = tempfile.mkdtemp()
        cls.addClassCleanup(shutil.rmtree, cls.tools)
        os.chmod(cls.tools, 0o755)
        sources = sorted(map(str, (ROOT / "Sources/SandboxLauncher").glob("*.c")))
        cls.launcher = compiled(cls.tools, "sandbox-launcher", [*sources, "-lseccomp"])

    def setUp(self):
        self.folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        for name in ("home", "data", "cache", "run"):
            (self.folder / name).mkdir()
        shutil.copytree(ROOT / "Tests/Fixtures/Hostile.widget", self.folder / "Hostile.widget")
        (self.folder / "home/secret").write_text("secret")
        self.allowed = {f"read:{path}" for path in SYSTEM if os.path.exists(path)}
        self.allowed |= {f"device-try:/dev/{name}" for name in ("null", "zero", "urandom")}
        self.allowed |= {f"read:{self.folder}/Hostile.widget"}
        self.allowed |= {f"write:{self.folder}/{name}" for name in ("data", "cache")}
        self.environment = {
            "PATH": "/usr/bin:/bin",
            "HOME": f"{self.folder}/home",
            "TODAY_DATA": f"{self.folder}/data",
            "TODAY_CACHE": f"{self.folder}/cache",
            "TMPDIR": f"{self.folder}/cache",
            "TODAY_TEST_SECRETS": json.dumps([f"{self.folder}/home/secret", "/root", "/var/log"]),
            "TODAY_TEST_PID": str(os.getpid()),
            "TODAY_TEST_SOCKETS": '["/none", "none", 1, 9]',
        }

    def run_in(self, rules, *command, user=None, **options):
        """Runs a command in the sandbox with these rules."""
        with tempfile.TemporaryFile() as listed:
            listed.write(b"".join(os.fsencode(rule) + b"\0" for rule in rules))
            listed.seek(0)

            def place():
                # Out of the way of the number that it gets.
                os.dup2(os.dup2(listed.fileno(), 30), 3)

            options = {"capture_output": True, "text": True, "stdin": subprocess.DEVNULL} | options
            return subprocess.run(
                [self.launcher, *command],
                env=self.environment,
                cwd=self.folder / "Hostile.widget",
                preexec_fn=place,
                pass_fds=(3,),
                timeout=60,
                start_new_session=True,
                user=user,
                group=user,
                extra_groups=[] if user else None,
                **options,
            )

    def attempts(self, *rules, user=None):
        if user:
            for path in [self.folder, *self.folder.rglob("*")]:
                os.chown(path, user, user)
        done = self.run_in(
            [*self.allowed, *rules], f"{self.folder}/Hostile.widget/hostile", user=user
        )
        lines = done.stdout.splitlines()
        self.assertEqual(lines[-1:], ["end"], done.stderr)
        return dict(line.split(": ", 1) for line in lines[:-1])

    def check(self, results, allowed=frozenset(ALLOWED)):
        # The limits are set by who starts the launcher.
        others = {"more memory", "more descriptors"}
        succeeded = {name for name, result in results.items() if result == "done"}
        self.assertEqual(succeeded - others, allowed)
        self.assertEqual((self.folder / "home/secret").read_text(), "secret")

    def test_a_widget_can_do_nothing_but_use_its_own_files_with_each_version(self):
        for version in range(1, VERSION + 1):
            with self.subTest(version=version):
                self.check(self.attempts(f"version:{version}"))

    @unittest.skipUnless(os.geteuid() == 0, "only root can become another user")
    def test_an_ordinary_user_is_held_in_the_same_way(self):
        # The same user as the host's process would be; a process of that user outside of the sandbox.
        user = 61_240
        with subprocess.Popen(["sleep", "600"], user=user, group=user, extra_groups=[]) as outside:
            self.addCleanup(outside.wait)
            self.addCleanup(outside.kill)
            self.environment["TODAY_TEST_PID"] = str(outside.pid)
            for version in range(1, VERSION + 1):
                with self.subTest(version=version):
                    self.check(self.attempts(f"version:{version}", user=user))
            outside.kill()

    def test_local_sockets_are_out_of_reach_with_and_without_the_network(self):
        path = f"{self.folder}/run/socket"
        name = f"today-test-{os.getpid()}"
        outer = []
        for kind, address in (
            (socket.SOCK_STREAM, path), (socket.SOCK_STREAM, "\0" + name),
            (socket.SOCK_DGRAM, path + ".datagrams"), (socket.SOCK_DGRAM, "\0" + name + ".datagrams"),
        ):
            each = socket.socket(socket.AF_UNIX, kind)
            self.addCleanup(each.close)
            each.bind(address)
            each.setblocking(False)
            if kind == socket.SOCK_STREAM:
                each.listen()
            outer.append(each)
        tcp = socket.create_server(("127.0.0.1", 0))
        self.addCleanup(tcp.close)
        self.environment["TODAY_TEST_SOCKETS"] = json.dumps([path, name, tcp.getsockname()[1], 9])
        self.check(self.attempts())
        network = self.attempts("network:")
        network.pop("UDP")  # Depends on the routes of this machine.
        self.check(network, ALLOWED | {"TCP"})
        for each in outer[:2]:
            self.assertRaises(BlockingIOError, each.accept)
        for each in outer[2:]:
            self.assertRaises(BlockingIOError, each.recv, 1)

    def test_a_folder_is_given_with_all_in_it_and_nothing_beside_it(self):
        home = self.folder / "home"
        (home / "shared").mkdir()
        (home / "shared/a").write_text("a")
        run = lambda kind, script: self.run_in(
            [*self.allowed, f"{kind}:{home}/shared"], "/bin/sh", "-c", f"cd {home}; {script}"
        ).returncode
        self.assertEqual(run("read", "cat shared/a"), 0)
        self.assertNotEqual(run("read", "echo b > shared/a"), 0)
        self.assertNotEqual(run("read", "echo b > shared/b"), 0)
        self.assertEqual(run("write", "echo b > shared/b && mkdir shared/c && mv shared/b shared/c/d"), 0)
        self.assertNotEqual(run("write", "echo b > beside"), 0)
        self.assertEqual((home / "shared/c/d").read_text(), "b\n")

    def test_a_link_in_the_place_of_its_own_folder_is_not_followed(self):
        os.rename(self.folder / "data", self.folder / "moved")
        os.symlink(self.folder / "home", self.folder / "data")
        done = self.run_in(self.allowed, "/bin/true")
        self.assertEqual(done.returncode, 125)
        self.assertIn(f"cannot open {self.folder}/data", done.stderr)

    def test_it_becomes_the_program_and_leaves_it_no_descriptors(self):
        self.assertEqual(self.run_in(self.allowed, "/bin/sh", "-c", "exit 7").returncode, 7)
        done = self.run_in(self.allowed, "/bin/sh", "-c", ": <&3")
        self.assertIn("Bad file descriptor", done.stderr)
        done = self.run_in(self.allowed, "/bin/sh", "-c", "read a < /proc/$$/comm; echo $a; kill -TERM $$")
        self.assertEqual((done.returncode, done.stdout), (-signal.SIGTERM, "sh\n"))

    def test_it_has_no_capabilities(self):
        python = "print(*[l for l in open('/proc/self/status') if l[:3] in ('Cap', 'NoN', 'Sec')], sep='')"
        done = self.run_in(self.allowed, "/usr/bin/python3", "-c", python)
        values = dict(line.split(":\t") for line in done.stdout.split("\n") if line)
        for name in ("CapInh", "CapPrm", "CapEff", "CapAmb"):
            self.assertEqual(int(values[name], 16), 0, name)
        self.assertEqual((values["NoNewPrivs"], values["Seccomp"]), ("1", "2"))

    def test_it_can_end_what_it_started(self):
        script = "sleep 600 & kill $! && wait $!; exit $?"
        done = self.run_in(self.allowed, "/bin/sh", "-c", script)
        # Older versions of Landlock do not tell its own processes from others.
        self.assertEqual(done.returncode, 128 + signal.SIGTERM if VERSION >= 6 else 1)

    def test_it_writes_the_filter_for_bubblewrap_whole_instructions_that_differ_by_local_sockets(self):
        written = [
            subprocess.run([self.launcher, "--filter", *words], check=True, capture_output=True).stdout
            for words in ([], ["local"])
        ]
        self.assertNotEqual(*written)
        for each in written:
            self.assertEqual((len(each) > 400, len(each) % 8), (True, 0))

    def test_what_is_wrong_is_named_and_nothing_is_started(self):
        for rules, words in (
            ([], "the rules are not complete"),
            (["write:/nowhere"], "cannot open /nowhere: No such file or directory"),
            (["read:relative"], "unknown rule read:relative"),
            (["all:/"], "unknown rule all:/"),
        ):
            with self.subTest(words=words):
                done = self.run_in(rules, "/bin/echo", "started")
                self.assertEqual((done.returncode, done.stdout), (125, ""))
                self.assertEqual(done.stderr, f"sandbox-launcher: {words}\n")
        done = self.run_in(self.allowed, "/bin/nothing")
        self.assertEqual(done.returncode, 126)
        self.assertEqual(
            done.stderr, "sandbox-launcher: cannot start /bin/nothing: No such file or directory\n"
        )


if __name__ == "__main__":
    unittest.main()
