/// Which URLs a widget may have opened.
package enum URLPermission: Hashable, Sendable {
  /// It is opened without a question.
  case granted
  /// The user is asked, once for each scheme.
  case asked
  /// It is opened only if the user has named the file in the settings of the widget.
  case file(path: String?)

  /// The schemes that any widget may have opened.
  private static let common: Set<String> = ["http", "https", "mailto"]

  /// Decides by the scheme; `own` are those of the app that contains the widget.
  package init(_ url: CheckedURL, own: [String]) {
    if Self.common.contains(url.scheme) || own.contains(url.scheme) {
      self = .granted
    } else if url.scheme == "file" {
      self = .file(path: url.filePath)
    } else {
      self = .asked
    }
  }

  /// Whether a path is one of those that the user has named, or inside of one.
  ///
  /// Paths with `..` are none, because links in them could lead elsewhere.
  package static func isGranted(_ path: String, among named: [String]) -> Bool {
    guard !path.split(separator: "/").contains("..") else { return false }
    return named.contains { name in
      let name = name.hasSuffix("/") ? String(name.dropLast()) : name
      return !name.isEmpty && (path == name || path.hasPrefix(name + "/"))
    }
  }
}
