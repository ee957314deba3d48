import WidgetKitCore

/// What a press on a notice means, as the name of an action in the view: `open 42`, `act 42 Log`.
struct NoticePress: Hashable {
  /// The number of the notice.
  var id: String
  /// The name of the action that was chosen; nil for the default one.
  private var name: String?

  /// A press on a notice, or on one of its actions.
  init(_ notice: UserNotice, _ action: UserNotice.Action? = nil) {
    (id, name) = (notice.id, action?.name)
  }

  /// Reads the name of an action in the view; nil for any other.
  init?(_ text: String) {
    let words = text.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
    switch words.first {
    case "open" where words.count == 2: (id, name) = (String(words[1]), nil)
    case "act" where words.count == 3: (id, name) = (String(words[1]), String(words[2]))
    default: return nil
    }
  }

  /// The name of an action in the view.
  var text: String { name.map { "act \(id) \($0)" } ?? "open \(id)" }

  /// The action of a notice that is meant; nil if it has none.
  func action(of notice: UserNotice) -> String? { name ?? notice.actions?.first?.name }
}
