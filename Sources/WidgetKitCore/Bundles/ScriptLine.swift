/// The line of a script that says how it is shown, in a comment of any language.
///
/// `# today: title="Load of the build machine" interval=10s lines=-5`
struct ScriptLine {
  /// The name in the heading.
  var title: SafeText?
  /// What it is for, in a sentence.
  var purpose: SafeText?
  /// The seconds between two runs.
  var interval: Double?
  /// The seconds that a run may take.
  var timeout: Double?
  /// The rows that are shown: the first ones, or the last ones if it is negative.
  var lines: Int?
  /// The columns of the page that the card takes up.
  var span: Int?
  /// Whether it goes on printing.
  var follow: Bool?
  /// Whether it is shown on the page without being added.
  var show: Bool?
  /// How its output is read; nil if that is found out from the output.
  var format: ScriptFormat?
  /// The values that cannot be used.
  private(set) var faults: [BundleFault] = []

  /// The seconds that a run can be given, so that it ends before the host gives up the update.
  static let timeouts = 1.0...25.0
  /// The lines of a file in which the line is looked for.
  private static let searchedLines = 100
  private static let names = [
    "title", "description", "format", "interval", "timeout", "lines", "follow", "span", "show",
  ]

  /// Finds the line in the beginning of a script; without one nothing is set.
  init(in text: String) {
    readTags(text)
    for line in text.split(separator: "\n", maxSplits: Self.searchedLines).prefix(
      Self.searchedLines
    ) {
      let words = line.drop { !$0.isLetter }
      guard words.hasPrefix("today:") else { continue }
      var rest = words.dropFirst("today:".count)
      // A sentence that begins like this is a comment for readers.
      guard let first = rest.split(separator: " ").first, first.contains("=") else { continue }
      while let (name, value) = Self.next(&rest) { read(name, value) }
      return
    }
  }

  /// Reads the tags by which plugins of other hosts say who they are.
  private mutating func readTags(_ text: String) {
    for (host, format) in [("bitbar", ScriptFormat.xbar), ("xbar", .xbar), ("swiftbar", .swiftbar)]
    where text.contains("<\(host).") {
      self.format = format
      if let words = Self.tag("\(host).title", in: text) { title = words }
      if let words = Self.tag("\(host).desc", in: text) { purpose = words }
    }
  }

  /// The text of the last tag of a name, on one line; nil if there is none, or none that can be seen.
  private static func tag(_ name: String, in text: String) -> SafeText? {
    guard let start = text.ranges(of: "<\(name)>").last?.upperBound,
      let end = text[start...].firstRange(of: "</\(name)>")?.lowerBound,
      !text[start..<end].contains(where: \.isNewline)
    else { return nil }
    let words = SafeText(name: String(text[start..<end]), orIfInvisible: "")
    return words.isEmpty ? nil : words
  }

  /// Takes the next `name=value` of a line; the value is nil if there is no `=`.
  private static func next(_ rest: inout Substring) -> (name: String, value: String?)? {
    rest = rest.drop(while: \.isWhitespace)
    guard !rest.isEmpty else { return nil }
    let name = rest.prefix { $0 != "=" && !$0.isWhitespace }
    rest = rest.dropFirst(name.count)
    guard rest.first == "=" else { return (String(name), nil) }
    rest = rest.dropFirst()
    guard let quote = rest.first, quote == "\"" || quote == "'" else {
      let value = rest.prefix { !$0.isWhitespace }
      rest = rest.dropFirst(value.count)
      return (String(name), String(value))
    }
    let value = rest.dropFirst().prefix { $0 != quote }
    rest = rest.dropFirst(value.count + 2)
    return (String(name), String(value))
  }

  private mutating func read(_ name: String, _ value: String?) {
    guard let value else { return refuse(name, "without a value", expected: "\(name)=VALUE") }
    switch name {
    case "title":
      let text = SafeText(name: value, orIfInvisible: "")
      if text.isEmpty {
        refuse(name, value, "a text with visible characters")
      } else {
        title = text
      }
    case "description": purpose = SafeText(value)
    case "format":
      guard let known = ScriptFormat(rawValue: value) else {
        return refuse(name, value, ScriptFormat.allCases.map(\.rawValue).joined(separator: ", "))
      }
      format = known
    case "interval":
      interval = ScriptName.seconds(value)
      if interval == nil { refuse(name, value, "a time such as 10s, 5m, 1h or 1d") }
    case "timeout":
      timeout = ScriptName.seconds(value).flatMap { Self.timeouts ~= $0 ? $0 : nil }
      if timeout == nil { refuse(name, value, "a time from 1s to 25s") }
    case "lines":
      lines = Int(value).flatMap { (1...100) ~= $0.magnitude ? $0 : nil }
      if lines == nil {
        refuse(name, value, "1 to 100 for the first rows, -1 to -100 for the last")
      }
    case "span":
      span = Int(value).flatMap { InfoPlist.WidgetExtension.spans ~= $0 ? $0 : nil }
      if span == nil {
        refuse(name, value, "columns, from 1 to \(InfoPlist.WidgetExtension.spans.upperBound)")
      }
    case "follow":
      follow = Bool(value)
      if follow == nil { refuse(name, value, "true or false") }
    case "show":
      show = Bool(value)
      if show == nil { refuse(name, value, "true or false") }
    default:
      refuse(name, "unknown", expected: "one of \(Self.names.joined(separator: ", "))")
    }
  }

  private mutating func refuse(_ name: String, _ value: String, _ expected: String) {
    faults.append(.wrongValue("today: \(name)", value, expected: expected))
  }

  private mutating func refuse(_ name: String, _ found: String, expected: String) {
    faults.append(
      BundleFault(code: .wrongValue, key: "today: \(name)", found: found, expected: expected)
    )
  }
}
