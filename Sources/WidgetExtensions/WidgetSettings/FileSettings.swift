package import WidgetKitCore
package import WidgetPlatform

/// What config.json has for widgets in `widgets`: values by widget or instance, as they are written.
///
/// They are checked when the manifests are known, see ``WidgetSettings``.
public struct FileSettings: Hashable, Sendable {
  /// A member of a section.
  package struct Entry: Hashable, Sendable {
    var value: JSONTree
    /// Where the value is: `/home/a/.config/today/config.json:4:12`.
    var place: String
    /// Where the name of the member is.
    var namePlace: String
    /// The path of the member in the file, for messages.
    var path: String
    /// The value as it is written, for messages.
    var words: String
    /// Whether the section has the member more than once, which is reported elsewhere.
    var isRepeated: Bool
  }

  /// The entries by name, by `ID` or `ID:NAME`.
  private(set) var sections: [String: [String: Entry]] = [:]
  /// The entries of cards in `pages`, by `ID` or `ID:NAME`; they come before those of the sections.
  private var ofCards: [String: [String: Entry]] = [:]
  /// Where the names of the sections are.
  private(set) var places: [String: String] = [:]

  /// The member of the file that has the sections.
  package static let path = MemberPath("widgets")

  /// No values.
  public init() {}

  /// Reads the sections of a file; those that cannot be read stay as they are in `previous`.
  ///
  /// - Parameters:
  ///   - file: The file.
  ///   - filePath: Where it is.
  ///   - cards: The cards of `pages` that have settings of their own, with their places in the file.
  ///   - previous: What is in force until now.
  package init(
    _ file: JSON5File,
    path filePath: String,
    cards: [(id: ExtensionIdentity, path: MemberPath)] = [],
    keeping previous: FileSettings
  ) {
    ofCards = Dictionary(
      cards.map {
        ($0.id.description, Self.entries(file.value[$0.path], of: file, at: $0.path, filePath))
      },
      uniquingKeysWith: { $1 }
    )
    guard case .object(let members) = file.value, let widgets = members[Self.path.name ?? ""] else {
      return
    }
    guard case .object(let sections) = widgets else {
      self = previous
      return
    }
    for section in sections {
      let id = section.name
      let path = Self.path.member(id)
      places[id] = file.outline[path].map { "\(filePath):\($0.name ?? $0.value)" } ?? filePath
      guard case .object = section.value else {
        self.sections[id] = previous.sections[id]
        continue
      }
      self.sections[id] = Self.entries(section.value, of: file, at: path, filePath)
    }
  }

  /// The entries of the object that is at a path of the file.
  private static func entries(
    _ value: JSONTree?,
    of file: JSON5File,
    at path: MemberPath,
    _ filePath: String
  ) -> [String: Entry] {
    guard case .object(let members)? = value else { return [:] }
    var entries: [String: Entry] = [:]
    let isScript = path.name.map(ScriptName.isIdentifier) == true
    for member in members where !SettingDeclaration.reservedNames.contains(member.name) {
      let name = member.name
      // What is said about a script is not a setting of its own.
      if isScript, ScriptOptions.isName(name) { continue }
      let path = path.member(name)
      let entry = file.outline[path]
      entries[name] = Entry(
        value: member.value,
        place: entry.map { "\(filePath):\($0.value)" } ?? filePath,
        namePlace: entry.map { "\(filePath):\($0.name ?? $0.value)" } ?? filePath,
        path: "\(path)",
        words: entry?.words ?? "another value",
        isRepeated: entry?.isRepeated ?? false
      )
    }
    return entries
  }

  /// The entries for a widget: those of its card on a page come before those of the instance, and these
  /// before those of the identifier.
  package func entries(of id: ExtensionIdentity) -> [String: Entry] {
    var entries = sections[id.bundleIdentifier] ?? [:]
    if id.instance != nil { entries.merge(sections[id.description] ?? [:]) { $1 } }
    entries.merge(ofCards[id.description] ?? [:]) { $1 }
    return entries
  }
}

extension FileSettings {
  /// The errors for sections whose name is nearly that of a widget; others are for widgets that are not
  /// installed here.
  package func strangers(among identifiers: [String]) -> [SafeText] {
    unknown(among: identifiers).compactMap { id, place in
      guard let nearest = nearest(to: id, among: identifiers) else { return nil }
      return SafeText(
        "\(place): \(Self.path.member(id)): no such widget; did you mean “\(nearest)”?"
      )
    }
  }

  /// The sections for widgets that are not installed here, whose names are not near to those of others.
  func absentees(among identifiers: [String]) -> [SafeText] {
    unknown(among: identifiers).compactMap { id, place in
      guard nearest(to: id, among: identifiers) == nil else { return nil }
      return SafeText("\(place): \(Self.path.member(id)): the widget is not installed here")
    }
  }

  private func nearest(to id: String, among identifiers: [String]) -> String? {
    NearName.nearest(to: String(id.prefix { $0 != ":" }), among: identifiers)
  }

  /// The sections for widgets that are not among those of these identifiers, in their order, with their places.
  private func unknown(among identifiers: [String]) -> [(id: String, place: String)] {
    places.sorted { $0.value < $1.value }.filter { id, _ in
      let identifier = String(id.prefix { $0 != ":" })
      // A script whose blocks are cards is known by those.
      return !identifiers.contains { $0 == identifier || $0.hasPrefix(identifier + ".") }
    }.map { (id: $0.key, place: $0.value) }
  }
}
