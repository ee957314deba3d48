package import WidgetKitCore
package import WidgetSessions

/// A view of an extension, and how high it would like to be.
package struct RequestView {
  /// The tree; nil if none was sent yet.
  package private(set) var node: ViewNode?
  /// Where the tree comes from, which says whether it may be an answer to what was typed.
  package private(set) var source = ContentSource.appearance
  /// How many trees were sent.
  package private(set) var revision = 0
  /// The height that the extension prefers; nil for that of the tree.
  package private(set) var preferredRows: Int?

  package init(_ node: ViewNode? = nil) { self.node = node }

  /// Takes over what the extension has sent.
  mutating func apply(_ content: ContentUpdate, _ source: ContentSource) {
    if let node = content.view {
      (self.node, self.source) = (node, source)
      revision += 1
    }
    switch content.preferredContentSize {
    case .unstated: break
    case .null: preferredRows = nil
    case .value(let size): preferredRows = size.height
    }
  }
}
