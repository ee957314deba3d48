package import WidgetKitCore
import WidgetPlatform

/// An entry of a registry: what something is, where it is, and what it may ask for.
package nonisolated struct RegistryEntry: Hashable, Sendable {
  /// What is installed.
  package enum Kind: String, Sendable {
    case widget
    case app
    case `extension`
    case script
  }

  /// The identifier of what is installed.
  package var id: String
  /// Its heading.
  package var name: SafeText
  /// What it is for.
  package var description: SafeText
  /// Its version.
  package var version: EntryVersion
  /// Words for the search.
  package var categories: [SafeText] = []
  /// Where its files are.
  package var source: EntrySource
  /// The identifier of its licence.
  package var license: SafeText
  /// Who has made it; nil if the entry does not say.
  package var author: SafeText?
  /// Its web page; nil if the entry does not say.
  package var homepage: SafeText?
  /// The programs that it needs.
  package var needs: [SafeText] = []
  /// The first version of the program with which it works; nil for any.
  package var leastHost: EntryVersion?
  /// How it looks, line by line.
  package var picture: [SafeText] = []
  /// What is installed; nil before the registry was indexed.
  package var kind: Kind?
  /// What it asks for; nil before the registry was indexed.
  package var permissions: PermissionSet?
  /// The SHA-256 of its script, or of the archive of its folder; nil before the registry was indexed.
  package var sha256: String?

  /// The largest file of an entry.
  package static let byteLimit = 64 << 10

  /// Whether everything is there that an installation checks.
  package var isComplete: Bool { kind != nil && permissions != nil && sha256 != nil }
}

nonisolated extension RegistryEntry {
  /// Reads the file of an entry.
  ///
  /// - Throws: ``EntryFault`` that names the member.
  package init(_ tree: JSONTree) throws(EntryFault) {
    let reader = EntryReader(tree)
    id = try reader.text("id", byteLimit: 255)
    guard Self.isIdentifier(id) else {
      throw EntryFault("id: expected letters, digits, - and single dots")
    }
    name = SafeText(lineOf: try reader.text("name", byteLimit: 120))
    description = SafeText(lineOf: try reader.text("description", byteLimit: 600))
    guard let version = EntryVersion(try reader.text("version", byteLimit: 40)) else {
      throw EntryFault("version: expected one to four numbers with dots, such as 1.4.2")
    }
    self.version = version
    license = SafeText(lineOf: try reader.text("license", byteLimit: 80))
    source = try reader.source()
    categories = try reader.list("categories", countLimit: 5, byteLimit: 40)
    needs = try reader.list("needs", countLimit: 20, byteLimit: 80)
      .map { SafeText(lineOf: $0.string) }
    picture = try reader.list("picture", countLimit: 40, byteLimit: 1_200)
    author = try reader.line("author", byteLimit: 120)
    homepage = try reader.page("homepage")
    if let text = try reader.optional("today", byteLimit: 40) {
      guard let version = EntryVersion(text) else {
        throw EntryFault("today: expected a version of today, such as 0.1.0")
      }
      leastHost = version
    }
    if let text = try reader.optional("kind", byteLimit: 20) {
      guard let kind = Kind(rawValue: text) else {
        throw EntryFault("kind: expected widget, app, extension or script")
      }
      self.kind = kind
    }
    sha256 = try reader.digest("sha256")
    if let tree = tree["permissions"] { permissions = try PermissionSet(tree) }
  }

  /// Whether a text is an identifier; it is also the name of a file.
  package static func isIdentifier(_ text: String) -> Bool {
    text.utf8.count <= 200
      && text.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { part in
        !part.isEmpty && part.first != "-"
          && part.allSatisfy {
            $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_")
          }
      }
  }

  /// How well it answers a search: the number of words that are in its name, or else in what is said of it; nil if
  /// one of the words is nowhere.
  package func score(of words: [String]) -> Int? {
    let title = "\(name) \(id)".lowercased()
    let rest = "\(description) \(categories.map(\.string).joined(separator: " "))".lowercased()
    var score = 0
    for word in words.map({ $0.lowercased() }) {
      if title.contains(word) {
        score += 2
      } else if rest.contains(word) {
        score += 1
      } else {
        return nil
      }
    }
    return score
  }
}
