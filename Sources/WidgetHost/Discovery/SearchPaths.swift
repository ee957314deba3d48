public import FoundationEssentials

/// The folders in which bundles are looked for, the first the most important.
public nonisolated struct SearchPaths: Hashable, Sendable {
  /// The folders, each once.
  public var folders: [String]
  /// The folder of the bundles that came with the program; nil where it is not looked at.
  public private(set) var bundled: String?
  /// Whether each of them must be there: they were named by the user.
  public var areRequired: Bool

  /// Makes the list of folders, by the XDG Base Directory Specification where none is named.
  ///
  /// - Parameters:
  ///   - named: What `--widgets` names; where there is anything, it alone counts.
  ///   - environment: The environment: `HOME`, `XDG_DATA_HOME` and `XDG_DATA_DIRS`. As the
  ///     specification has it, a path in it that is not absolute is of no account.
  ///   - executable: The program's own path; the bundles that came with it are in
  ///     `../lib/today/widgets` beside its folder.
  ///   - workingDirectory: What a relative path in `named` starts from.
  public init(
    named: [String] = [],
    environment: [String: String],
    executable: String?,
    workingDirectory: String = FileManager.default.currentDirectoryPath
  ) {
    areRequired = !named.isEmpty
    folders = []
    guard named.isEmpty else {
      for path in named {
        append(path.hasPrefix("/") ? path : "\(workingDirectory)/\(path)")
      }
      return
    }
    let base = BaseFolders(environment)
    for path in (base.hasData ? [base.data] : []) + base.sharedData where path.hasPrefix("/") {
      append("\(path)/today/widgets")
    }
    if let executable, let prefix = Self.prefix(of: executable) {
      append("\(prefix)/lib/today/widgets")
      bundled = "\(prefix)/lib/today/widgets"
    }
  }

  /// The path of the running program, links followed; nil where /proc is not there.
  public static func runningExecutable() -> String? {
    try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
  }

  private mutating func append(_ path: String) {
    let parts = path.split(separator: "/").filter { $0 != "." }
    let normalized = "/" + parts.joined(separator: "/")
    if !folders.contains(normalized) {
      folders.append(normalized)
    }
  }

  /// `/usr/local` of `/usr/local/bin/today`.
  private static func prefix(of executable: String) -> String? {
    let parts = executable.split(separator: "/").filter { $0 != "." }
    guard executable.hasPrefix("/"), parts.count > 1, !parts.contains("..") else { return nil }
    return "/" + parts.dropLast(2).joined(separator: "/")
  }
}
