import WidgetKitCore

/// The room that the page gives a card, and what of it is the widget's: the width inside the border, the rows of a card
/// that is shown alone, and the margins.
package struct CardRoom {
  /// Empty cells between the border and the body.
  private(set) var margins: EdgeInsets
  /// The width inside the card's border, or 0 before the page has set it.
  package var innerWidth = 0
  /// The rows between heading and border of a card that is shown alone.
  package var leastRows: Int?
  /// Whether the user edits the widget, so that all of its rows are shown.
  var isEdited = false

  private let bodyRows: Int

  /// The most rows of a margin.
  private static let marginRows = 4

  /// Creates room for a body of at most `bodyRows` rows, with the given margins.
  init(margins: EdgeInsets, bodyRows: Int) {
    self.margins = margins
    self.bodyRows = bodyRows
  }

  /// Whether the page has set the width.
  package var hasWidth: Bool { innerWidth > 0 }

  /// The width of the body, which is negative where the margins leave nothing.
  var bodyColumns: Int { innerWidth - margins.columns }

  /// The rows of the body of a card that is shown alone, without the margins.
  var leastBodyRows: Int? { leastRows.map { max(0, $0 - margins.rows) } }

  /// Sets the margins that a card had when the program last ran.
  mutating func restore(_ margins: EdgeInsets) {
    self.margins = margins
  }

  /// Sets the margins that the widget requests, within the limits.
  mutating func setMargins(_ insets: EdgeInsets) {
    margins.left = min(insets.left, innerWidth / 2)
    margins.right = min(insets.right, innerWidth / 2)
    margins.top = min(insets.top, Self.marginRows)
    margins.bottom = min(insets.bottom, Self.marginRows)
  }

  /// Whether the host alone determines the height; what covers the content, and what is edited, is always shown
  /// as a whole.
  func hasFixedHeight(_ form: CardForm, isCovered: Bool) -> Bool {
    form.hasFixedHeight && !isCovered && !isEdited
  }

  /// Whether the host determines the height, which is that of a compact card.
  func isLow(_ form: CardForm, isCovered: Bool) -> Bool {
    guard leastRows == nil else { return false }
    return hasFixedHeight(form, isCovered: isCovered) || form.isHeld && !isCovered && !isEdited
  }

  /// The most rows of the body.
  func maximumRows(isFixed: Bool) -> Int {
    if let leastBodyRows { return max(bodyRows, leastBodyRows) }
    return isFixed ? CardForm.compactRows : bodyRows
  }
}
