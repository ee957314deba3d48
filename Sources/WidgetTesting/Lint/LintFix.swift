import FoundationEssentials
import Glibc
import WidgetPlatform

/// A mechanical change of a file that mends a finding.
nonisolated enum LintFix: Hashable, Sendable {
  /// Bits of the mode are set and cleared.
  case mode(String, set: UInt32, clear: UInt32)
  /// The first line of a script is replaced.
  case firstLine(String, with: String)
  /// Line endings become those of Unix.
  case lineEndings(String)
  /// A file is copied over another one, or to where there is none.
  case copy(String, to: String)

  /// The largest file that is rewritten.
  private static let byteLimit = 4 << 20

  /// Changes the file.
  ///
  /// - Throws: ``HarnessFailure`` if it cannot be changed.
  func apply() throws(HarnessFailure) {
    switch self {
    case .mode(let path, let set, let clear):
      var status = stat()
      guard unsafe stat(path, &status) == 0,
        unsafe chmod(path, status.st_mode & 0o7777 & ~clear | set) == 0
      else { throw HarnessFailure(HostError.file("change the mode of", path, errno).description) }
    case .firstLine(let path, let line):
      try rewrite(path) { bytes in
        Array(line.utf8) + bytes.drop { $0 != UInt8(ascii: "\n") }
      }
    case .lineEndings(let path):
      try rewrite(path) { bytes in
        bytes.indices.filter { index in
          let isReturn = bytes[index] == UInt8(ascii: "\r")
          let isBeforeFeed =
            index + 1 < bytes.count && bytes[index + 1] == UInt8(ascii: "\n")
          return !(isReturn && isBeforeFeed)
        }.map { bytes[$0] }
      }
    case .copy(let source, let path):
      guard let bytes = UserFile.bytes(source, byteLimit: Self.byteLimit) else {
        throw HarnessFailure("\(source) cannot be read; install the program again")
      }
      try replace(path, with: bytes, mode: 0o644)
    }
  }

  private func rewrite(
    _ path: String,
    _ change: ([UInt8]) -> [UInt8]
  ) throws(HarnessFailure) {
    var status = stat()
    guard let bytes = UserFile.bytes(path, byteLimit: Self.byteLimit),
      unsafe stat(path, &status) == 0
    else { throw HarnessFailure("\(path) cannot be read, or is larger than 4 MiB") }
    try replace(path, with: change(bytes), mode: status.st_mode & 0o7777)
  }

  /// Writes a new file beside the old one, and puts it in its place.
  private func replace(_ path: String, with bytes: [UInt8], mode: mode_t) throws(HarnessFailure) {
    let new = "\(path).\(getpid()).new"
    do {
      try Data(bytes).write(to: URL(filePath: new))
    } catch {
      throw HarnessFailure("\(new) cannot be written: \(error)")
    }
    guard unsafe chmod(new, mode) == 0, unsafe rename(new, path) == 0 else {
      let failure = HarnessFailure(HostError.file("replace", path, errno).description)
      _ = unsafe unlink(new)
      throw failure
    }
  }
}
