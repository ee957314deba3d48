/// The base folders of a user: the XDG base directory specification.
///
/// As the specification says, a path in the environment that is not absolute is ignored.
public nonisolated struct BaseFolders: Sendable {
  private let environment: [String: String]

  /// Reads `HOME` and the variables that begin with `XDG_`.
  public init(_ environment: [String: String]) {
    self.environment = environment
  }

  /// Where settings are: `$XDG_CONFIG_HOME`, else `~/.config`.
  public var configuration: String { folder("XDG_CONFIG_HOME", ".config") }
  /// Where data is: `$XDG_DATA_HOME`, else `~/.local/share`.
  public var data: String { folder("XDG_DATA_HOME", ".local/share") }
  /// Where state is that outlives a restart: `$XDG_STATE_HOME`, else `~/.local/state`.
  public var state: String { folder("XDG_STATE_HOME", ".local/state") }
  /// Where is what can be made again: `$XDG_CACHE_HOME`, else `~/.cache`.
  public var cache: String { folder("XDG_CACHE_HOME", ".cache") }
  /// Where is what ends with the session: `$XDG_RUNTIME_DIR`; nil where there is none.
  public var runtime: String? { absolute("XDG_RUNTIME_DIR") }

  /// Where data of all users is, in order: `$XDG_DATA_DIRS`, else `/usr/local/share:/usr/share`.
  public var sharedData: [String] {
    let named = environment["XDG_DATA_DIRS"].flatMap { $0.isEmpty ? nil : $0 }
    return (named ?? "/usr/local/share:/usr/share").split(separator: ":").map(String.init)
      .filter { $0.hasPrefix("/") }
  }

  /// Whether there is a folder of the user's own data at all: without `HOME` there may be none.
  public var hasData: Bool { environment["HOME"] != nil || absolute("XDG_DATA_HOME") != nil }

  private func folder(_ variable: String, _ standard: String) -> String {
    absolute(variable) ?? "\(environment["HOME"] ?? "/")/\(standard)"
  }

  private func absolute(_ variable: String) -> String? {
    environment[variable].flatMap { $0.hasPrefix("/") ? $0 : nil }
  }
}
