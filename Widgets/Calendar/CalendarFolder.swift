import CalendarFormats
import FoundationEssentials
import Glibc

/// Folders with `.ics` files, which are read again when they have changed.
struct CalendarFolder {
  private static let fileLimit = 200
  private static let byteLimit: UInt64 = 8 * 1024 * 1024

  /// The files that could be read, with their names.
  private(set) var files: [(name: String, file: CalendarFile)] = []
  /// The errors, a line for each file or folder.
  private(set) var troubles: [String] = []
  /// Where the files are.
  let paths: [String]

  private let isOptional: Bool
  private var seen: [Stamp]?
  /// The errors of folders that could not be read.
  private var missing: [String] = []

  /// The properties that change with the contents of a file.
  private struct Stamp: Hashable {
    var path: String
    /// The file itself, where the path is a link.
    var target: String
    var isRegular = false
    var file: UInt64?
    /// Seconds and nanoseconds of the last change of the content, and of the file.
    var times: [Int] = []
    var size: Int?
  }

  /// Creates a reader for folders; a missing one is no error if `isOptional`.
  init(paths: [String], isOptional: Bool) {
    self.paths = paths
    self.isOptional = isOptional
  }

  /// Why a folder cannot be read, in words.
  private static func reason(_ path: String) -> String {
    var isFolder = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
      return "There is no folder \(path)"
    }
    return isFolder
      ? "The folder \(path) cannot be read"
      : "\(path) is a file; the setting names the folder in which it is"
  }

  /// Reads the files if any of them has changed.
  ///
  /// - Returns: Whether one has.
  mutating func refresh() -> Bool {
    var missing: [String] = []
    var stamps: [Stamp] = []
    for path in paths {
      do {
        let names = try FileManager.default.contentsOfDirectory(atPath: path)
        let files = names.filter(Self.isCalendar).sorted()
        stamps += files.map { stamp(of: path + "/" + $0) }
      } catch {
        if !isOptional { missing.append(Self.reason(path)) }
      }
    }
    guard stamps != seen || missing != self.missing else { return false }
    self.missing = missing
    let before = (files.map(\.file), troubles)
    files = []
    troubles = missing
    if stamps.count > Self.fileLimit {
      troubles.append("More than \(Self.fileLimit) files: the rest is left out")
    }
    for stamp in stamps.prefix(Self.fileLimit) { read(stamp) }
    seen = stamps
    return before.0 != files.map(\.file) || before.1 != troubles
  }

  /// Whether a file has the name of a calendar: of RFC 5545, or of vCalendar 1.0.
  static func isCalendar(_ name: String) -> Bool {
    [".ics", ".vcs"].contains { name.lowercased().hasSuffix($0) }
  }

  /// Whether there is no entry.
  var isEmpty: Bool { files.allSatisfy { $0.file.events.isEmpty } }

  private func stamp(of path: String) -> Stamp {
    let target = URL(filePath: path).resolvingSymlinksInPath().path
    var result = Stamp(path: path, target: target)
    var status = stat()
    guard unsafe stat(target, &status) == 0 else { return result }
    result.isRegular = status.st_mode & S_IFMT == S_IFREG
    result.file = UInt64(status.st_ino)
    result.times = [
      status.st_mtim.tv_sec, status.st_mtim.tv_nsec, status.st_ctim.tv_sec, status.st_ctim.tv_nsec,
    ]
    result.size = Int(status.st_size)
    return result
  }

  /// The folders in which a change can change the entries, with the names that matter there; nil for
  /// all calendar files.
  var watched: [String: Set<String>?] {
    var watched: [String: Set<String>?] = [:]
    for path in paths {
      let (folder, missing) = Self.nearest(path)
      guard let missing else {
        watched[folder] = .some(nil)
        continue
      }
      if let names = watched[folder] ?? [] { watched[folder] = names.union([missing]) }
    }
    // The files that links lead to.
    for stamp in seen ?? [] where stamp.target != stamp.path {
      let (folder, name) = Self.split(stamp.target)
      let (nearest, missing) = Self.nearest(folder)
      if let names = watched[nearest] ?? [] { watched[nearest] = names.union([missing ?? name]) }
    }
    return watched
  }

  /// The folder, or the nearest one above it that there is, with the name that is missing in that.
  private static func nearest(_ path: String) -> (folder: String, missing: String?) {
    var (folder, missing) = (path, String?.none)
    while unsafe access(folder, X_OK) != 0, folder.contains("/"), folder != "/" {
      let (above, name) = split(folder)
      (folder, missing) = (above, name)
    }
    return (folder, missing)
  }

  private static func split(_ path: String) -> (folder: String, name: String) {
    let parts = path.split(separator: "/")
    guard let name = parts.last else { return ("/", "") }
    return ("/" + parts.dropLast().joined(separator: "/"), String(name))
  }

  private mutating func read(_ stamp: Stamp) {
    let name = stamp.path.split(separator: "/").last ?? ""
    guard stamp.size ?? 0 <= Self.byteLimit else {
      troubles.append("\(name): larger than 8 MiB")
      return
    }
    // Reading a pipe would wait for ever.
    guard stamp.isRegular, let data = try? Data(contentsOf: URL(filePath: stamp.target)) else {
      troubles.append("\(name): cannot be read")
      return
    }
    let file = CalendarFile(parsing: data)
    files.append((String(name), file))
    if let trouble = file.trouble { troubles.append("\(name): \(trouble)") }
  }
}
