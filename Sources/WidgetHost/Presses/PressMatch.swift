package import WidgetKitCore

/// Finds a pressed element again in another picture of its view.
nonisolated extension [PressTarget] {
  /// The element that `target`, of an older or a moving picture, is here; nil where there is none.
  ///
  /// It has the same `id` and the same action and link, and a toggle is in the same state. What has
  /// no `id` must also have the same words: the place of an element says nothing about what it is.
  package func match(_ target: PressTarget) -> PressTarget? {
    let found = filter { $0.isSameElement(as: target) && $0.newValue == target.newValue }
    return found.first { $0.label == target.label && $0.frame == target.frame }
      ?? found.first { $0.label == target.label } ?? found.first
  }
}

nonisolated extension PressTarget {
  /// Whether both stand for one element, whatever the state of a toggle.
  package func isSameElement(as other: PressTarget) -> Bool {
    action == other.action && link == other.link && elementID == other.elementID
      && (newValue == nil) == (other.newValue == nil)
      && (elementID != nil || label == other.label)
  }
}
