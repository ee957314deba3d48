/// The size of the part of a page that is on the screen at the start: the number of columns and of
/// rows.
public nonisolated struct FirstScreen: Sendable {
  var columns: Int
  var rows: Int

  /// Creates a first screen.
  public init(columns: Int, rows: Int) {
    self.columns = columns
    self.rows = rows
  }
}
