/// What a key, or a line of the palette, asks the dashboard to do.
///
/// Here and not with the dashboard, because `keys` in config.json names them.
public nonisolated enum Intent: String, Hashable, Sendable, CaseIterable {
  case nextCard
  case previousCard
  case columnLeft
  case columnRight
  case nextElement
  case previousElement
  case press
  case pressByLetter
  case filter
  case palette
  case zoom
  case toggleDisplayMode
  case refreshCard
  case refreshAll
  case retry
  case inspect
  case settings
  case edit
  case undo
  case copy
  case share
  case act
  case removeRow
  case dismissNotices
  case pageDown
  case pageUp
  case top
  case bottom
  case previousPage
  case nextPage
  case page1
  case page2
  case page3
  case page4
  case page5
  case page6
  case page7
  case page8
  case page9
  case hide
  case lock
  case redraw
  case suspend
  case help
  case quit

  /// The number of the page that it shows; nil for every other command.
  public var pageNumber: Int? {
    let name = rawValue
    return name.hasPrefix("page") ? Int(name.dropFirst(4)) : nil
  }

  /// Whether it applies in every mode, also while an overlay is open.
  public var appliesEverywhere: Bool {
    [.redraw, .suspend, .quit, .hide].contains(self)
  }
}
