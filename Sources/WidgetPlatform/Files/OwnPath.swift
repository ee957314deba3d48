/// A path of the program, split where its own files begin.
///
/// Each of the XDG folders contains a folder `today`. The path up to it belongs to the user, who may
/// have put links anywhere; below it, only the program creates files, so that nothing may be a link. A
/// path without such a folder begins with its last folder.
package struct OwnPath {
  /// The folder that contains everything below, which may be reached through links.
  var base: String
  /// The folders and the file below, from the outermost to the innermost.
  var parts: [Substring]

  /// The name of the program's folder in each of the XDG folders.
  package static let folderName = "today"

  /// Splits the path of a folder.
  init(folder path: String) {
    // By bytes, as a path is split for each file that is used.
    let all = path.utf8.split(separator: 0x2F).map { Substring($0) }.filter { $0 != "." }
    let end = all.lastIndex { $0 == Self.folderName }.map { $0 + 1 } ?? all.count
    base = "/" + all[..<end].joined(separator: "/")
    parts = Array(all[end...])
  }

  /// Returns the folder and the name of a file.
  package static func split(_ path: String) -> (folder: String, name: String) {
    // By bytes, as the system does: a mark that follows a stroke would be one character with it.
    guard let slash = path.utf8.lastIndex(of: 0x2F) else { return (".", path) }
    return (String(path[..<slash]), String(path[path.utf8.index(after: slash)...]))
  }

  /// Whether a name refers to something in its folder, and not elsewhere.
  package static func isPlain(_ name: some StringProtocol) -> Bool {
    !name.isEmpty && name != "." && name != ".." && !name.utf8.contains { $0 == 0 || $0 == 0x2F }
  }
}
