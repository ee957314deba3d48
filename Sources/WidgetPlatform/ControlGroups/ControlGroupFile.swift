import Glibc

/// The files of a control group, which are read and written whole (cgroups(7)).
enum ControlGroupFile {
  /// Writes a value; returns the errno of a failure, else 0.
  @discardableResult
  static func write(_ value: String, to path: String) -> Int32 {
    let file = unsafe open(path, O_WRONLY | O_CLOEXEC | O_NOFOLLOW)
    guard file >= 0 else { return errno }
    defer { close(file) }
    let bytes = Array(value.utf8)
    return unsafe Glibc.write(file, bytes, bytes.count) == bytes.count ? 0 : errno
  }

  /// The words of a file, such as the names of controllers.
  static func words(_ path: String) -> [String] {
    (ProcFile.text(path) ?? "").split { $0 == " " || $0 == "\n" }.map(String.init)
  }

  /// The numbers of a file with one in each line.
  static func numbers(_ path: String) -> [UInt64] {
    words(path).compactMap { UInt64($0) }
  }

  /// The values of a file with a name and a number in each line, such as `memory.stat`; others are left out.
  static func values(_ path: String) -> [String: UInt64] {
    var values: [String: UInt64] = [:]
    for line in (ProcFile.text(path) ?? "").split(separator: "\n") {
      let words = line.split(separator: " ")
      if words.count == 2, let number = UInt64(words[1]) { values[String(words[0])] = number }
    }
    return values
  }
}
