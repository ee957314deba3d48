import Glibc
import WidgetKitCore
import WidgetPlatform

/// The programs that run others, which their arguments name: who permits one of them with any arguments permits
/// everything.
enum LaunchingPrograms {
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

  /// Whether a file is one of them under another name: a hard link, or a copy.
  static func isSameFile(_ path: String) -> Bool {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return false }
    return folders.contains { folder in
      names.contains { name in
        var other = stat()
        let place = "\(folder)/\(name)"
        guard unsafe stat(place, &other) == 0, other.st_size == status.st_size else { return false }
        return (other.st_dev, other.st_ino) == (status.st_dev, status.st_ino)
          || contents(place) == contents(path)
      }
    }
  }

  private static let folders = ["/usr/bin", "/bin", "/usr/sbin", "/sbin", "/usr/local/bin"]

  /// The bytes of a program; those of a large one from its beginning.
  private static func contents(_ path: String) -> [UInt8] {
    let file = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else { return Array(path.utf8) }
    defer { close(file) }
    return unsafe [UInt8](unsafeUninitializedCapacity: comparedBytes) { buffer, count in
      count = max(0, unsafe read(file, buffer.baseAddress, buffer.count))
    }
  }

  private static let comparedBytes = 1 << 20

  /// `python` for `python3.11`, `vim` for `vim.basic`, `php` for `php8.2-cli`.
  private static func withoutVersion(_ name: String) -> String {
    let end = name.firstIndex { $0.isNumber || $0 == "." } ?? name.endIndex
    let short = name[..<end]
    return String(short.hasSuffix("-") ? short.dropLast() : short)
  }

  private static let names: Set<String> = shells.union(builtins).union(interpreters)
    .union(launchers).union(terminals).union(editors).union(tools).union(writers)

  private static let shells: Set<String> = [
    "ash", "bash", "busybox", "csh", "dash", "elvish", "fish", "ion", "ksh", "ksh93", "lksh",
    "mksh", "nu", "osh", "oksh", "pdksh", "posh", "pwsh", "rbash", "rc", "rksh", "sash", "sh",
    "tcsh", "toybox", "xonsh", "yash", "zsh",
  ]

  /// What a shell does itself, in case there is a program of that name.
  private static let builtins: Set<String> = [
    ".", "alias", "bind", "builtin", "command", "complete", "coproc", "enable", "eval", "exec",
    "fc", "source", "trap",
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
    "anacron", "apptainer", "awesome-client", "bspc", "calife", "cgiexec", "cpulimit", "cron",
    "crun", "dex", "direnv", "dmenu_run", "exo-open", "fakechroot", "fuzzel", "gamemoderun",
    "gdbserver", "gksu", "gtk-launch", "heaptrack", "herbstclient", "hyprctl", "incus", "jexec",
    "kdesu", "kde-open", "kioclient", "ksu", "kstart", "ld", "ldd", "logrotate", "mpirun",
    "niri", "nvidia-smi", "optirun", "please", "pon", "pppd", "primusrun", "procmail", "pv",
    "qsub", "qtile", "rofi", "rr", "run-mailcap", "run0", "runc", "runsv", "runsvdir", "s6-setsid",
    "salloc", "sbatch", "schroot", "see", "sem", "sendmail", "sensible-browser",
    "sensible-editor", "sensible-pager", "sensible-terminal", "setlock", "singularity", "srun",
    "ssh-add", "ssh-agent", "ssh-copy-id", "ssh-keygen", "sshd", "sslh", "sudo-rs", "supervisord",
    "svlogd", "tcpserver", "trace-cmd", "tsp", "uwsgi", "virsh", "websocketd", "wine", "wofi",
    "x-www-browser", "xdg-desktop-menu", "xdg-email", "xinetd", "xvfb", "ydotool", "zutils",
    "wezterm", "xterm", "alacritty", "foot", "footclient", "kitty", "konsole", "gnome-terminal",
    "urxvt", "st", "x-terminal-emulator", "xfce4-terminal",
  ]

  private static let terminals: Set<String> = [
    "abduco", "agetty", "aterm", "byobu", "ghostty", "guake", "kgx", "lxterminal",
    "mate-terminal", "mlterm", "openvt", "ptyxis", "qterminal", "rxvt", "sakura", "stterm",
    "terminator", "termite", "terminology", "tilda", "tilix", "tmate", "ttyd", "uxterm", "yakuake",
    "zellij", "zutty",
  ]

  /// Programs that write any file, from which another program then reads what to run.
  private static let writers: Set<String> = [
    "7z", "7za", "7zr", "ar", "aria2c", "bsdtar", "cp", "cpio", "curl", "dd", "install", "ln", "mv",
    "patch", "pax", "tee", "unar", "unsquashfs", "unzip", "wget2",
  ]

  private static let editors: Set<String> = [
    "ed", "editor", "emacs", "emacsclient", "ex", "helix", "hx", "joe", "kak", "less", "man", "mg",
    "micro", "more", "most", "mutt", "nano", "neomutt", "nvim", "pager", "pico", "pg", "red",
    "rview", "rvim", "vi", "view", "vim", "vimdiff", "visudo", "vipw",
  ]

  private static let tools: Set<String> = [
    "ant", "as", "asdf", "bazel", "bison", "bochs", "brew", "bwrap", "c++", "cc", "clang",
    "compile_et", "conda", "convert", "cscope", "ctags", "debconf", "dmsetup", "dpkg-reconfigure",
    "dumpcap", "elinks", "etags", "g++", "gdk-pixbuf-query-loaders", "ghostscript", "gpg",
    "gpg-agent", "gpgconf", "gpgsm", "gradle", "gs", "guix", "info", "ip", "ipython", "javac",
    "jupyter", "kmod", "latex", "links", "lualatex", "lynx", "magick", "mail", "mailx", "meson",
    "mise", "mogrify", "mvn", "nix", "nix-env", "nix-shell", "nmcli", "openssl", "openvpn",
    "pdflatex", "pdftex", "poetry", "pre-commit", "pytest", "qemu", "rust-gdb", "rustc", "sbt",
    "scons", "sort", "tc", "tex", "tig", "tox", "tshark", "update-alternatives", "virt-install",
    "w3m", "wg-quick", "wireshark", "xelatex", "xsltproc", "zmv",
    "ansible", "ansible-playbook", "apt", "apt-get", "aptitude", "autossh", "busctl", "bundle",
    "cargo", "cmake", "cpan", "dbus-send", "dnf", "dpkg", "easy_install", "eb", "fd", "fdfind",
    "find", "fzf", "ftp", "gcc", "gdb", "gdbus", "gem", "gio", "git", "gmake", "hg", "just", "lldb",
    "make", "mosh", "mount", "mysql", "nc", "ncat", "netcat", "ninja", "nmap", "pacman", "pdb",
    "psql", "qdbus", "rake", "rclone", "rlogin", "rpm", "rsh", "rsync", "scp", "sftp", "socat",
    "split", "sqlite", "ssh", "sshfs", "sshpass", "svn", "tar", "task", "tcpdump", "telnet",
    "terraform", "vagrant", "vlc", "mpv", "wget", "yum", "zip", "zypper",
  ]
}
