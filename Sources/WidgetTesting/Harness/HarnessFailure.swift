import Glibc

/// Why a step of a test could not be made.
public nonisolated struct HarnessFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// What has happened, in a sentence.
  public var description: String
  /// Whether it begins with its place in a file.
  let isLocated: Bool

  /// Creates a failure.
  public init(_ description: String) {
    self.description = description
    isLocated = false
  }

  /// Something is wrong at a place: `Tests/counts.json:4:5: words`.
  init(located description: String) {
    self.description = description
    isLocated = true
  }

  /// Something that was named is not there.
  ///
  /// - Parameters:
  ///   - words: What is not there.
  ///   - names: What is, in place of it; nothing is said if that is nothing.
  init(_ words: String, thereIs names: [String]) {
    var seen: Set<String> = []
    let names = names.filter { !$0.isEmpty && seen.insert($0).inserted }
    guard !names.isEmpty else {
      self.init(words)
      return
    }
    let rest = names.count > 8 ? " and \(names.count - 8) more" : ""
    let list = names.prefix(8).map { "“\($0)”" }.joined(separator: ", ")
    self.init("\(words); there is \(list)\(rest)")
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
