import Glibc

/// Where a bundle lies, and what it is called in messages.
struct BundleLocation {
  /// The folder.
  var path: String
  /// The folder's name, from its app's folder on where it lies in one:
  /// `ClownTown.app/PlugIns/Today.widget`.
  var name: String

  /// Takes `path` apart; a trailing `/` is of no account.
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

  /// The folder's name without its extension: the name of last resort.
  var baseName: String {
    let last = name.split(separator: "/").last ?? ""
    return last.lastIndex(of: ".").map { String(last[..<$0]) } ?? String(last)
  }

  /// The app's folder, where the bundle lies in one.
  var containingAppPath: String? {
    guard name.contains("/") else { return nil }
    return path.split(separator: "/", omittingEmptySubsequences: false).dropLast(2)
      .joined(separator: "/")
  }

  /// Checks that there is a folder.
  ///
  /// A link stands for its folder in a search path as long as that lies in it too. Inside an app it
  /// does not: it would make an extension of something that the app did not bring.
  func check(ending: String, trust: BundleTrust) throws(BundleFault) {
    let expected = "a folder whose name ends in \(ending)"
    guard name.hasSuffix(ending) else {
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

/// The folder or file that `path` stands for, every link followed; nil where it leads nowhere.
package func resolvedPath(_ path: String) -> String? {
  guard let resolved = realpath(path, nil) else { return nil }
  defer { free(resolved) }
  return String(cString: resolved)
}
