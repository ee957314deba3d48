extension SettingDeclaration {
  /// What each text of a setting names, if it is more than a text.
  public enum Format: String, CaseIterable, Hashable, Sendable {
    /// A time zone of the tz database, such as `Asia/Tokyo`.
    case timeZone

    /// Whether a text names something that this system knows.
    func knows(_ text: String) -> Bool {
      switch self {
      case .timeZone: ZoneDatabase.system.mayHave(text)
      }
    }

    /// What a text must be, in words.
    package var expectation: String {
      switch self {
      case .timeZone: "the name of a time zone, such as Europe/Copenhagen"
      }
    }

    /// What several texts must be, in words.
    package var pluralExpectation: String {
      switch self {
      case .timeZone: "names of time zones, such as Europe/Copenhagen"
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
