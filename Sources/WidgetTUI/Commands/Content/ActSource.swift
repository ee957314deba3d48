import ExtensionContent
import Glibc
import WidgetKitCore
import WidgetPlatform
import WidgetRequests

/// One content of `today act`: where it comes from, and what it is.
struct ActSource {
  enum Origin {
    case standardInput
    case text
    case file(EditedFile?, path: String)
  }

  let origin: Origin
  let content: RequestSpool
  /// The name of the file; nil without one.
  let name: String?
  /// The type that the user has named for this content alone.
  var declared: UniformType?
  /// The same content in other types.
  var others: [Other] = []

  /// The content in another type, which the user has named.
  struct Other {
    let type: UniformType
    let content: RequestSpool
  }

  /// The content in the types that one file has.
  struct Representation {
    var types: [UniformType]
    var content: RequestSpool
  }

  /// The content in all its types, the most faithful first.
  func representations(
    declared: UniformType?,
    _ charset: TextCharset?,
    _ table: TypeTable
  ) -> [Representation] {
    let own = Self.types(
      of: content,
      name: name,
      declared: self.declared ?? declared,
      charset,
      table
    )
    return [Representation(types: own, content: content)]
      + others.map { other in
        let types = Self.types(
          of: other.content,
          name: nil,
          declared: other.type,
          charset,
          table
        )
        return Representation(types: types, content: other.content)
      }
  }

  /// The file that is to be replaced; nil if none is.
  var file: EditedFile? {
    if case .file(let file, _) = origin { file } else { nil }
  }

  /// What a person calls it.
  var words: String {
    switch origin {
    case .standardInput: "standard input"
    case .text: "the text"
    case .file(_, let path): path
    }
  }

  /// Whether both are one file that is to be replaced, whatever they were called.
  func isSameFile(as other: ActSource) -> Bool {
    guard let own = file, let file = other.file else { return false }
    return own.target == file.target
  }

  /// Opens a file.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - isReplaced: Whether it is to be replaced, which not every file can be.
  ///   - folder: Where the copy of its content is made.
  ///   - byteLimit: The most bytes.
  /// - Returns: The content of the file.
  /// - Throws: ``CommandError`` with the file and the reason.
  static func file(
    _ path: String,
    isReplaced: Bool,
    in folder: String,
    byteLimit: Int
  ) throws(CommandError) -> ActSource {
    let name = path.split(separator: "/").last.map(String.init)
    guard isReplaced else {
      let content = try read(path, in: folder, byteLimit)
      return ActSource(origin: .file(nil, path: path), content: content, name: name)
    }
    let (file, content) = try replaceable(path, in: folder, byteLimit)
    return ActSource(origin: .file(file, path: path), content: content, name: name)
  }

  /// A file that may be replaced, and its content.
  static func replaceable(
    _ path: String,
    in folder: String,
    _ byteLimit: Int
  ) throws(CommandError) -> (EditedFile, RequestSpool) {
    do throws(HostError) {
      let file = try EditedFile(path)
      return (file, try file.content(in: folder, byteLimit: byteLimit))
    } catch {
      throw Self.error(error)
    }
  }

  private static func read(
    _ path: String,
    in folder: String,
    _ byteLimit: Int
  ) throws(CommandError) -> RequestSpool {
    let number = unsafe open(path, O_RDONLY | O_NOCTTY | O_CLOEXEC)
    guard number >= 0 else {
      let words = "\(path): \(unsafe String(cString: strerror(errno)))"
      throw errno == ENOENT || errno == ENOTDIR ? .missing(words) : .failure(words)
    }
    defer { close(number) }
    var status = stat()
    if unsafe fstat(number, &status) == 0, status.st_mode & S_IFMT == S_IFDIR {
      throw .missing("\(path): it is a folder; expected a file")
    }
    do throws(HostError) {
      let content = try RequestSpool(in: folder)
      if try content.read(from: number, byteLimit: byteLimit) { return content }
    } catch {
      throw .failure("\(path): \(error.description)")
    }
    throw .failure("\(path) is larger than limits.requestBytes, \(byteLimit) bytes")
  }

  /// The error of a command for an error of the engine.
  static func error(_ error: HostError) -> CommandError {
    switch error.code {
    case .missing: .missing(error.description)
    case .refused: CommandError(exitCode: .refused, description: error.description)
    default: .failure(error.description)
    }
  }

  /// The types of a content, the most faithful first.
  static func types(
    of content: RequestSpool,
    name: String?,
    declared: UniformType?,
    _ charset: TextCharset?,
    _ table: TypeTable
  ) -> [UniformType] {
    let bytes = content.beginning(ContentSample.byteLimit)
    let sample = ContentSample(
      name: name,
      bytes: bytes,
      isWhole: content.size <= bytes.count,
      charset: charset ?? .ofLocale
    )
    return sample.types(declared: declared, table, ContentSniffer())
  }
}
