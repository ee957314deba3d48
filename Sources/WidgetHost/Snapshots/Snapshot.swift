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

  /// What a snapshot depends on (D12).
  package struct Key: Codable, Hashable, Sendable {
    package var bundleIdentifier: String
    package var instance: String?
    /// Columns of the body.
    package var width: Int
    package var displayMode: DisplayMode
    package var locale: String
    package var protocolVersion = ProtocolVersion.current
  }
}
