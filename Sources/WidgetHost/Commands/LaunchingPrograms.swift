import WidgetKitCore

/// The programs that run others, which their arguments name: who permits one of them with any arguments permits
/// everything.
nonisolated enum LaunchingPrograms {
  /// Whether a program is one of them, by its name, without a version, or by that of the file to which it leads.
  static func contain(_ program: String) -> Bool {
    [program, resolvedPath(program) ?? program].contains { path in
      let name = OwnPath.split(path).name.lowercased()
      if name.hasPrefix("ld-linux") || name.hasPrefix("ld-musl") || name.hasPrefix("ld.so") {
        return true
      }
      return names.contains(name) || names.contains(withoutVersion(name))
    }
  }

  /// `python` for `python3.11`, `vim` for `vim.basic`, `php` for `php8.2-cli`.
  private static func withoutVersion(_ name: String) -> String {
    let end = name.firstIndex { $0.isNumber || $0 == "." } ?? name.endIndex
    let short = name[..<end]
    return String(short.hasSuffix("-") ? short.dropLast() : short)
  }

  private static let names: Set<String> = shells.union(interpreters).union(launchers)
    .union(editors).union(tools)

  private static let shells: Set<String> = [
    "ash", "bash", "busybox", "csh", "dash", "elvish", "fish", "ion", "ksh", "ksh93", "lksh",
    "mksh", "nu", "osh", "oksh", "pdksh", "posh", "pwsh", "rbash", "rc", "rksh", "sash", "sh",
    "tcsh", "toybox", "xonsh", "yash", "zsh",
  ]

  private static let interpreters: Set<String> = [
    "awk", "bc", "bpftrace", "bun", "clisp", "dart", "dc", "deno", "elixir", "erl", "escript",
    "expect", "gawk", "ghci", "gjs", "go", "gnuplot", "groovy", "guile", "irb", "java",
    "jrunscript", "julia", "jshell", "kotlin", "lua", "luajit", "m4", "mawk", "nawk", "node",
    "nodejs", "npm", "npx", "ocaml", "octave", "original-awk", "perl", "php", "pip", "pipx", "pnpm",
    "pypy", "python", "qjs", "r", "racket", "raku", "rscript", "ruby", "runghc", "sbcl", "scala",
    "sed", "swift", "swipl", "tclsh", "ts-node", "uv", "uvx", "wish", "yarn",
  ]

  private static let launchers: Set<String> = [
    "aa-exec", "at", "batch", "bwrap", "capsh", "catchsegv", "cgexec", "chpst", "chroot", "chrt",
    "choom", "command", "crontab", "daemon", "daemonize", "dbus-launch", "dbus-run-session",
    "dinit", "distrobox", "doas", "docker", "dtach", "env", "eatmydata", "exec", "faketime",
    "fakeroot", "firejail", "flatpak", "flock", "gosu", "i3-msg", "ionice", "kubectl", "linux32",
    "linux64", "ltrace", "lxc", "machinectl", "newgrp", "nerdctl", "nice", "nohup", "nsenter",
    "numactl", "parallel", "perf", "pkexec", "podman", "prlimit", "proot", "proxychains", "rlwrap",
    "run-parts", "runcon", "runuser", "screen", "script", "setarch", "setpriv", "setsid",
    "setuidgid", "sg", "snap", "softlimit", "start-stop-daemon", "stdbuf", "strace", "su", "sudo",
    "sudoedit", "sway", "swaymsg", "systemctl", "systemd-cat", "systemd-inhibit", "systemd-nspawn",
    "systemd-run", "taskset", "time", "timeout", "tini", "tmux", "toolbox", "torify", "torsocks",
    "trickle", "tsocks", "unbuffer", "unshare", "uname26", "valgrind", "waitpid", "watch",
    "watchexec", "xargs", "xdg-open", "xdotool", "xinit", "xvfb-run", "entr", "inotifywait",
    "wezterm", "xterm", "alacritty", "foot", "footclient", "kitty", "konsole", "gnome-terminal",
    "urxvt", "st", "x-terminal-emulator", "xfce4-terminal",
  ]

  private static let editors: Set<String> = [
    "ed", "editor", "emacs", "emacsclient", "ex", "helix", "hx", "joe", "kak", "less", "man", "mg",
    "micro", "more", "most", "mutt", "nano", "neomutt", "nvim", "pager", "pico", "pg", "red",
    "rview", "rvim", "vi", "view", "vim", "vimdiff", "visudo", "vipw",
  ]

  private static let tools: Set<String> = [
    "ansible", "ansible-playbook", "apt", "apt-get", "aptitude", "autossh", "busctl", "bundle",
    "cargo", "cmake", "cpan", "dbus-send", "dnf", "dpkg", "easy_install", "eb", "fd", "fdfind",
    "find", "fzf", "ftp", "gcc", "gdb", "gdbus", "gem", "gio", "git", "gmake", "hg", "just", "lldb",
    "make", "mosh", "mount", "mysql", "nc", "ncat", "netcat", "ninja", "nmap", "pacman", "pdb",
    "psql", "qdbus", "rake", "rclone", "rlogin", "rpm", "rsh", "rsync", "scp", "sftp", "socat",
    "split", "sqlite", "ssh", "sshfs", "sshpass", "svn", "tar", "task", "tcpdump", "telnet",
    "terraform", "vagrant", "vlc", "mpv", "wget", "yum", "zip", "zypper",
  ]
}
