package import WidgetKitCore

/// Search for a pressed element in another picture of the same view.
nonisolated extension [PressTarget] {
  /// Returns the element that corresponds to `target`, which is from an older or a moving picture, or
  /// nil if there is none.
  ///
  /// The element has the same `id`, action and link, and a toggle has the same state. An element
  /// without an `id` must also have the same label, because its position does not identify it.
  package func match(_ target: PressTarget) -> PressTarget? {
    let found = filter { $0.isSameElement(as: target) && $0.newValue == target.newValue }
    return found.first { $0.label == target.label && $0.frame == target.frame }
      ?? found.first { $0.label == target.label } ?? found.first
  }
}

nonisolated extension PressTarget {
  /// Whether both stand for the same element, regardless of a toggle's state.
  package func isSameElement(as other: PressTarget) -> Bool {
    role.isSame(as: other.role)
      && action == other.action && link == other.link && elementID == other.elementID
      && (newValue == nil) == (other.newValue == nil)
      && (elementID != nil || label == other.label)
  }
}
