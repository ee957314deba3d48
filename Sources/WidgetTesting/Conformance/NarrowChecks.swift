import WidgetKitCore
import WidgetPages

/// A card on a page of 40 columns: the content is there, and not a remark that there is no room for it.
struct NarrowChecks {
  private let harness: WidgetHarness

  /// The width of a body on a page of 40 columns, and a body of as many.
  private static let narrow = [36, 40]
  private static let wide = 120
  /// What takes the place of content for which a widget finds no room.
  private static let remarks = [
    "too narrow", "too small", "not enough room", "not enough space", "not wide enough",
    "columns needed", "more columns", "at least", "wider", "widen", "enlarge", "resize",
  ]
  /// The letters of a word that says what is shown.
  private static let shortestWord = 3

  init(_ harness: WidgetHarness) {
    self.harness = harness
  }

  /// Makes the check.
  func run(_ report: inout TestReport) async {
    let title = "the content is there at 40 columns"
    var narrow: [(width: Int, view: ViewNode)] = []
    let problem = await harness.survives { () throws(HarnessFailure) in
      for width in Self.narrow {
        try await show(width)
        if let view = harness.view { narrow.append((width, view)) }
      }
      try await show(Self.wide)
    }
    guard problem == nil, let wide = harness.view, !narrow.isEmpty else {
      return report.skip(title, because: problem == nil ? "there is no view" : "it has ended")
    }
    let whole = rows(wide, Self.wide)
    _ = await harness.survives { () throws(HarnessFailure) in try await show(Self.narrow[0]) }
    report.check(
      title,
      problem: narrow.lazy.compactMap { fault($0.view, $0.width, whole) }.first
    )
  }

  /// Gives the card a width, and waits for the end of the transition.
  private func show(_ width: Int) async throws(HarnessFailure) {
    try await harness.appear(width: width)
    try await harness.advance(by: .milliseconds(500))
  }

  private func rows(_ view: ViewNode, _ width: Int) -> [String] {
    layOut(view, width).textRows
  }

  private func layOut(_ view: ViewNode, _ width: Int) -> LaidOutView {
    let environment = harness.center.look.environment
    return ViewLayout.layOut(view, width: width, height: nil, in: environment)
  }

  /// What is wrong with a view in some columns, where `whole` are the rows of the wide one.
  private func fault(_ view: ViewNode, _ width: Int, _ whole: [String]) -> String? {
    let picture = layOut(view, width)
    let shown = picture.textRows
    let (text, wideText) = (shown.joined(separator: " "), whole.joined(separator: " "))
    let lowered = (text.lowercased(), wideText.lowercased())
    let isRemark = Self.remarks.contains { lowered.0.contains($0) && !lowered.1.contains($0) }
    if isRemark || sharesNothing(lowered.0, lowered.1) {
      return "in \(width) columns there is “\(text.prefix(60))” in place of the content; "
        + "show less of it, or in other rows"
    }
    if picture.neededColumns > width {
      return "in \(width) columns a part is cut off: the view needs \(picture.neededColumns)"
    }
    let texts = texts(view)
    guard !texts.isEmpty, !texts.contains(where: { isWhole($0, width, shown) }) else { return nil }
    return "in \(width) columns every text is cut off: “\(text.prefix(60))”"
  }

  /// Whether two texts have words, and none in common, not even as an abbreviation.
  private func sharesNothing(_ text: String, _ other: String) -> Bool {
    let (words, others) = (Self.words(text), Self.words(other))
    guard !words.isEmpty, !others.isEmpty else { return false }
    return !words.contains { word in
      others.contains { $0.hasPrefix(word) || word.hasPrefix($0) }
    }
  }

  private static func words(_ text: String) -> Set<String> {
    Set(text.split { !$0.isLetter }.map(String.init).filter { $0.count >= shortestWord })
  }

  private func texts(_ node: ViewNode) -> [String] {
    guard case .text(let content) = node.content else { return node.children.flatMap(texts) }
    let text = content.spans.map(\.text.string).joined()
    return text.allSatisfy(\.isWhitespace) ? [] : [text]
  }

  /// Whether all words of a text that fit into a row are in one.
  private func isWhole(_ text: String, _ width: Int, _ rows: [String]) -> Bool {
    text.split(whereSeparator: \.isWhitespace).allSatisfy { word in
      word.count > width || rows.contains { $0.contains(word) }
    }
  }
}
