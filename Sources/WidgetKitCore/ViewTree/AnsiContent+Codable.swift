extension AnsiContent {
  /// Reads `text` with its SGR sequences, or an array of spans unchanged.
  init(_ members: borrowing ViewNode.Reader) throws {
    if members[.text]?.kind == .array {
      self.init(spans: try members.list(.text, of: "spans"))
      return
    }
    guard let raw = members[.text]?.json.string else {
      throw members.expected("a text", forKey: .text)
    }
    try members.budget?.check(textBytes: raw.utf8.count)
    var parser = AnsiParser()
    self.init(spans: parser.spans(of: raw))
  }

  /// Writes SGR sequences if they can express all spans, otherwise the spans.
  func write(to members: inout ViewNode.Writer) throws {
    try members.encode("ansi", forKey: .type)
    let text = spans.map { SGR.sequence(for: $0.style) + $0.text.string }.joined()
    var parser = AnsiParser()
    if parser.spans(of: text) == spans {
      try members.encode(text, forKey: .text)
    } else {
      try members.encode(spans, forKey: .text)
    }
  }
}
