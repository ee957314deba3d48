import WidgetKitCore

/// One line of a diagnosis: what is right or wrong, where, and what to do.
nonisolated struct Finding: Hashable, Sendable, Encodable {
  /// How bad it is.
  enum Level: String, Sendable, Encodable {
    case ok
    /// Something works less well than it could.
    case warning
    /// Something does not work.
    case wrong
  }

  /// What was looked at.
  enum Area: String, Sendable, Encodable, CaseIterable {
    case configuration
    case bundles
    case terminal
    case images
    case folders
    case timer
    case publishing
    case sandbox
    case secrets
    case notices
    case brokers
    case widgets
  }

  var area: Area
  var level: Level
  /// What was found, with its place.
  var what: SafeText
  /// What the user can do; nil if nothing has to be done.
  var advice: SafeText?

  init(_ area: Area, _ level: Level, _ what: String, advice: String? = nil) {
    self.area = area
    self.level = level
    self.what = SafeText(what).onOneLine
    self.advice = advice.map { SafeText($0).onOneLine }
  }

  /// The finding as a line of plain text: `wrong    folders        /home/a/…: …; …`.
  var line: SafeText {
    let columns = [(level.rawValue, 7), (area.rawValue, 13)].map { word, width in
      word + String(repeating: " ", count: max(0, width - word.count))
    }
    let remedy = advice.map { "; \($0)" } ?? ""
    return SafeText("\(columns.joined(separator: "  "))  \(what)\(remedy)")
  }
}
