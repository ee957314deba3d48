import WidgetCards
import WidgetKitCore
import WidgetPages

extension WidgetHarness {
  /// What a user does with the row of a list.
  public enum RowChange: Hashable, Sendable {
    /// It is removed.
    case remove
    /// It is moved by a number of rows, down if it is positive.
    case move(Int)
    /// A row is added to its list.
    case add

    /// Makes the change of a row, as a user does.
    func make(of row: PressTarget, on card: CardID, _ input: PageInput) {
      switch self {
      case .remove: input.removeRow(row, on: card)
      case .move(let distance): input.moveRow(row, by: distance, on: card)
      case .add: input.addRow(besides: row, on: card)
      }
    }
  }
}
