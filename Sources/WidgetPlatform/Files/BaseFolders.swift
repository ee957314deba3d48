import WidgetKitCore

/// The base folders of a user: the XDG base directory specification.
///
/// As the specification says, a path in the environment that is not absolute is ignored.
public struct BaseFolders: Sendable {
  private let environment: [String: String]
  /// The home folder; nil without one, or with a relative path, which would depend on the working folder.
  private let home: String?

  /// Where the folders of a user without a home are: there no file can be created, not even by root.
  private static let nowhere = "/dev/null"

  /// Reads `HOME` and the variables that begin with `XDG_`.
  public init(_ environment: [String: String]) {
    self.environment = environment
    home = HomeFolder(environment).path
  }

  /// The folder of settings: `$XDG_CONFIG_HOME`, else `~/.config`.
  public var configuration: String { folder("XDG_CONFIG_HOME", ".config") }
  /// The folder of data: `$XDG_DATA_HOME`, else `~/.local/share`.
  public var data: String { folder("XDG_DATA_HOME", ".local/share") }
  /// The folder of state that survives a restart: `$XDG_STATE_HOME`, else `~/.local/state`.
  public var state: String { folder("XDG_STATE_HOME", ".local/state") }
  /// The folder of files that can be recreated: `$XDG_CACHE_HOME`, else `~/.cache`.
  public var cache: String { folder("XDG_CACHE_HOME", ".cache") }
  /// The folder of files that end with the session: `$XDG_RUNTIME_DIR`, or nil if it is not set.
  public var runtime: String? { absolute("XDG_RUNTIME_DIR") }

  /// The folders of data for all users, in order: `$XDG_DATA_DIRS`, else `/usr/local/share:/usr/share`.
  public var sharedData: [String] {
    let named = environment["XDG_DATA_DIRS"].flatMap { $0.isEmpty ? nil : $0 }
    return (named ?? "/usr/local/share:/usr/share").split(separator: ":").map(String.init)
      .filter { $0.hasPrefix("/") }
  }

  /// Whether the user has a data folder; without `HOME` there may be none.
  public var hasData: Bool { home != nil || absolute("XDG_DATA_HOME") != nil }

  /// Whether the user has a folder of settings.
  public var hasConfiguration: Bool {
    home != nil || absolute("XDG_CONFIG_HOME") != nil
  }

  private func folder(_ variable: String, _ standard: String) -> String {
    absolute(variable) ?? "\(home ?? Self.nowhere)/\(standard)"
  }

  private func absolute(_ variable: String) -> String? {
    environment[variable].flatMap { $0.hasPrefix("/") ? $0 : nil }
  }
}
