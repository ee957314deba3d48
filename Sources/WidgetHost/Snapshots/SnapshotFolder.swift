import FoundationEssentials
import Glibc

/// What is cleared away among the snapshots' files.
nonisolated enum SnapshotFolder {
  /// The temporary file for `path`, named after the process that writes it.
  static func temporary(for path: String) -> String { "\(path).\(getpid()).tmp" }

  /// Removes a card's folder with all that is in it.
  static func remove(_ folder: String) {
    for name in names(in: folder) { unsafe unlink("\(folder)/\(name)") }
    unsafe rmdir(folder)
  }

  /// Removes temporary files in the folders below `folder` whose writers are gone.
  ///
  /// Called from the writer's own queue, so that none of this process's is being written. A number
  /// that another process has meanwhile must not keep a file for ever: after a minute it goes too.
  static func removeStrays(below folder: String) {
    for widget in names(in: folder) {
      for name in names(in: "\(folder)/\(widget)") where name.hasSuffix(".tmp") {
        let path = "\(folder)/\(widget)/\(name)"
        guard let writer = name.split(separator: ".").dropLast().last.flatMap({ pid_t($0) }),
          writer != getpid(), kill(writer, 0) == 0 || errno == EPERM,
          age(of: path).map({ $0 < 60 }) ?? false
        else {
          unsafe unlink(path)
          continue
        }
      }
    }
  }

  /// Removes the files that were written longest ago, where there are more than `limit`.
  static func removeOldest(besides path: String, limit: Int) {
    let folder = String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
    let files = names(in: folder).filter { $0.hasSuffix(".json") }.map { "\(folder)/\($0)" }
    guard files.count > limit else { return }
    let others = files.filter { $0 != path }
      .map { (path: $0, age: age(of: $0) ?? .infinity) }.sorted { $0.age < $1.age }
    for file in others.dropFirst(limit - 1) { unsafe unlink(file.path) }
  }

  private static func age(of path: String) -> Double? {
    var status = stat()
    guard unsafe lstat(path, &status) == 0 else { return nil }
    return Date().timeIntervalSince1970 - Double(status.st_mtim.tv_sec)
      - Double(status.st_mtim.tv_nsec) / 1e9
  }

  private static func names(in folder: String) -> [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
  }
}
