import FoundationEssentials
import WidgetKitCore

/// How the machines of a fleet are compared on one card: a row a machine, the worst first.
struct FleetView {
  /// A machine.
  struct Row {
    /// What is known of the machine.
    enum State: Int {
      /// It has answered.
      case known
      /// It has not answered yet.
      case waiting
      /// Its widget or its last update has failed.
      case failed
      /// It cannot be reached.
      case away
    }

    var name: String
    var state: State
    /// What is wrong; nil if nothing is.
    var trouble: SafeText?
    /// The last view.
    var view: ViewNode?
    var summary: FleetSummary?

    /// Worse ones first: by what was said last, then by the state, then by the name.
    static func isWorse(_ left: Row, _ right: Row) -> Bool {
      let severities = [left, right].map { $0.summary?.severity ?? .none }
      if severities[0] != severities[1] { return severities[0] > severities[1] }
      if left.state != right.state { return left.state.rawValue > right.state.rawValue }
      return key(left.name) < key(right.name)
    }

    /// A name as it is compared: “web-2” comes before “web-10”.
    private static func key(_ name: String) -> String {
      var key = ""
      var digits = ""
      func flush() {
        key += String(repeating: "0", count: max(0, 10 - digits.count)) + digits
        digits = ""
      }
      for character in name.lowercased() {
        if character.isASCII, character.isNumber {
          digits.append(character)
        } else {
          if !digits.isEmpty { flush() }
          key.append(character)
        }
      }
      if !digits.isEmpty { flush() }
      return key
    }
  }

  /// The rows of a card, and the rows of the view of a machine where views stand below each other.
  private static let rowLimit = 90

  /// The machines below each other, with one line for each.
  static func table(_ rows: [Row]) -> ViewNode {
    let sorted = rows.sorted(by: Row.isWorse)
    var labels: [SafeText] = []
    for row in sorted {
      for figure in row.summary?.figures ?? []
      where labels.count < FleetSummary.figureLimit && !labels.contains(figure.label) {
        labels.append(figure.label)
      }
    }
    var lines: [[ViewNode]] = []
    if !labels.isEmpty {
      lines.append([text("")] + labels.map { text($0, .secondary) } + [text("")])
    }
    lines += sorted.prefix(rowLimit).map { cells($0, labels) }
    let columns =
      [GridColumn(priority: 2)]
      + labels.map { _ in GridColumn(alignment: .trailing, priority: 1) } + [GridColumn()]
    var parts = [ViewNode(.grid(GridContent(rows: lines, columns: columns, columnSpacing: 2)))]
    if sorted.count > rowLimit {
      parts.append(text(SafeText("… \(sorted.count - rowLimit) more"), .secondary))
    }
    return ScriptWords.stack(parts)
  }

  private static func cells(_ row: Row, _ labels: [SafeText]) -> [ViewNode] {
    let figures = row.summary?.figures ?? []
    let isOld = row.state != .known
    let values = labels.map { label -> ViewNode in
      guard let figure = figures.first(where: { $0.label == label }) else { return text("") }
      return text(figure.words, isOld ? .secondary : color(figure.severity))
    }
    let isPrivate = row.view?.hasPrivateContent == true
    var name = text(SafeText(row.name), isOld ? .secondary : color(row.summary?.severity))
    if row.summary?.severity == .critical, !isOld { name.style.bold = true }
    var words: ViewNode
    if let trouble = row.trouble {
      words = text(trouble.onOneLine, .orange)
    } else if labels.isEmpty {
      words = text(row.summary?.text ?? "", color(row.summary?.severity))
    } else {
      words = text("")
    }
    words.privacySensitive = isPrivate
    return [name]
      + values.map { value in
        var value = value
        value.privacySensitive = isPrivate
        return value
      } + [words]
  }

  /// The views of all machines below each other, each under the name of its machine.
  static func stack(_ rows: [Row], lines: Int) -> ViewNode {
    let sorted = rows.sorted(by: Row.isWorse)
    var parts: [ViewNode] = []
    for row in sorted.prefix(rowLimit) {
      var name = text(SafeText(row.name), row.state == .known ? nil : .secondary)
      name.style.bold = true
      guard let trouble = row.trouble else {
        parts.append(name)
        if let view = row.view { parts.append(view) }
        continue
      }
      let line = StackContent(children: [name, text(trouble.onOneLine, .orange)], spacing: 2)
      parts.append(ViewNode(.hstack(line)))
      if let view = row.view { parts.append(view) }
    }
    if sorted.count > rowLimit {
      parts.append(text(SafeText("… \(sorted.count - rowLimit) more"), .secondary))
    }
    return ScriptWords.stack(parts)
  }

  private static func color(_ severity: FleetSummary.Severity?) -> Color? {
    switch severity {
    case .critical?: .red
    case .warning?: .orange
    case FleetSummary.Severity.none?, nil: nil
    }
  }

  private static func text(_ words: SafeText, _ color: Color? = nil) -> ViewNode {
    ScriptWords.text(words.string, color)
  }
}
