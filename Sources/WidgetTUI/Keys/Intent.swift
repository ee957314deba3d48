/// What a key, or a line of the palette, asks the dashboard to do; its name is the one in `keys` of config.json.
///
/// An entry of the table of key commands (``KeyCommand``) declares one. There is a static member only for those
/// that code besides the table names: a mode does something else with them, or a text has their key.
nonisolated struct Intent: RawRepresentable, Hashable, Sendable, ExpressibleByStringLiteral {
  let rawValue: String

  init(rawValue: String) { self.rawValue = rawValue }
  init(stringLiteral value: StaticString) { rawValue = "\(value)" }

  /// The number of the page that it shows; nil for every other command.
  var pageNumber: Int? {
    rawValue.hasPrefix("page") ? Int(rawValue.dropFirst(4)) : nil
  }

  /// Whether it shows another page.
  var turnsPage: Bool { pageNumber != nil || self == .previousPage || self == .nextPage }
}

nonisolated extension Intent {
  static let nextCard: Intent = "nextCard"
  static let previousCard: Intent = "previousCard"
  static let nextElement: Intent = "nextElement"
  static let previousElement: Intent = "previousElement"
  static let press: Intent = "press"
  static let pressByLetter: Intent = "pressByLetter"
  static let zoom: Intent = "zoom"
  static let toggleDisplayMode: Intent = "toggleDisplayMode"
  static let refreshCard: Intent = "refreshCard"
  static let retry: Intent = "retry"
  static let inspect: Intent = "inspect"
  static let palette: Intent = "palette"
  static let share: Intent = "share"
  static let now: Intent = "now"
  static let settings: Intent = "settings"
  static let edit: Intent = "edit"
  static let undo: Intent = "undo"
  static let redo: Intent = "redo"
  static let removeRow: Intent = "removeRow"
  static let dismissNotices: Intent = "dismissNotices"
  static let pageDown: Intent = "pageDown"
  static let pageUp: Intent = "pageUp"
  static let top: Intent = "top"
  static let bottom: Intent = "bottom"
  static let previousPage: Intent = "previousPage"
  static let nextPage: Intent = "nextPage"
  static let hide: Intent = "hide"
  static let lock: Intent = "lock"
  static let redraw: Intent = "redraw"
  static let suspend: Intent = "suspend"
  static let help: Intent = "help"
  static let quit: Intent = "quit"
}

/// The modes in which a key asks for the same as on the page.
nonisolated struct KeyModes: OptionSet, Sendable {
  let rawValue: UInt8

  /// The page is edited.
  static let edit = KeyModes(rawValue: 1)
  /// A widget on the page is edited.
  static let widget = KeyModes(rawValue: 2)
  /// Something over the page takes the keys: a list, a form, a field.
  static let overlay = KeyModes(rawValue: 4)
  /// Every mode.
  static let all: KeyModes = [.edit, .widget, .overlay]
}
