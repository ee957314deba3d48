/// The home folder of a user, for which `~` stands in settings and in what a person types.
package struct HomeFolder: Hashable, Sendable {
  /// Its absolute path; nil without one, or with a relative path, which would depend on the working folder.
  package let path: String?

  /// Where the files of a user without a home are: there is none, and none can be created, not even by root.
  private static let nowhere = "/dev/null"

  /// Reads `HOME`.
  package init(_ environment: [String: String]) {
    path = environment["HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
  }

  /// Whether a path begins with the home folder.
  package static func isNeeded(for path: String) -> Bool { path.hasPrefix("~/") }

  /// Returns a path with the home folder in place of the `~` in a `~/` at its beginning, and any other as it is.
  ///
  /// Without a home it is a path at which nothing is.
  package func expanded(_ path: String) -> String {
    Self.isNeeded(for: path) ? (self.path ?? Self.nowhere) + path.dropFirst() : path
  }
}
