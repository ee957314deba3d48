import WidgetKitCore

/// An area of a picture that leads to a URL.
nonisolated struct PageLink: Hashable, Sendable {
  var area: Rect
  var url: String
}
