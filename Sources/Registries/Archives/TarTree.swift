import Glibc
import WidgetKitCore
package import WidgetPlatform

/// An archive of `git archive` whose hash was checked, unpacked into a folder of the program.
///
/// The program reads it itself: of an archive of strangers it needs files and folders only, and everything else is
/// refused before a name of it is used.
package nonisolated struct TarTree: ~Copyable {
  private let file: Descriptor
  private let root: String
  private let limits: TreeLimits
  private var offset = 0
  private var bytes: UInt64 = 0
  private var entries = 0

  /// Unpacks an archive.
  ///
  /// - Parameters:
  ///   - file: The open archive.
  ///   - root: The path of an empty folder.
  ///   - limits: The limits on what is unpacked.
  /// - Throws: ``HostError`` that says what is refused; a part may be in the folder then.
  package static func unpack(
    _ file: consuming Descriptor,
    into root: String,
    _ limits: TreeLimits
  ) throws(HostError) {
    var tree = TarTree(file: file, root: root, limits: limits)
    try tree.unpackAll()
  }

  private init(file: consuming Descriptor, root: String, limits: TreeLimits) {
    (self.root, self.limits) = (root, limits)
    self.file = file
  }

  private mutating func unpackAll() throws(HostError) {
    var longPath: [UInt8]?
    while true {
      let block = try next(TarHeader.size)
      if TarHeader.isEnd(block) { return }
      guard let header = TarHeader(block) else {
        throw Self.refused("the archive is damaged")
      }
      let path = longPath ?? header.path
      longPath = nil
      switch header.kind {
      case .global: skip(header.byteCount)
      case .extended: longPath = try records(header)
      case .folder: try makeFolder(try parts(path, header), header)
      case .file: try makeFile(try parts(path, header), header)
      case .other(let words):
        throw Self.refused("\(Self.shown(path)): \(words)")
      }
    }
  }

  private mutating func next(_ count: Int) throws(HostError) -> [UInt8] {
    let bytes = file.read(count, from: offset)
    guard bytes.count == count else { throw Self.refused("the archive is cut off") }
    offset += count
    return bytes
  }

  /// Contents are filled up to whole blocks.
  private static func padded(_ count: UInt64) -> Int {
    let size = UInt64(TarHeader.size)
    return Int(clamping: count.addingReportingOverflow(size - 1).partialValue / size * size)
  }

  private mutating func skip(_ count: UInt64) {
    offset = offset.addingReportingOverflow(Self.padded(count)).partialValue
  }

  private mutating func records(_ header: TarHeader) throws(HostError) -> [UInt8]? {
    guard header.byteCount <= 64 << 10 else { throw Self.refused("the archive is damaged") }
    let bytes = try next(Self.padded(header.byteCount))
    do throws(TarHeader.Malformed) {
      return try TarHeader.path(inRecords: Array(bytes.prefix(Int(header.byteCount))))
    } catch {
      throw Self.refused("the archive is damaged")
    }
  }

  /// The parts of a path that may be made here.
  private mutating func parts(
    _ path: [UInt8],
    _ header: TarHeader
  ) throws(HostError) -> [String] {
    entries += 1
    guard entries <= limits.entries else {
      throw Self.refused("it has more than \(limits.entries) files")
    }
    let shown = Self.shown(path)
    guard let text = String(validating: path, as: UTF8.self),
      SafeText(text).string == text, !text.contains("\n")
    else {
      throw Self.refused("\(shown): its name has control characters")
    }
    guard !text.hasPrefix("/") else { throw Self.refused("\(shown): its name is absolute") }
    guard header.mode & 0o7000 == 0 else {
      throw Self.refused("\(shown): it would run with the rights of another user (setuid)")
    }
    let isFolder = header.kind == .folder && text.hasSuffix("/")
    let parts = (isFolder ? text.dropLast() : text[...])
      .split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    guard parts.allSatisfy({ OwnPath.isPlain($0) }) else {
      throw Self.refused("\(shown): its name leads elsewhere")
    }
    // What git keeps of a repository must not be a part of one that is unpacked.
    guard !parts.contains(where: { $0.lowercased() == ".git" }) else {
      throw Self.refused("\(shown): its name is one that git uses")
    }
    guard parts.count <= limits.depth, parts.allSatisfy({ $0.utf8.count <= 255 }) else {
      throw Self.refused(
        "\(shown): its name is too long, or more than \(limits.depth) folders deep"
      )
    }
    return parts
  }

  private func open(_ parts: some Sequence<String>) throws(FileFault) -> OwnFolder {
    var folder = try OwnFolder.open(root)
    for part in parts { folder = try folder.folder(part, makes: true) }
    return folder
  }

  private mutating func makeFolder(
    _ parts: [String],
    _ header: TarHeader
  ) throws(HostError) {
    skip(header.byteCount)
    do throws(FileFault) {
      _ = try open(parts)
    } catch {
      throw failed(parts, error)
    }
  }

  private mutating func makeFile(_ parts: [String], _ header: TarHeader) throws(HostError) {
    bytes = bytes.addingReportingOverflow(header.byteCount).partialValue
    guard header.byteCount <= limits.bytes, bytes <= limits.bytes else {
      throw Self.refused("it has more than \(limits.bytes >> 20) MiB")
    }
    do throws(FileFault) {
      let folder = try open(parts.dropLast())
      let file = try folder.file(parts[parts.count - 1], O_WRONLY | O_CREAT | O_EXCL)
      var left = Int(header.byteCount)
      while left > 0 {
        let piece = self.file.read(min(left, 128 << 10), from: offset)
        guard !piece.isEmpty else { throw .refused("the archive is cut off") }
        try file.write(piece)
        offset += piece.count
        left -= piece.count
      }
      offset += Self.padded(header.byteCount) - Int(header.byteCount)
      let mode: UInt32 = header.mode & 0o111 != 0 ? 0o755 : 0o644
      guard fchmod(file.number, mode) == 0 else { throw .system(errno) }
    } catch {
      throw failed(parts, error)
    }
  }

  // MARK: - Errors

  private func failed(_ parts: [String], _ fault: FileFault) -> HostError {
    let path = Self.shown(Array(parts.joined(separator: "/").utf8))
    guard case .system(EEXIST) = fault else {
      return Self.refused("\(path): \(fault.words.replacing("\(root)/", with: ""))")
    }
    return Self.refused("\(path): it occurs twice")
  }

  private static func shown(_ path: [UInt8]) -> String {
    "“\(SafeText(String(decoding: path.prefix(120), as: UTF8.self)).onOneLine)”"
  }

  private static func refused(_ words: String) -> HostError {
    HostError(code: .refused, description: words)
  }
}
