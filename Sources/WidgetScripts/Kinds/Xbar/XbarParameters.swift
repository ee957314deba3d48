import WidgetKitCore

/// The parameters behind the text of a line: `color=red bash="/bin/echo" param1='a b'`.
///
/// They are read by scalar values: a mark behind a sign is one character with it.
enum XbarParameters {
  typealias Scalars = Substring.UnicodeScalarView

  /// Reads them as the host does; words without a value are skipped, and of a name that is given twice the last counts.
  ///
  /// - Parameters:
  ///   - text: What follows the first `|` of a line.
  ///   - dialect: The program for which the plugin was written.
  /// - Returns: The values by their names in lower case.
  static func values(_ text: Scalars, _ dialect: XbarDialect) -> [String: String] {
    var values: [String: String] = [:]
    var rest = text
    switch dialect {
    case .argos:
      while let word = shellWord(&rest) {
        guard let equals = word.firstIndex(of: "=") else { continue }
        add(word[..<equals], word[equals...].dropFirst(), to: &values)
      }
    case .xbar, .swiftbar:
      while true {
        rest = rest.drop { $0.isWhitespace || $0 == "|" }
        guard !rest.isEmpty else { break }
        let name = rest.prefix { $0 != "=" && !$0.isWhitespace }
        rest = rest[name.endIndex...]
        guard rest.first == "=" else { continue }
        rest = rest.dropFirst()
        add(name, value(&rest, dialect), to: &values)
      }
    }
    return values
  }

  private static func add(
    _ name: Scalars,
    _ value: some Collection<Unicode.Scalar>,
    to values: inout [String: String]
  ) {
    guard !name.isEmpty, name.allSatisfy(isNamePart) else { return }
    values[String(name).lowercased()] = String(String.UnicodeScalarView(value))
  }

  private static func isNamePart(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "a"..."z", "A"..."Z", "0"..."9": true
    default: false
    }
  }

  // MARK: - xbar and SwiftBar

  /// Takes a value: in quotes, or to the next blank.
  private static func value(
    _ rest: inout Scalars,
    _ dialect: XbarDialect
  ) -> String.UnicodeScalarView {
    if let quote = rest.first, quote == "\"" || quote == "'" {
      rest = rest.dropFirst()
      return quoted(&rest, by: quote, hasEscapes: dialect == .swiftbar)
    }
    let value = dialect == .xbar ? bareValue(rest) : rest.prefix { !$0.isWhitespace }
    rest = rest[value.endIndex...]
    return String.UnicodeScalarView(value)
  }

  /// Takes the rest of a text in quotes; with escapes, a quote behind a backslash does not end it, and any other sign
  /// keeps its backslash.
  private static func quoted(
    _ rest: inout Scalars,
    by quote: Unicode.Scalar,
    hasEscapes: Bool
  ) -> String.UnicodeScalarView {
    var value = String.UnicodeScalarView()
    while let scalar = rest.popFirst(), scalar != quote {
      guard scalar == "\\", hasEscapes, let next = rest.popFirst() else {
        value.append(scalar)
        continue
      }
      if next != quote { value.append(scalar) }
      value.append(next)
    }
    return value
  }

  /// A value of xbar without quotes: to the next blank, or to a `|` that begins the next parameter.
  ///
  /// Any other `|` belongs to the value, such as one in a URL.
  private static func bareValue(_ rest: Scalars) -> Scalars {
    let word = rest.prefix { !$0.isWhitespace }
    let bar = word.indices.first { word[$0] == "|" && beginsParameter(word[$0...].dropFirst()) }
    return bar.map { word[..<$0] } ?? word
  }

  /// Whether a text begins with a parameter: `color=`.
  static func beginsParameter(_ word: Scalars) -> Bool {
    guard let equals = word.firstIndex(of: "=") else { return false }
    let name = String(word[..<equals]).lowercased()
    return names.contains(name) || name.wholeMatch(of: /param[0-9]{1,2}/) != nil
  }

  /// The names of the parameters of all three programs, in lower case.
  private static let names: Set<String> = [
    "alternate", "ansi", "badge", "bash", "checked", "color", "disabled", "dropdown", "emojize",
    "font", "href", "iconname", "image", "imageheight", "imagewidth", "key", "length", "md",
    "refresh", "sfcolor", "sfimage", "sfsize", "shell", "shortcut", "size", "symbolize",
    "templateimage", "terminal", "tooltip", "trim", "unescape", "usemarkup", "webview",
  ]

  // MARK: - Argos

  /// Takes the next word as a shell has it, without its quotes; nil if there is none.
  ///
  /// The rules are those of g_shell_parse_argv of GLib, but a quote that is not closed goes to the end of the line.
  private static func shellWord(_ rest: inout Scalars) -> Scalars? {
    rest = rest.drop(while: \.isWhitespace)
    // The rest is a comment.
    guard let first = rest.first, first != "#" else { return nil }
    var word = String.UnicodeScalarView()
    while let scalar = rest.first, !scalar.isWhitespace {
      rest = rest.dropFirst()
      switch scalar {
      case "'":
        while let scalar = rest.popFirst(), scalar != "'" { word.append(scalar) }
      case "\"":
        while let scalar = rest.popFirst(), scalar != "\"" {
          let isEscape = scalar == "\\" && rest.first.map(escapable.contains) == true
          word.append(isEscape ? rest.popFirst() ?? scalar : scalar)
        }
      case "\\": word.append(rest.popFirst() ?? scalar)
      default: word.append(scalar)
      }
    }
    return word[...]
  }

  /// What a backslash in double quotes stands before.
  private static let escapable: Set<Unicode.Scalar> = ["$", "`", "\"", "\\"]
}
