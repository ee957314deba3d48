/// A path of the program's own, split where its own files begin.
///
/// Each of the XDG folders holds a folder `today`. Up to there the path is the user's, who may have
/// put links anywhere; below, only the program makes anything, so that nothing may be a link. A path
/// without such a folder begins with the last folder.
nonisolated struct OwnPath {
  /// The folder that everything below belongs to, reached through links where there are any.
  var base: String
  /// The folders and the file below, from the outside in.
  var parts: [Substring]

  /// The name of the program's folder in each of the XDG folders.
  static let folderName = "today"

  /// Splits the path of a folder.
  init(folder path: String) {
    let all = path.split(separator: "/").filter { $0 != "." }
    let end = all.lastIndex { $0 == Self.folderName }.map { $0 + 1 } ?? all.count
    base = "/" + all[..<end].joined(separator: "/")
    parts = Array(all[end...])
  }

  /// The folder and the name of a file.
  static func split(_ path: String) -> (folder: String, name: String) {
    guard let slash = path.lastIndex(of: "/") else { return (".", path) }
    return (String(path[..<slash]), String(path[path.index(after: slash)...]))
  }

  /// Whether a name stands for something in its folder, and for nothing elsewhere.
  static func isPlain(_ name: some StringProtocol) -> Bool {
    !name.isEmpty && name != "." && name != ".." && !name.utf8.contains { $0 == 0 || $0 == 0x2F }
  }
}
