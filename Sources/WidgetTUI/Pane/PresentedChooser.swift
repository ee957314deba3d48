/// A list on the pane to which rows come while a person looks at it.
///
/// A class because the keys and what finds the rows change the same list.
final class PresentedChooser {
  private(set) var chooser: ExtensionChooser
  private let onChange: () -> Void
  private var isOver = false

  init(_ chooser: ExtensionChooser, onChange: @escaping () -> Void) {
    (self.chooser, self.onChange) = (chooser, onChange)
  }

  /// Takes a key, or what the mouse has pressed.
  func take(_ key: Key, _ action: PaneAction?) -> ExtensionChooser.Outcome {
    chooser.take(key, action)
  }

  /// Adds rows at the end, and shows them, unless the person has chosen.
  func add(_ items: [ExtensionChooser.Item]) {
    guard !isOver, !items.isEmpty else { return }
    chooser.add(items)
    onChange()
  }

  /// The person has chosen, or has cancelled.
  func end() { isOver = true }
}
