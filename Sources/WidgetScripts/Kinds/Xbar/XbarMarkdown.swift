import WidgetKitCore

/// What `md=true` marks: `**bold**` or `__bold__`, `*italic*` or `_italic_`, `~~struck out~~`, `` `code` ``, and
/// `[text](URL)`, of which the text is shown.
enum XbarMarkdown {
  /// Splits a span at its marks; a mark that is not closed stays as it is.
  static func spans(of span: TextSpan) -> [TextSpan] {
    var spans: [TextSpan] = []
    var plain = ""
    var rest = span.text.string[...]
    func add(_ text: some StringProtocol, _ change: (inout TextStyle) -> Void = { _ in }) {
      guard !text.isEmpty else { return }
      var style = span.style
      change(&style)
      spans.append(TextSpan(SafeText(String(text)), style: style))
    }
    while let character = rest.first {
      if let (text, end) = link(rest) {
        add(plain)
        plain = ""
        add(text)
        rest = rest[end...]
        continue
      }
      let mark = ["**", "__", "~~", "*", "_", "`"].first { rest.hasPrefix($0) }
      guard let mark, let (text, end) = enclosed(by: mark, in: rest, after: plain.last) else {
        // Not the half of a mark: `__init__x` has none.
        let skipped = mark ?? String(character)
        plain += skipped
        rest = rest.dropFirst(skipped.count)
        continue
      }
      add(plain)
      plain = ""
      add(text) { style in
        switch mark {
        case "**", "__": style.bold = true
        case "*", "_": style.italic = true
        case "~~": style.strikethrough = true
        default: break
        }
      }
      rest = rest[end...]
    }
    add(plain)
    return spans
  }

  /// The text between a mark at the beginning and the next one, and where that ends; nil if there is none, or
  /// if they are no marks: with blanks inside of them, or `_` in the middle of a word.
  private static func enclosed(
    by mark: String,
    in rest: Substring,
    after last: Character?
  ) -> (text: Substring, end: String.Index)? {
    let inner = rest.dropFirst(mark.count)
    guard let range = inner.firstRange(of: mark) else { return nil }
    let text = inner[..<range.lowerBound]
    guard let first = text.first, !first.isWhitespace, text.last?.isWhitespace == false else {
      return nil
    }
    func isWord(_ character: Character?) -> Bool {
      character.map { $0.isLetter || $0.isNumber } ?? false
    }
    if mark.first == "_", isWord(last) || isWord(inner[range.upperBound...].first) { return nil }
    return (text, range.upperBound)
  }

  /// The text of a link at the beginning, and where the link ends; nil if there is none.
  private static func link(_ rest: Substring) -> (text: Substring, end: String.Index)? {
    guard rest.first == "[", let middle = rest.firstRange(of: "](") else { return nil }
    let text = rest[..<middle.lowerBound].dropFirst()
    let place = rest[middle.upperBound...]
    guard !text.isEmpty, let end = place.firstIndex(of: ")"), end > place.startIndex,
      !text.contains("["), !place[..<end].contains(where: \.isWhitespace)
    else { return nil }
    return (text, rest.index(after: end))
  }
}
