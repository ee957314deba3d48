import WidgetKitCore

/// Presses that cannot be sent to the process yet, because its view is not on the screen; in their order.
nonisolated struct UnsentPresses {
  private var presses: [PerformActionRequest] = []

  /// Whether none waits.
  var isEmpty: Bool { presses.isEmpty }

  /// Lets a press wait; it is dropped if `limit` presses do.
  mutating func hold(_ press: PerformActionRequest, limit: Int) -> [SessionEffect] {
    guard presses.count < limit else { return [.pressDropped] }
    presses.append(press)
    return []
  }

  /// Hands out all of them.
  mutating func takeAll() -> [PerformActionRequest] {
    defer { presses = [] }
    return presses
  }

  /// Drops all of them.
  mutating func drop() -> [SessionEffect] { takeAll().isEmpty ? [] : [.pressDropped] }
}
