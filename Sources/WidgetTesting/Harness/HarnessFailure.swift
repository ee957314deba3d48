import Glibc

/// Why a step of a test could not be made.
public nonisolated struct HarnessFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// What has happened, in a sentence.
  public var description: String

  /// Creates a failure.
  public init(_ description: String) {
    self.description = description
  }

  /// A file that an author has named, and that could not be read.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - name: How it is called in the message.
  ///   - byteLimit: The most bytes that are read.
  init(unreadable path: String, name: String, byteLimit: Int) {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else {
      self.init("\(name): \(unsafe String(cString: strerror(errno)))")
      return
    }
    switch status.st_mode & S_IFMT {
    case S_IFDIR: self.init("\(name): it is a folder; expected a file")
    case S_IFREG where status.st_size > byteLimit:
      self.init("\(name) has more than \(byteLimit) bytes")
    default: self.init("\(name) cannot be read")
    }
  }
}
