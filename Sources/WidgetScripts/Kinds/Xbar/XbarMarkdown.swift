import WidgetKitCore

/// The emphasis of `md=true`: `**bold**`, `*italic*` or `_italic_`, and `` `code` ``.
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
      let mark = ["**", "*", "_", "`"].first { rest.hasPrefix($0) }
      guard let mark, let (text, end) = enclosed(by: mark, in: rest, after: plain.last) else {
        plain.append(character)
        rest = rest.dropFirst()
        continue
      }
      add(plain)
      plain = ""
      add(text) { style in
        if mark == "**" { style.bold = true }
        if mark == "*" || mark == "_" { style.italic = true }
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
    if mark == "_", isWord(last) || isWord(inner[range.upperBound...].first) { return nil }
    return (text, range.upperBound)
  }
}
