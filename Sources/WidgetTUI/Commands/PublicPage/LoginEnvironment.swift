import FoundationEssentials
import Glibc
import WidgetPlatform

/// What a login may say of itself: the kind of its terminal, and nothing that changes what programs do here.
///
/// sshd passes on what its `AcceptEnv` names, and with `PermitUserEnvironment` whatever is in a file. The language is that
/// of the machine and not of the login, as all who look at a page share what its widgets have made.
nonisolated struct LoginEnvironment {
  /// The variables that remain.
  let variables: [String: String]

  private static let kept: Set<String> = [
    "HOME", "USER", "LOGNAME", "PATH", "TERM", "COLORTERM", "NO_COLOR", "TZ", "TMPDIR",
    "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME", "XDG_RUNTIME_DIR",
    "XDG_DATA_DIRS", "XDG_CONFIG_DIRS", "DBUS_SESSION_BUS_ADDRESS",
  ]
  /// Where Debian and others say which language the machine has.
  private static let localeFiles = ["/etc/default/locale", "/etc/locale.conf"]

  /// Leaves out of an environment what is not for a page for everybody.
  init(_ environment: [String: String], localeFiles: [String] = localeFiles) {
    var variables = environment.filter { Self.kept.contains($0.key) }
    for name in ["TERM", "COLORTERM"] {
      if let value = variables[name], !Self.isPlain(value) { variables[name] = nil }
    }
    variables["LANG"] = localeFiles.lazy.compactMap(Self.language).first ?? "C.UTF-8"
    self.variables = variables
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
