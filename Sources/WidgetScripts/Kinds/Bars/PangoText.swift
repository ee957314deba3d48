import WidgetKitCore

/// Text with the markup of Pango, as programs for bars write it: `<b>`, `<i>`, `<u>`, `<s>`, `<tt>` and
/// `<span color='#ff0000' weight='bold'>`.
enum PangoText {
  /// The bytes of a text that are read.
  private static let byteLimit = 4_096
  /// How many elements may be in each other.
  private static let depthLimit = 16

  /// Returns the spans of a text; tags that are unknown are left out, and what is not markup stays as it is.
  static func spans(_ text: String) -> [TextSpan] {
    var spans: [TextSpan] = []
    var styles = [TextStyle.inherited]
    var plain = ""
    var rest = ScriptWords.beginning(text, bytes: byteLimit).unicodeScalars[...]
    func end() {
      guard !plain.isEmpty else { return }
      spans.append(TextSpan(SafeText(plain), style: styles[styles.count - 1]))
      plain = ""
    }
    while let scalar = rest.first {
      if scalar == "<", let close = rest.firstIndex(of: ">"), isTag(rest[close...], rest) {
        end()
        let tag = String(rest[rest.index(after: rest.startIndex)..<close])
        rest = rest[rest.index(after: close)...]
        if tag.hasPrefix("/") {
          if styles.count > 1 { styles.removeLast() }
        } else if !tag.hasSuffix("/"), styles.count < depthLimit {
          styles.append(style(of: tag, in: styles[styles.count - 1]))
        }
      } else if scalar == "&", let (character, length) = entity(rest) {
        plain += character
        rest = rest.dropFirst(length)
      } else {
        plain.unicodeScalars.append(scalar)
        rest = rest.dropFirst()
      }
    }
    end()
    return spans
  }

  /// Whether `<` begins a tag: a letter or `/` follows it.
  private static func isTag(
    _ close: Substring.UnicodeScalarView,
    _ rest: Substring.UnicodeScalarView
  ) -> Bool {
    guard !close.isEmpty, let first = rest.dropFirst().first else { return false }
    return first == "/" || (first.isASCII && first.properties.isAlphabetic)
  }

  private static func entity(_ rest: Substring.UnicodeScalarView) -> (String, length: Int)? {
    guard let end = rest.prefix(10).firstIndex(of: ";") else { return nil }
    let name = String(rest[rest.index(after: rest.startIndex)..<end])
    let length = name.unicodeScalars.count + 2
    let names = ["amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'"]
    if let character = names[name] { return (character, length) }
    guard name.hasPrefix("#") else { return nil }
    let digits = name.dropFirst()
    let code = digits.first == "x" ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
    return code.flatMap(Unicode.Scalar.init).map { (String($0), length) }
  }

  /// The style of an element: that around it, with what its tag changes.
  private static func style(of tag: String, in outer: TextStyle) -> TextStyle {
    var style = outer
    let name = tag.prefix { $0.isLetter }
    switch name {
    case "b", "big": style.bold = true
    case "i": style.italic = true
    case "u": style.underline = true
    case "s": style.strikethrough = true
    case "small": style.dim = true
    default: break
    }
    guard name == "span" else { return style }
    for (attribute, value) in attributes(tag.dropFirst(name.count)) {
      switch attribute {
      case "color", "foreground", "fgcolor":
        style.foreground = XbarColor.color(value) ?? style.foreground
      case "background", "bgcolor": style.background = XbarColor.color(value) ?? style.background
      case "weight", "font_weight":
        style.bold = value.contains("bold") || value == "heavy" || (Int(value) ?? 0) >= 600
      case "style", "font_style": style.italic = value == "italic" || value == "oblique"
      case "underline": style.underline = value != "none"
      case "strikethrough": style.strikethrough = value == "true"
      default: break
      }
    }
    return style
  }

  private static func attributes(_ text: Substring) -> [(String, String)] {
    var found: [(String, String)] = []
    var rest = text.unicodeScalars[...]
    while let equals = rest.firstIndex(of: "=") {
      let name = Substring(rest[..<equals]).filter { !$0.isWhitespace }
      rest = rest[equals...].dropFirst().drop(while: \.isWhitespace)
      guard let quote = rest.first, quote == "'" || quote == "\"" else { break }
      let value = rest.dropFirst().prefix { $0 != quote }
      found.append((name.lowercased(), String(value)))
      rest = rest[value.endIndex...].dropFirst()
    }
    return found
  }
}
