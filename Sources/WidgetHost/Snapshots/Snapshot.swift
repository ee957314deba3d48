package import FoundationEssentials
package import WidgetKitCore

/// The last good view of a card, as it is kept on disk.
package nonisolated struct Snapshot: Codable, Sendable {
  /// What it was made for; only the same key may show it.
  package var key: Key
  /// When the content was made.
  package var date: Date
  /// The tree.
  package var view: ViewNode
  /// The height that the widget stated; nil where it went by the view.
  package var preferredHeight: Int?
  /// The rows that the body had.
  package var rows: Int
  /// Pictures for later; nil where there are none.
  package var timeline: Timeline?

  /// Describes a view that is to be kept.
  package init(
    key: Key,
    date: Date,
    view: ViewNode,
    preferredHeight: Int?,
    rows: Int,
    timeline: Timeline? = nil
  ) {
    self.key = key
    self.date = date
    self.view = view
    self.preferredHeight = preferredHeight
    self.rows = rows
    self.timeline = timeline
  }

  /// What a card takes over of it: the view, and the height that the widget stated.
  var content: ContentUpdate {
    let size = preferredHeight.map { PreferredContentSize(height: $0) }
    return ContentUpdate(view: view, preferredContentSize: size.map { .value($0) } ?? .null)
  }

  /// What a snapshot depends on (D12).
  package struct Key: Codable, Hashable, Sendable {
    package var bundleIdentifier: String
    package var instance: String?
    /// Columns of the body.
    package var width: Int
    package var displayMode: DisplayMode
    package var locale: String
    package var protocolVersion = ProtocolVersion.current

    /// Describes what a view was made for.
    package init(
      bundleIdentifier: String,
      instance: String?,
      width: Int,
      displayMode: DisplayMode,
      locale: String
    ) {
      self.bundleIdentifier = bundleIdentifier
      self.instance = instance
      self.width = width
      self.displayMode = displayMode
      self.locale = locale
    }
  }
}
