import FoundationEssentials

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
    var isRegular: Bool
    var modified: Date?
    var size: UInt64?
  }

  /// Creates a reader for folders; a missing one is no error if `isOptional`.
  init(paths: [String], isOptional: Bool) {
    self.paths = paths
    self.isOptional = isOptional
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
        let files = names.filter { $0.lowercased().hasSuffix(".ics") }.sorted()
        stamps += files.map { stamp(of: path + "/" + $0) }
      } catch {
        if !isOptional { missing.append("The folder \(path) cannot be read") }
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

  /// Whether there is no entry.
  var isEmpty: Bool { files.allSatisfy { $0.file.events.isEmpty } }

  private func stamp(of path: String) -> Stamp {
    let target = URL(filePath: path).resolvingSymlinksInPath().path
    let attributes = try? FileManager.default.attributesOfItem(atPath: target)
    return Stamp(
      path: path,
      target: target,
      isRegular: attributes?[.type] as? FileAttributeType == .typeRegular,
      modified: attributes?[.modificationDate] as? Date,
      size: attributes?[.size] as? UInt64
    )
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
