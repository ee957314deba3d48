import Glibc

/// Folders in which a program works for a moment, named for its process.
package enum ScratchFolder {
  /// The beginnings of the names of those in which the gallery works.
  package static let galleryPrefixes = ["work-", "check-", "clone-", "making-"]
  /// The age in seconds after which a number can be that of another process.
  private static let longestWork = 24 * 3_600
  /// The age in seconds at which a folder is left alone in any case: a container has other numbers of processes.
  private static let shortestWork = 900

  /// A name that nothing has yet.
  package static func name(_ prefix: String) -> String {
    "\(prefix)\(getpid())-\(String(UInt64.random(in: .min ... .max), radix: 36))"
  }

  /// Removes what programs have left in a folder that were killed.
  package static func sweep(_ path: String, _ prefixes: [String] = galleryPrefixes) {
    guard let open = try? OwnFolder.open(path) else { return }
    for name in open.names() {
      guard let prefix = prefixes.first(where: name.hasPrefix) else { continue }
      let number = name.dropFirst(prefix.count).prefix { $0 != "-" }
      let isOwned = pid_t(number).map { !ProcFile.hasEnded($0) } ?? false
      guard let age = open.age(name), age > (isOwned ? longestWork : shortestWork) else { continue }
      open.removeTree(name)
    }
  }
}
