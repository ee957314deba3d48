import FoundationEssentials
import Glibc

/// An error of a source, as text for the card.
struct SourceError: Error, Hashable, CustomStringConvertible {
  let description: String

  /// A file that cannot be read: `/proc/net/dev cannot be read (No such file or directory)`.
  static func unreadable(_ path: String, errno code: Int32) -> SourceError {
    SourceError(description: "\(path) cannot be read (\(String(cString: strerror(code))))")
  }

  /// A file without an expected line: `/proc/stat has no line “cpu”`.
  static func missing(_ what: String, in path: String) -> SourceError {
    SourceError(description: "\(path) has no \(what)")
  }
}

/// The folder `/proc` or `/sys`, or a copy of it for tests.
struct KernelFolder: Sendable {
  private static let byteLimit = 4 * 1024 * 1024

  /// Its path.
  let path: String

  /// Reads one file completely; its size is not known before.
  func text(of name: String) throws(SourceError) -> String {
    let path = path + "/" + name
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .unreadable(path, errno: errno) }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 32 * 1024)
    while bytes.count < Self.byteLimit {
      let count = read(descriptor, &chunk, chunk.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw .unreadable(path, errno: errno) }
      if count == 0 { break }
      bytes += chunk[..<count]
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension KernelFolder {
  /// More entries of a folder are left out.
  private static let entryLimit = 256

  /// The names in a folder that begin with `prefix`, in order; none if there is no such folder.
  func names(in folder: String, prefix: String = "") -> [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: path + "/" + folder)) ?? []
    return Array(names.filter { $0.hasPrefix(prefix) }.sorted().prefix(Self.entryLimit))
  }

  /// The first line of a file without spaces around it; nil if there is none.
  func line(of name: String) -> String? {
    guard let line = (try? text(of: name))?.lines.first else { return nil }
    let words = line.words.joined(separator: " ")
    return words.isEmpty ? nil : words
  }
}

extension StringProtocol {
  /// The words of a line, separated by spaces and tabs.
  var words: [SubSequence] {
    split { $0 == " " || $0 == "\t" }
  }

  /// The lines of a text, without empty ones.
  var lines: [SubSequence] {
    split(separator: "\n")
  }
}
