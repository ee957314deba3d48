import os
import pty
import socket
import tempfile
import unittest
from pathlib import Path

from extensions import Extension


class CopyTests(unittest.TestCase):
    def setUp(self):
        self.copy = Extension(self, "copy.sh")
        self.programs = self.copy.programs
        for name in ("mktemp", "grep", "wc", "id", "ps", "tr", "base64", "rm"):
            self.programs.add_real(name)
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.runtime = folder.name
        self.variables = {"XDG_RUNTIME_DIR": self.runtime}

    def run_alone(self, content, type="public.plain-text", **options):
        return self.copy.run(content, type, self.variables, self.programs.path, **options)

    def in_terminal(self, content):
        """What a terminal gets, and the exit status."""
        with tempfile.TemporaryFile() as file:
            file.write(content)
            file.seek(0)
            pid, terminal = pty.fork()
            if pid == 0:
                os.dup2(file.fileno(), 0)
                os.execve(self.copy.path, [self.copy.path], {"PATH": self.programs.path, **self.variables})
        shown = b""
        with os.fdopen(terminal, "rb", buffering=0) as stream:
            try:
                while part := stream.read(4096):
                    shown += part
            except OSError:
                pass  # The terminal is closed.
        return shown, os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])

    def test_a_terminal_gets_text(self):
        self.assertEqual(self.in_terminal("hé\n".encode()), (b"\x1b]52;c;aMOpCg==\x07", 0))

    def test_a_terminal_gets_nothing_else_and_nothing_long(self):
        for content in (b"\x89PNG\xff", b"a" * 74995):
            shown, status = self.in_terminal(content)
            self.assertEqual(status, 69)
            self.assertNotIn(b"\x1b", shown)

    def test_tmux_is_asked_in_its_place(self):
        self.programs.add("ps", ("*", "pts/7\n"))
        self.programs.add("tmux", ("list-panes*", "/dev/pts/3\n/dev/pts/7\n"), ("load-buffer*", ""))
        self.assertEqual(self.run_alone("a").returncode, 0)
        self.assertTrue(self.programs.calls("tmux")[1].startswith("load-buffer -w /"))

    def test_a_desktop_gets_the_content_with_its_type(self):
        with socket.socket(socket.AF_UNIX) as server:
            server.bind(str(Path(self.runtime, "wayland-0")))
        self.programs.add("wl-copy")
        self.programs.add("systemd-run", ("*", ""))
        self.assertEqual(self.run_alone(b"\x89PNG\xff", "public.png").returncode, 0)
        self.run_alone("text")
        calls = self.programs.calls("systemd-run")
        self.assertIn("--property=StandardInput=file:/", calls[0])
        self.assertTrue(calls[0].endswith(" --setenv=WAYLAND_DISPLAY=wayland-0 wl-copy --foreground --type image/png"))
        self.assertTrue(calls[1].endswith(" --setenv=WAYLAND_DISPLAY=wayland-0 wl-copy --foreground"))

    def test_an_x_server_gets_it_where_there_is_no_wayland(self):
        self.programs.add("xclip")
        self.programs.add("systemd-run", ("*", ""))
        self.variables["DISPLAY"] = ":7"
        self.assertEqual(self.run_alone("<b>", "public.html", to="desktop").returncode, 0)
        call = self.programs.calls("systemd-run")[0]
        self.assertTrue(call.endswith(" --setenv=DISPLAY=:7 xclip -quiet -selection clipboard -t text/html"))

    def test_without_any_clipboard_it_says_so(self):
        for options in ({}, {"to": "terminal"}, {"to": "desktop"}):
            done = self.run_alone("a", **options)
            self.assertEqual(done.returncode, 69)
            self.assertIn(b"there is no clipboard", done.stderr)

    def test_no_copy_is_left_behind(self):
        self.variables["TMPDIR"] = self.runtime
        self.run_alone("a")
        self.assertEqual(os.listdir(self.runtime), [])


if __name__ == "__main__":
    unittest.main()
