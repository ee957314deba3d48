public import FoundationEssentials
public import WidgetKitCore

extension View {
  /// The text of a view as it is drawn in a card, row by row, without blanks at the ends.
  ///
  /// ```swift
  /// let departure = HStack { Text("5C"); Spacer(); Text("2 min") }
  /// #expect(departure.rows(width: 10) == ["5C   2 min"])
  /// ```
  ///
  /// - Parameters:
  ///   - width: The columns of the body of the card.
  ///   - now: The time, for dates that the host keeps current.
  /// - Returns: The rows from top to bottom.
  public func rows(width: Int, now: Date = Date()) -> [String] {
    let stack = VStack(alignment: .leading) { self }
    guard let node = stack.nodes.first else { return [] }
    return node.textRows(width: width, in: LayoutEnvironment(now: now))
  }
}

extension ViewNode {
  /// The text of the view in a card, row by row, without blanks at the ends.
  func textRows(width: Int, in environment: LayoutEnvironment) -> [String] {
    ViewLayout.layOut(self, width: width, height: nil, in: environment).textRows
  }
}
