import WidgetExtensions
import WidgetKitCore

nonisolated extension SettingsFormRow {
  /// What an empty line of it says: the default, else an example.
  var hint: SafeText {
    let example = declaration.shownExample.map { "such as \($0)" }
    switch control {
    case .list(let list) where list.lines.count > 1: return "+ another"
    case .list: return standard.isEmpty ? SafeText("+ \(example ?? "add one")") : standard
    case .secret: return isSet ? "" : "not set"
    case .text: return standard.isEmpty ? SafeText(example ?? "") : standard
    case .choice, .flag, .fixed: return ""
    }
  }

  /// What a setting may be, or where it is set: it is said below all of them.
  var detail: SafeText {
    if case .fixed(_, let place) = control { return "Set at \(place); change it there." }
    let standard = self.standard.isEmpty ? "" : "; default: \(self.standard)"
    return SafeText(expected.prefix(1).uppercased() + expected.dropFirst() + standard)
  }

  private var expected: String {
    // Those of a format have one.
    let named = declaration.format == nil ? declaration.example : nil
    let example = named.map { ", such as \($0)" } ?? ""
    switch declaration.kind {
    case .boolean: return "space changes it"
    case .choice: return "left and right change it"
    case .list: return "on each line \(declaration.format?.expectation ?? "a text")" + example
    case .string: return (declaration.format?.expectation ?? "a text") + example
    case .number:
      return declaration.expectation + (declaration.unit.map { ", in \($0)" } ?? "")
    case .file, .secret: return declaration.expectation + example
    }
  }
}
