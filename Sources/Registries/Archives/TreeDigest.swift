import Glibc
import WidgetPlatform

/// The digest of a file, or of a folder with the names, contents and executability of its files: whether what is
/// installed is what was installed.
nonisolated struct TreeDigest {
  private var digest = SHA256Digest()
  private var entries = 0
  private let limits: TreeLimits

  private init(_ limits: TreeLimits) { self.limits = limits }

  /// The digest of what is at a path; nil if there is nothing, or something that is never installed.
  static func hex(of path: String, _ limits: TreeLimits = TreeLimits()) -> String? {
    var tree = TreeDigest(limits)
    let place = OwnPath.split(path)
    guard let folder = try? OwnFolder.openThroughLinks(place.folder, makes: false),
      tree.add(place.name, in: folder, as: "", depth: 0)
    else { return nil }
    return tree.digest.hex()
  }

  private mutating func add(
    _ name: String,
    in folder: borrowing OwnFolder,
    as path: String,
    depth: Int
  ) -> Bool {
    entries += 1
    guard entries <= limits.entries, depth <= limits.depth,
      let status = folder.status(name)
    else { return false }
    switch status.st_mode & S_IFMT {
    case S_IFREG:
      guard let file = try? folder.file(name, O_RDONLY) else { return false }
      let isProgram = status.st_mode & 0o100 != 0
      note("\(isProgram ? "program" : "file") \(path.utf8.count) \(path) \(status.st_size)\n")
      addContents(of: file)
      return true
    case S_IFDIR:
      guard let inside = try? folder.folder(name) else { return false }
      note("folder \(path.utf8.count) \(path)\n")
      for child in inside.names(limit: limits.entries + 1).sorted() {
        guard add(child, in: inside, as: "\(path)/\(child)", depth: depth + 1) else { return false }
      }
      return true
    default: return false
    }
  }

  private mutating func note(_ line: String) { digest.update(Array(line.utf8)) }

  private mutating func addContents(of file: borrowing Descriptor) {
    var offset = 0
    while true {
      let piece = file.read(128 << 10, from: offset)
      guard !piece.isEmpty else { return }
      digest.update(piece)
      offset += piece.count
    }
  }
}
