import Glibc

/// The path of a bundle, and its name in messages.
struct BundleLocation {
  /// The folder.
  var path: String
  /// The folder's name, relative to the folder of its app if it is in one:
  /// `ClownTown.app/PlugIns/Today.widget`.
  var name: String

  /// Splits `path`; a trailing `/` is ignored.
  init(_ path: String) {
    var path = path[...]
    while path.count > 1, path.last == "/" {
      path.removeLast()
    }
    self.path = String(path)
    let parts = path.split(separator: "/")
    name = parts.last.map(String.init) ?? "/"
    if parts.count > 2, parts[parts.count - 2] == "PlugIns",
      parts[parts.count - 3].hasSuffix(".app")
    {
      name = parts.suffix(3).joined(separator: "/")
    }
  }

  /// The folder's name without its extension, used if there is no other name.
  var baseName: String {
    let last = name.split(separator: "/").last ?? ""
    return last.lastIndex(of: ".").map { String(last[..<$0]) } ?? String(last)
  }

  /// The folder of the app, if the bundle is in one.
  var containingAppPath: String? {
    guard name.contains("/") else { return nil }
    return path.split(separator: "/", omittingEmptySubsequences: false).dropLast(2)
      .joined(separator: "/")
  }

  /// Checks that there is a folder.
  ///
  /// In a search path, a link to a folder in the same search path is followed. Inside an app it
  /// is not: its target would not be part of the app.
  func check(endings: [String], trust: BundleTrust) throws(BundleFault) {
    let expected = "a folder whose name ends in \(endings.joined(separator: " or "))"
    guard endings.contains(where: { name.hasSuffix($0) }) else {
      throw .unreadable("called \(BundleError.quoted(name))", expected: expected)
    }
    var status = stat()
    guard lstat(path, &status) == 0 else {
      throw .unreadable(FileProblem.current.words, expected: expected)
    }
    if status.st_mode & S_IFMT == S_IFLNK {
      guard containingAppPath == nil else {
        throw .unreadable("a symbolic link", expected: expected)
      }
      guard stat(path, &status) == 0 else {
        throw .unreadable("a broken symbolic link", expected: expected)
      }
    }
    guard status.st_mode & S_IFMT == S_IFDIR else {
      throw .unreadable(FileProblem.kind(of: status.st_mode), expected: expected)
    }
    try trust.check(place: path, expected: expected)
    try trust.check(status)
  }
}

/// The path with all links resolved; nil if it does not exist.
package func resolvedPath(_ path: String) -> String? {
  guard let resolved = realpath(path, nil) else { return nil }
  defer { free(resolved) }
  return String(cString: resolved)
}
