import Glibc
import WidgetKitCore
import WidgetPlatform

/// The part of the system that every widget may read, as arguments of bwrap(1) and as paths.
///
/// Those are programs and libraries, and the settings in /etc that they need.
struct SystemView: Sendable {
  /// The options for all widgets.
  let arguments: [String]
  /// The options for widgets that use the network.
  let networkArguments: [String]
  /// The options for widgets that use the network of the machine, beside these.
  let resolverArguments: [String]
  /// What the resolv.conf(5) of the machine says about searching.
  private let searching: [String]
  /// Small files that each sandbox gets a copy of, as a mount costs more than that.
  let copiedFiles: [String]
  /// The files and folders of all widgets; not each of them needs to exist.
  let paths = folders + (settings + smallSettings + users).map { "/etc/\($0)" }
  /// The files and folders of widgets that use the network.
  let networkPaths = (networkSettings + [resolver]).map { "/etc/\($0)" }

  /// Folders of programs and libraries.
  private static let folders = [
    "/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/opt", "/nix/store",
    "/gnu/store", "/run/current-system",
  ]
  /// Settings of libraries; none of them has secrets, also where root reads them.
  private static let settings = [
    "alternatives", "fonts", "localtime", "os-release", "pki/ca-trust", "pki/tls/certs",
    "ssl/certs", "terminfo",
  ]
  private static let smallSettings = [
    "ld.so.cache", "locale.conf", "lsb-release", "mime.types", "nsswitch.conf", "ssl/openssl.cnf",
    "timezone",
  ]
  /// The names of users and groups, of which bwrap makes shorter ones.
  private static let users = ["group", "passwd"]
  private static let networkSettings = [
    "gai.conf", "host.conf", "hosts", "protocols", "services",
  ]
  /// The name servers, which are others in a network of its own.
  private static let resolver = "resolv.conf"

  /// Looks at the system.
  init() {
    let etc = { (names: [String]) in names.flatMap { Self.entry("/etc/\($0)") } }
    let (copied, others) = Self.divided(Self.smallSettings)
    copiedFiles = copied
    arguments = Self.folders.flatMap(Self.entry) + etc(Self.settings + others)
    networkArguments = etc(Self.networkSettings)
    resolverArguments = etc([Self.resolver])
    searching = Self.searching()
  }

  /// The resolv.conf(5) of a widget with a network of its own.
  ///
  /// - Parameter nameServer: The address of its name server; nil for none.
  /// - Returns: The bytes of the file.
  func resolver(asking nameServer: String?) -> [UInt8] {
    let lines = (nameServer.map { ["nameserver \($0)"] } ?? []) + searching
    return Array(lines.map { $0 + "\n" }.joined().utf8)
  }

  private static func searching() -> [String] {
    let bytes = UserFile.bytes("/etc/\(resolver)", byteLimit: 64 * 1_024) ?? []
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
      .filter { line in ["search ", "options "].contains { line.hasPrefix($0) } }
  }

  /// The names in /etc of files that can be copied, as paths, and the others.
  private static func divided(_ names: [String]) -> (copied: [String], others: [String]) {
    var status = stat()
    let others = names.filter { name in
      unsafe lstat("/etc/\(name)", &status) != 0 || status.st_mode & S_IFMT != S_IFREG
    }
    return (names.filter { !others.contains($0) }.map { "/etc/\($0)" }, others)
  }

  /// The options that show a file or a folder at its own place, also where it is a link; none if it does
  /// not exist.
  private static func entry(_ path: String) -> [String] {
    var status = stat()
    guard unsafe lstat(path, &status) == 0 else { return [] }
    guard status.st_mode & S_IFMT == S_IFLNK else { return ["--ro-bind", path, path] }
    guard let target = SymbolicLink.target(path), let resolved = resolvedPath(path) else {
      return []
    }
    // A link keeps its own text, which for /etc/localtime is the name of the zone.
    if target.hasPrefix("usr/") || target.hasPrefix("/usr/") || target.hasPrefix("../usr/") {
      return ["--symlink", target, path]
    }
    return ["--ro-bind", resolved, path]
  }
}
