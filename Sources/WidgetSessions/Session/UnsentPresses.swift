import WidgetKitCore

/// Presses that cannot be sent to the process yet, because its view is not on the screen; in their order.
struct UnsentPresses {
  private var presses: [PerformActionRequest] = []

  /// Whether none waits.
  var isEmpty: Bool { presses.isEmpty }

  /// Lets a press wait; false if `limit` presses do, so that it is dropped.
  mutating func hold(_ press: PerformActionRequest, limit: Int) -> Bool {
    guard presses.count < limit else { return false }
    presses.append(press)
    return true
  }

  /// Hands out all of them.
  mutating func takeAll() -> [PerformActionRequest] {
    defer { presses = [] }
    return presses
  }
}
