import WidgetExtensions
import WidgetKitCore

nonisolated extension WidgetConfiguration.Value {
  /// The value as it is typed; a list whose texts have commas or blanks at an end in JSON.
  var words: String {
    switch self {
    case .string(let text): return text
    case .number(let number): return Int(exactly: number).map { "\($0)" } ?? "\(number)"
    case .boolean(let flag): return flag ? "true" : "false"
    case .list(let texts):
      let isPlain = texts.allSatisfy {
        !$0.isEmpty && !$0.contains(",") && $0.first != " " && $0.last != " " && $0.first != "["
      }
      if isPlain { return texts.joined(separator: ", ") }
      let quoted = texts.map { text in
        "\"\(text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\""
      }
      return "[\(quoted.joined(separator: ", "))]"
    }
  }
}

nonisolated extension SettingsBook.Row {
  /// The value in words; of a secret only whether there is one.
  var valueWords: String {
    guard declaration.kind != .secret else { return isSet ? "set" : "not set" }
    return value?.words ?? "–"
  }

  /// Where the value comes from, in words.
  var sourceWords: String {
    switch source {
    case "config.json": place ?? "config.json"
    case "program": "set in the program"
    case let source?: source
    case nil: "not set"
    }
  }
}
