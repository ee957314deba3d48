import Glibc

/// A file that a user has named as content, or standard input.
package struct ContentFile: Sendable {
  /// Why a file cannot be read.
  package struct Fault: Error, Sendable, CustomStringConvertible {
    package let description: String
    /// Whether there is no such file.
    package let isMissing: Bool
  }

  /// What is looked at to know its types.
  package let sample: ContentSample
  /// Its size in bytes; nil for a pipe that has not ended.
  package let size: Int?
  package let isFolder: Bool

  /// Looks at the beginning of a file; links are followed, and a pipe is read until there is enough or it ends.
  ///
  /// - Parameters:
  ///   - path: The file; `-` is standard input.
  ///   - charset: The charset of text that is not UTF-8.
  /// - Throws: ``Fault`` with the path and the reason.
  package init(_ path: String, charset: TextCharset? = nil) throws(Fault) {
    let isInput = path == "-"
    let file = isInput ? STDIN_FILENO : unsafe open(path, O_RDONLY | O_NOCTTY | O_CLOEXEC)
    guard file >= 0 else { throw Self.fault(path, errno) }
    defer { if !isInput { close(file) } }
    var status = stat()
    guard unsafe fstat(file, &status) == 0 else { throw Self.fault(path, errno) }
    isFolder = status.st_mode & S_IFMT == S_IFDIR
    guard !isFolder else {
      (sample, size) = (ContentSample(name: Self.name(of: path), bytes: [], isWhole: true), nil)
      return
    }
    let (bytes, isWhole) = try Self.start(of: file, path)
    sample = ContentSample(
      name: isInput ? nil : Self.name(of: path),
      bytes: bytes,
      isWhole: isWhole,
      charset: charset
    )
    let isRegular = status.st_mode & S_IFMT == S_IFREG
    size = isWhole ? bytes.count : isRegular ? Int(clamping: status.st_size) : nil
  }

  /// The types of the content, the most faithful first.
  package func types(
    declared: UniformType? = nil,
    _ table: TypeTable,
    _ sniffer: borrowing ContentSniffer
  ) -> [UniformType] {
    isFolder ? [declared ?? .folder] : sample.types(declared: declared, table, sniffer)
  }

  private static func name(of path: String) -> String {
    path.split(separator: "/").last.map(String.init) ?? path
  }

  private static func fault(_ path: String, _ code: Int32) -> Fault {
    let reason = unsafe String(cString: strerror(code))
    return Fault(description: "\(path): \(reason)", isMissing: code == ENOENT || code == ENOTDIR)
  }

  /// The first bytes, and whether there are no more.
  private static func start(
    of file: Int32,
    _ path: String
  ) throws(Fault) -> (bytes: [UInt8], isWhole: Bool) {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: ContentSample.byteLimit)
    while bytes.count < ContentSample.byteLimit {
      let count = unsafe read(file, &buffer, ContentSample.byteLimit - bytes.count)
      if count == 0 { return (bytes, true) }
      if count < 0, errno != EINTR { throw fault(path, errno) }
      bytes += buffer.prefix(max(0, count))
    }
    return (bytes, false)
  }
}
