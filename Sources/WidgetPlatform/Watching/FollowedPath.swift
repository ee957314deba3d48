import Glibc

/// The folders in which a change can give a path another file: its own, and those of every link on
/// the way to it.
package struct FollowedPath: Hashable, Sendable {
  /// The folders, without links; those that can be watched.
  package private(set) var folders: Set<String> = []
  /// The names in them that matter: of the file, of links, or of the first folder that is missing.
  package private(set) var names: Set<String> = []

  /// As many links as Linux follows (path_resolution(7)).
  private static let linkLimit = 40

  /// Follows an absolute path as far as it leads at present.
  package init(_ path: String) {
    var rest = Self.parts(path)
    var folder = ""
    var links = 0
    while let name = rest.popLast() {
      let place = "\(folder)/\(name)"
      if name == ".." {
        folder = String(folder[..<(folder.lastIndex(of: "/") ?? folder.startIndex)])
      } else if let target = SymbolicLink.target(place), links < Self.linkLimit {
        links += 1
        note(name, in: folder)
        if target.hasPrefix("/") { folder = "" }
        rest += Self.parts(target)
      } else if !rest.isEmpty, Self.isFolder(place) {
        folder = place
      } else {
        note(name, in: folder)
        return
      }
    }
  }

  private mutating func note(_ name: String, in folder: String) {
    names.insert(name)
    let path = folder.isEmpty ? "/" : folder
    if unsafe access(path, R_OK | X_OK) == 0 { folders.insert(path) }
  }

  /// The parts of a path, the last one first.
  private static func parts(_ path: String) -> [String] {
    path.split(separator: "/").filter { $0 != "." }.reversed().map(String.init)
  }

  private static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }
}
