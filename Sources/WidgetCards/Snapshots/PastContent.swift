package import FoundationEssentials
package import WidgetKitCore

/// A content that a card has had.
package nonisolated struct PastContent: Hashable, Sendable {
  /// When the widget sent it.
  package var made: Date
  /// The view, without what is private.
  package var view: ViewNode
  /// The height that the widget preferred; nil if the view determined it.
  package var preferredHeight: Int?
  /// The view of the content before it, from which what has changed is told; nil if there was none.
  package var before: ViewNode?
  /// Which one it is of all that are kept, the oldest being 1.
  package var number: Int
  /// How many are kept.
  package var count: Int

  /// What a card shows that had no content at a moment, or of which it is not kept any more.
  package static func nothing(at date: Date) -> PastContent {
    var words = ViewNode(.text(TextContent(spans: [TextSpan("Nothing is kept from then.")])))
    words.style = TextStyle(foreground: .secondary)
    return PastContent(made: date, view: words, number: 0, count: 0)
  }

  /// What takes the place of the content of the card.
  var update: ContentUpdate {
    let height = preferredHeight.map { PreferredContentSize(height: $0) }
    return ContentUpdate(view: view, preferredContentSize: height.map { .value($0) } ?? .null)
  }
}

/// What is stored of a content.
nonisolated struct PastBody: Codable, Hashable, Sendable {
  var view: ViewNode
  var preferredHeight: Int?

  /// What is stored of a snapshot.
  init(_ snapshot: Snapshot) {
    view = snapshot.view.withoutPrivateContent
    preferredHeight = snapshot.preferredHeight
  }

  /// The JSON, which is in one line.
  var bytes: [UInt8]? {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.withoutEscapingSlashes, .sortedKeys]
    return (try? encoder.encode(self)).map(Array.init)
  }

  /// Reads the JSON; nil if it is not a content, or exceeds the limits.
  init?(_ bytes: ArraySlice<UInt8>, _ limits: ViewLimits) {
    // A text was measured when it was received, and is longer now if characters in it were replaced.
    var limits = limits
    limits.textBytes = .max
    let decoder = JSONDocumentDecoder(userInfo: [.viewBudget: ViewBudget(limits)])
    guard let body = try? decoder.decode(PastBody.self, from: bytes),
      body.preferredHeight.map(Size.limit.contains) ?? true
    else { return nil }
    self = body
  }
}

nonisolated extension ViewNode {
  /// The view with dots in place of every private part.
  var withoutPrivateContent: ViewNode {
    guard hasPrivateContent else { return self }
    guard !privacySensitive else { return ViewNode(.text(TextContent(spans: [TextSpan("•••")]))) }
    var node = self
    node.content.changeChildren { $0 = $0.withoutPrivateContent }
    return node
  }
}
