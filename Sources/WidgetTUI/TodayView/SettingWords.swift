import WidgetHost
import WidgetKitCore

nonisolated extension SettingsBook.Row {
  /// The value in words; of a secret only whether there is one.
  var valueWords: String {
    guard declaration.kind != .secret else { return isSet ? "set" : "not set" }
    switch value {
    case .string(let text): return text
    case .number(let number): return Int(exactly: number).map { "\($0)" } ?? "\(number)"
    case .boolean(let flag): return flag ? "true" : "false"
    case .list(let texts): return texts.joined(separator: ",")
    case nil: return "–"
    }
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
