extension AnsiContent {
  /// Reads `text` with its SGR sequences; an array of spans is taken as it is.
  init(_ members: ViewNode.Reader, budget: ViewBudget?) throws {
    let raw: String
    do {
      guard let text = try members.decodeIfPresent(String.self, forKey: .text) else {
        throw members.expected("a text", forKey: .text)
      }
      raw = text
    } catch let error as DecodingError {
      guard (try? members.nestedUnkeyedContainer(forKey: .text)) != nil else {
        guard try members.holds(.text) else { throw error }
        throw members.expected("a text", forKey: .text)
      }
      self.init(spans: try members.list(.text, of: "spans"))
      return
    }
    try budget?.check(textBytes: raw.utf8.count)
    var parser = AnsiParser()
    self.init(spans: parser.spans(of: raw))
  }

  /// Writes SGR sequences where they say all there is to say, else the spans.
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
