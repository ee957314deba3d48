import WidgetKitCore

/// The presses on elements of a view that are not answered, and how the last one has ended.
struct RequestPresses {
  /// Why the last press has failed; nil if it has not.
  private(set) var failure: SafeText?
  private var open = 0

  /// How many presses may wait for their answers; those beyond are dropped.
  private static let limit = 16

  /// Begins a press.
  ///
  /// - Returns: Whether it is sent.
  mutating func begin() -> Bool {
    guard open < Self.limit else { return false }
    open += 1
    failure = nil
    return true
  }

  /// A press was answered.
  mutating func ended(_ failure: SafeText?) {
    open -= 1
    self.failure = failure
  }
}
