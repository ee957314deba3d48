import WidgetKitCore

/// What config.json has for widgets in `widgets`: values by widget or instance, as they are written.
///
/// They are checked when the manifests are known, see ``WidgetSettings``.
public nonisolated struct FileSettings: Hashable, Sendable {
  /// A member of a section.
  struct Entry: Hashable, Sendable {
    var value: SettingValue
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
  /// Where the names of the sections are.
  private(set) var places: [String: String] = [:]

  /// The member of the file that has the sections.
  static let path = MemberPath("widgets")

  /// No values.
  public init() {}

  /// Reads the sections of a file; those that cannot be read stay as they are in `previous`.
  init(_ file: JSON5File, path filePath: String, keeping previous: FileSettings) {
    guard case .group(let members) = file.value, let widgets = members[Self.path.name ?? ""] else {
      return
    }
    guard case .group(let sections) = widgets else {
      self = previous
      return
    }
    for (id, section) in sections {
      let path = Self.path.member(id)
      places[id] = file.outline[path].map { "\(filePath):\($0.name ?? $0.value)" } ?? filePath
      guard case .group(let members) = section else {
        self.sections[id] = previous.sections[id]
        continue
      }
      self.sections[id] = [:]
      for (name, value) in members where !SettingDeclaration.reservedNames.contains(name) {
        let path = path.member(name)
        let entry = file.outline[path]
        self.sections[id]?[name] = Entry(
          value: value,
          place: entry.map { "\(filePath):\($0.value)" } ?? filePath,
          namePlace: entry.map { "\(filePath):\($0.name ?? $0.value)" } ?? filePath,
          path: "\(path)",
          words: entry?.words ?? "another value",
          isRepeated: entry?.isRepeated ?? false
        )
      }
    }
  }

  /// The entries for a widget: those of the instance come before those of the identifier.
  func entries(of id: ExtensionIdentity) -> [String: Entry] {
    let general = sections[id.bundleIdentifier] ?? [:]
    guard id.instance != nil else { return general }
    return general.merging(sections[id.description] ?? [:]) { $1 }
  }
}

nonisolated extension FileSettings {
  /// The errors for sections whose name is nearly that of a widget; others are for widgets that are not
  /// installed here.
  func strangers(among identifiers: [String]) -> [SafeText] {
    places.sorted { $0.value < $1.value }.compactMap { id, place in
      let identifier = String(id.prefix { $0 != ":" })
      guard !identifiers.contains(identifier),
        let nearest = NearName.nearest(to: identifier, among: identifiers)
      else { return nil }
      return SafeText(
        "\(place): \(Self.path.member(id)): no such widget; did you mean “\(nearest)”?"
      )
    }
  }
}
