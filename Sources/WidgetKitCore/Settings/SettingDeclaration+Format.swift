extension SettingDeclaration {
  /// What each text of a setting names, if it is more than a text.
  public enum Format: String, CaseIterable, Hashable, Sendable {
    /// A time zone of the tz database, such as `Asia/Tokyo`.
    case timeZone
    /// A place on the earth, such as `55.68, 12.57`.
    case coordinates
    /// A folder, for the path of a file.
    case folder

    /// The kinds of settings that can have it.
    var kinds: [SettingDeclaration.Kind] {
      switch self {
      case .timeZone, .coordinates: [.string, .list]
      case .folder: [.file]
      }
    }

    /// Whether a text names something that this system knows.
    func knows(_ text: String) -> Bool {
      switch self {
      case .timeZone: ZoneDatabase.system.mayHave(text)
      // An empty text is none, as where the setting is not set.
      case .coordinates: text.allSatisfy(\.isWhitespace) || Coordinates(parsing: text) != nil
      // It may be made later, or be on a disk that is slow to answer.
      case .folder: true
      }
    }

    /// A text as a person may type it.
    var example: String {
      switch self {
      case .timeZone: "Europe/Copenhagen"
      case .coordinates: "55.68, 12.57"
      case .folder: "~/Documents"
      }
    }

    /// What a text must be, in words.
    package var expectation: String {
      switch self {
      case .timeZone: "the name of a time zone, such as \(example)"
      case .coordinates: "latitude and longitude in degrees, such as \(example)"
      case .folder: "the path of a folder, which begins with / or ~/"
      }
    }

    /// What several texts must be, in words.
    package var pluralExpectation: String {
      switch self {
      case .timeZone: "names of time zones, such as Europe/Copenhagen"
      case .coordinates: "places in degrees, each in quotes, such as [\"55.68, 12.57\"]"
      case .folder: "paths of folders, which begin with / or ~/"
      }
    }
  }

  /// The first text of a value that names nothing that this system knows; nil if each does, and if a
  /// setting may have any text.
  package func unknownName(in value: WidgetConfiguration.Value) -> String? {
    guard let format else { return nil }
    switch value {
    case .string(let text): return format.knows(text) ? nil : text
    case .list(let texts): return texts.first { !format.knows($0) }
    case .number, .boolean: return nil
    }
  }
}
