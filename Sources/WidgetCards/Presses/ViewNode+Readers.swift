import WidgetKitCore

extension ViewNode {
  /// The view for those who can only read it, and to whom nothing answers: without fields, buttons and what else is
  /// pressed for the widget, and with those links alone that `isAllowed` allows, outside of what is private.
  ///
  /// - Parameters:
  ///   - isPrivate: Whether it is part of something private.
  ///   - isAllowed: Whether a link stays.
  /// - Returns: The view.
  func forReaders(isPrivate: Bool = false, _ isAllowed: (String) -> Bool) -> ViewNode {
    let isPrivate = isPrivate || privacySensitive
    func stays(_ link: String) -> Bool { !isPrivate && isAllowed(link) }
    var node = self
    // Without its action, a fold that was opened would not be known again.
    if node.id == nil, case .fold = content { node.id = inputKey }
    node.action = nil
    if let link, !stays(link) { node.link = nil }
    switch content {
    case .field, .button: node.content = .text(TextContent(spans: []))
    case .text(var text):
      text.spans = text.spans.map { $0.forReaders(stays) }
      node.content = .text(text)
    case .ansi(var text):
      text.spans = text.spans.map { $0.forReaders(stays) }
      node.content = .ansi(text)
    case .list(var list):
      // What more there is could only be shown by a press.
      if list.minimumVisibleRowCount > 0 {
        list.rows = Array(list.rows.prefix(list.minimumVisibleRowCount))
        list.minimumVisibleRowCount = 0
      }
      for index in list.rows.indices {
        list.rows[index].action = nil
        let view = list.rows[index].view
        if list.rows[index].link.map(stays) != true || view.privacySensitive {
          list.rows[index].link = nil
        }
        list.rows[index].view = view.forReaders(isPrivate: isPrivate, isAllowed)
      }
      node.content = .list(list)
    default:
      node.content.changeChildren { $0 = $0.forReaders(isPrivate: isPrivate, isAllowed) }
    }
    return node
  }
}

extension TextSpan {
  fileprivate func forReaders(_ isAllowed: (String) -> Bool) -> TextSpan {
    var span = self
    span.action = nil
    if let link, !isAllowed(link) { span.link = nil }
    return span
  }
}
