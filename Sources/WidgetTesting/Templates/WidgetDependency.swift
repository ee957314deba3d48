/// The package with WidgetKitCore that a new package in Swift depends on.
public nonisolated struct WidgetDependency: Hashable, Sendable {
  /// Its description in a Package.swift.
  let words: String
  /// Its identity, as package managers derive it from the place.
  let package: String

  /// Describes a package.
  ///
  /// - Parameter place: An absolute path, or a URL of a repository: `URL#TAG`, `URL#BRANCH`, or without one its branch `main`.
  public init(_ place: String) {
    guard Self.isURL(place) else {
      words = ".package(path: \(Self.quoted(place)))"
      package = Self.name(place[...])
      return
    }
    let parts = place.split(separator: "#", maxSplits: 1)
    let url = parts.first ?? place[...]
    let revision = parts.count > 1 ? String(parts[1]) : "main"
    let version = revision.hasPrefix("v") ? String(revision.dropFirst()) : revision
    let requirement =
      Self.isVersion(version)
      ? "exact: \(Self.quoted(version))" : "branch: \(Self.quoted(revision))"
    words = ".package(url: \(Self.quoted(String(url))), \(requirement))"
    package = Self.name(url.split(separator: ":").last ?? url)
  }

  /// Whether a place is the URL of a repository, also in the form of scp: `git@example.com:today.git`.
  public static func isURL(_ place: String) -> Bool {
    if place.contains("://") { return true }
    guard let colon = place.firstIndex(of: ":"), !place.hasPrefix("/") else { return false }
    return place[..<colon].contains("@") && !place[..<colon].contains("/")
  }

  /// Whether a URL has the name of a repository behind that of a machine.
  public static func namesRepository(_ url: String) -> Bool {
    let path = url.firstRange(of: "://").map { url[$0.upperBound...] } ?? url[...]
    // The machine is empty in file:///srv/today.git.
    let parts = path.prefix { $0 != "#" }
      .split(omittingEmptySubsequences: false) { $0 == "/" || $0 == ":" }
    return parts.dropFirst().contains { !$0.isEmpty } && !url.contains { $0.isWhitespace }
  }

  /// The last part of a path without `.git`.
  private static func name(_ place: Substring) -> String {
    var name = place.split(separator: "/").last.map(String.init) ?? ""
    if name.hasSuffix(".git") { name.removeLast(4) }
    return name
  }

  private static func isVersion(_ text: String) -> Bool {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 3 && parts.allSatisfy { !$0.isEmpty && $0.allSatisfy(\.isNumber) }
  }

  /// A string literal of Swift.
  private static func quoted(_ text: String) -> String {
    "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
  }
}
