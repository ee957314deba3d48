extension WidgetHarness {
  /// What a user does with the row of a list.
  public enum RowChange: Hashable, Sendable {
    /// It is removed.
    case remove
    /// It is moved by a number of rows, down if it is positive.
    case move(Int)
    /// A row is added to its list.
    case add
  }
}
