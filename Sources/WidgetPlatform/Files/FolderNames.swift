import Glibc

/// The names in a folder of the user, with those that cannot be opened by a `String`.
///
/// A name on a disk is bytes. One that is not UTF-8 would become another name in a `String`: Foundation leaves
/// it out without a word.
package struct FolderNames {
  /// The names in UTF-8, sorted, without `.` and `..`.
  package private(set) var names: [String] = []
  /// The other names, sorted, each byte that is not UTF-8 as `\xE9`.
  package private(set) var unreadable: [String] = []

  /// Lists a folder.
  ///
  /// - Throws: ``FileFault/absent`` if it does not exist, else the reason why it cannot be read.
  package init(in folder: String) throws(FileFault) {
    guard let stream = unsafe opendir(folder) else {
      throw errno == ENOENT ? .absent : .system(errno)
    }
    defer { unsafe closedir(stream) }
    while let entry = unsafe readdir(stream) {
      let bytes = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { name in
        unsafe Array(name.prefix { $0 != 0 })
      }
      guard let name = String(validating: bytes, as: UTF8.self) else {
        unreadable.append(Self.escaped(bytes))
        continue
      }
      if name != ".", name != ".." { names.append(name) }
    }
    names.sort()
    unreadable.sort()
  }

  /// Bytes as text, those that are not UTF-8 as `\xE9`.
  static func escaped(_ bytes: [UInt8]) -> String {
    var result = ""
    var rest = bytes[...]
    while let first = rest.first {
      let length = (1...4).first { String(validating: rest.prefix($0), as: UTF8.self) != nil }
      if let length {
        result += String(decoding: rest.prefix(length), as: UTF8.self)
      } else {
        let digits = String(first, radix: 16, uppercase: true)
        result += "\\x" + (digits.count < 2 ? "0" : "") + digits
      }
      rest = rest.dropFirst(length ?? 1)
    }
    return result
  }
}
