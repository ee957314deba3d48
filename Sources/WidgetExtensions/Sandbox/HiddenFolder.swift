import WidgetKitCore

/// A folder of the program in one that a widget was granted, which stays hidden.
struct HiddenFolder: Hashable, Sendable {
  /// Its path below that of the granted one.
  let path: String
  /// The folders between the two, the outer ones first.
  ///
  /// A widget that may change the granted folder must not move one of them: the hidden one would be found
  /// elsewhere at the next start.
  let above: [String]

  /// Finds a folder in a granted one, also by other paths than theirs; nil if it is not in it.
  init?(_ hidden: String, in granted: String) {
    let place = resolvedPath(hidden) ?? hidden
    let root = resolvedPath(granted) ?? granted
    guard place == root || place.hasPrefix(root == "/" ? root : root + "/") else { return nil }
    let names = place.dropFirst(root.count).split(separator: "/")
    var path = granted == "/" ? "" : granted
    var above: [String] = []
    for name in names {
      path += "/\(name)"
      above.append(path)
    }
    self.path = above.popLast() ?? granted
    self.above = above
  }
}
