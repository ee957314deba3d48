import Glibc
import WidgetKitCore
import WidgetPlatform

/// The repository of git in which the program was started.
struct GitRepository {
  /// The folder of its files.
  let root: String
  private let git: String
  private let environment: [String: String]

  /// The bytes that git may print, and how long it may take.
  private static let byteLimit = 64 * 1024
  private static let patience = Duration.seconds(2)

  /// The repository of the current folder; nil if there is none, or no git.
  init?(environment: [String: String]) {
    guard let git = ToolSearch.path(of: "git", in: environment) else { return nil }
    guard let root = resolvedPath(".").flatMap(Self.root) else { return nil }
    (self.root, self.git, self.environment) = (root, git, environment)
  }

  /// The folder of the repository that a folder is in; nil if it is in none.
  private static func root(of folder: String) -> String? {
    var folder = folder
    while unsafe access("\(folder)/.git", F_OK) != 0 {
      guard let slash = folder.lastIndex(of: "/"), folder != "/" else { return nil }
      folder = slash == folder.startIndex ? "/" : String(folder[..<slash])
    }
    return folder
  }

  /// Whether a file is among its files, which those of git itself and of a repository within it are not.
  func contains(_ path: String) -> Bool {
    guard let file = resolvedPath(path) else { return false }
    let folder = OwnPath.split(file).folder
    let own = root == "/" ? "/.git/" : "\(root)/.git/"
    return Self.root(of: folder) == root && !file.hasPrefix(own)
  }

  /// Those of some names that are commits.
  func commits(among names: [String]) async -> Set<String> {
    guard !names.isEmpty else { return [] }
    let input = names.map { "\($0)^{commit}\n" }.joined()
    let output = await run(["cat-file", "--batch-check=%(objecttype)"], input: input)
    let answers = output.split(separator: "\n", omittingEmptySubsequences: false)
    return Set(zip(names, answers).filter { $0.1 == "commit" }.map(\.0))
  }

  /// The address in the web of its remote “origin”, without a slash at the end; nil if that has none.
  func webAddress() async -> String? {
    Self.webAddress(
      ofRemote: await run(["ls-remote", "--get-url", "origin"]).split(separator: "\n").first ?? ""
    )
  }

  /// “git@host:owner/name.git”, “ssh://git@host:22/owner/name” and “https://host/owner/name.git” as an address of the web.
  nonisolated static func webAddress(ofRemote remote: some StringProtocol) -> String? {
    var rest = Substring(remote)
    var host: Substring
    if let separator = rest.firstRange(of: "://") {
      guard ["https", "http", "ssh", "git"].contains(rest[..<separator.lowerBound]) else {
        return nil
      }
      rest = rest[separator.upperBound...]
      host = rest.prefix { $0 != "/" }
      rest = rest.dropFirst(host.count + 1)
      if let at = host.lastIndex(of: "@") { host = host[host.index(after: at)...] }
      host = host.prefix { $0 != ":" }
    } else {
      guard let colon = rest.firstIndex(of: ":") else { return nil }
      host = rest[..<colon]
      if let at = host.lastIndex(of: "@") { host = host[host.index(after: at)...] }
      rest = rest[rest.index(after: colon)...]
    }
    while rest.hasPrefix("/") { rest.removeFirst() }
    if rest.hasSuffix("/") { rest.removeLast() }
    if rest.hasSuffix(".git") { rest.removeLast(4) }
    let isPlain = (host + rest).utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
    guard isPlain, host.contains("."), rest.contains("/") else { return nil }
    return "https://\(host)/\(rest)"
  }

  private func run(_ arguments: [String], input: String = "") async -> String {
    let launch = LaunchDescription(
      program: git,
      arguments: arguments,
      environment: environment,
      folder: "."
    )
    let terms = ChildRun.Terms(
      isolation: .detached,
      input: input.isEmpty ? .nothing : .bytes(Array(input.utf8)),
      output: .kept(byteLimit: Self.byteLimit),
      time: Self.patience
    )
    let end = try? await ChildRun.end(of: launch, terms)
    guard let end, end.status == .exited(0), end.failure == nil else { return "" }
    return String(decoding: end.output, as: UTF8.self)
  }
}
