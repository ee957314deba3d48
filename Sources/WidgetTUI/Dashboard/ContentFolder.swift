import Glibc
import WidgetExtensions
import WidgetPages
import WidgetPlatform
import WidgetRequests

/// The folder of this process, and of this user alone, with the content on its way to a command and what comes back.
struct ContentFolder {
  let path: String
  private static let names = ["content.txt", "result"]

  /// Makes the folder below `$XDG_RUNTIME_DIR/today`, or where files for a short time belong.
  ///
  /// - Parameter environment: The environment of the user.
  /// - Throws: ``HostError`` if none can be made.
  init(environment: [String: String]) throws(HostError) {
    if BaseFolders(environment).runtime != nil,
      case let folder = StateFolders(environment: environment).runtime,
      StateFolders.make(folder), let path = Self.make("\(folder)/content-")
    {
      self.path = path
      return
    }
    let folder = TemporaryFolder.path(environment)
    guard let path = Self.make("\(folder)/today-") else {
      throw .file("make a folder in", folder, errno)
    }
    self.path = path
  }

  /// Makes a folder with a name that nobody else has; nil if it could not be made.
  private static func make(_ beginning: String) -> String? {
    var template = Array("\(beginning)XXXXXX".utf8CString)
    guard unsafe mkdtemp(&template) != nil else { return nil }
    return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// The file for what comes back.
  var result: String { "\(path)/\(Self.names[1])" }

  /// Writes the content; returns its file, or nil if it could not be written.
  func add(_ bytes: [UInt8]) -> String? {
    let file = "\(path)/\(Self.names[0])"
    let number = unsafe open(file, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard number >= 0 else { return nil }
    defer { close(number) }
    let count = unsafe bytes.withUnsafeBytes { unsafe write(number, $0.baseAddress, $0.count) }
    return count == bytes.count ? file : nil
  }

  /// What came back, at most so many bytes; nil if nothing did.
  func read(_ limit: Int) -> [UInt8]? { UserFile.bytes(result, byteLimit: limit) }

  /// Removes the content and what came back.
  func clear() {
    for name in Self.names { unsafe unlink("\(path)/\(name)") }
  }

  /// Removes the folder with what is in it.
  func remove() {
    clear()
    unsafe rmdir(path)
  }
}
