import FoundationEssentials
import Glibc
import WidgetPlatform

/// What a login may say of itself: the kind of its terminal, and nothing that changes what programs do here.
///
/// sshd passes on what its `AcceptEnv` names, and with `PermitUserEnvironment` whatever is in a file. What the machine says
/// of the user's folders cannot be told from that, so that only folders stay that no other user can change. The language
/// is that of the machine and not of the login, as all who look at a page share what its widgets have made.
nonisolated struct LoginEnvironment {
  /// The variables that remain.
  let variables: [String: String]

  private static let kept: Set<String> = ["HOME", "USER", "LOGNAME"]
  /// Names, and no paths or descriptions.
  private static let names: Set<String> = ["TERM", "COLORTERM", "NO_COLOR"]
  /// Folders, or several with colons between them.
  private static let folders: Set<String> = [
    "PATH", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME",
    "XDG_RUNTIME_DIR", "XDG_DATA_DIRS", "XDG_CONFIG_DIRS",
  ]
  /// The message bus, whose other kinds of address start programs.
  private static let bus = (name: "DBUS_SESSION_BUS_ADDRESS", prefix: "unix:path=")
  /// Where Debian and others say which language the machine has.
  private static let localeFiles = ["/etc/default/locale", "/etc/locale.conf"]

  /// Leaves out of an environment what is not for a page for everybody.
  init(_ environment: [String: String], localeFiles: [String] = localeFiles) {
    var variables = environment.filter { name, value in
      switch name {
      case _ where Self.kept.contains(name): true
      case _ where Self.names.contains(name): Self.isPlain(value)
      case "TZ": !value.hasPrefix(":") && !value.hasPrefix("/") && !value.contains("..")
      case _ where Self.folders.contains(name):
        value.split(separator: ":", omittingEmptySubsequences: false)
          .allSatisfy { Self.isSafe(String($0)) }
      case Self.bus.name:
        value.hasPrefix(Self.bus.prefix) && !value.contains { $0 == ";" || $0 == "," }
          && Self.isSafe(String(value.dropFirst(Self.bus.prefix.count)))
      default: false
      }
    }
    variables["LANG"] = localeFiles.lazy.compactMap(Self.language).first ?? "C.UTF-8"
    self.variables = variables
  }

  /// Whether a path leads, as far as it is there, to what only root and this user can change.
  private static func isSafe(_ path: String) -> Bool {
    guard path.hasPrefix("/"), !path.split(separator: "/").contains("..") else { return false }
    var rest = path
    var status = stat()
    while unsafe stat(rest, &status) < 0 {
      guard errno == ENOENT || errno == ENOTDIR, rest != "/" else { return false }
      let folder = OwnPath.split(rest).folder
      rest = folder.isEmpty ? "/" : folder
    }
    return [0, geteuid()].contains(status.st_uid) && status.st_mode & (S_IWGRP | S_IWOTH) == 0
  }

  /// Whether a text is a name, and no path or description.
  private static func isPlain(_ text: String) -> Bool {
    (1...64).contains(text.utf8.count)
      && text.utf8.allSatisfy { byte in
        FileNameCoding.isPlain(byte) || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "@")
      }
  }

  /// The language in a file of variables for a shell; nil if there is none, or none in UTF-8, which terminals are.
  private static func language(_ path: String) -> String? {
    let text = ProcFile.text(path) ?? ""
    for line in text.split(separator: "\n") where line.hasPrefix("LANG=") {
      let value = line.dropFirst(5).filter { $0 != "\"" && $0 != "'" }
      let encoding = value.lowercased()
      guard isPlain(value), encoding.hasSuffix(".utf-8") || encoding.hasSuffix(".utf8") else {
        return nil
      }
      return value
    }
    return nil
  }

  /// Makes it the environment of this process, before ncurses and the C library read theirs.
  func adopt() {
    for name in HostProcess.environment().keys where variables[name] == nil {
      unsafe unsetenv(name)
    }
    for (name, value) in variables { unsafe setenv(name, value, 1) }
  }
}
