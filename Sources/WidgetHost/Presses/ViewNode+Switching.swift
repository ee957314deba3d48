import WidgetKitCore

nonisolated extension ViewNode {
  /// Returns the tree with pressed toggles in the state that their press requests.
  ///
  /// - Parameters:
  ///   - pressed: The toggles, each with its requested state.
  ///   - outerID: The nearest `id` around this node.
  /// - Returns: The tree with those toggles switched.
  func switching(_ pressed: [PressTarget], in outerID: String? = nil) -> ViewNode {
    var node = self
    let id = id ?? outerID
    func all(_ nodes: [ViewNode]) -> [ViewNode] { nodes.map { $0.switching(pressed, in: id) } }
    switch content {
    case .toggle(var toggle):
      let last = pressed.last { $0.action == action && $0.elementID == id }
      guard let isOn = last?.newValue else { return self }
      toggle.isOn = isOn
      node.content = .toggle(toggle)
    case .vstack(var stack):
      stack.children = all(stack.children)
      node.content = .vstack(stack)
    case .hstack(var stack):
      stack.children = all(stack.children)
      node.content = .hstack(stack)
    case .zstack(var layers):
      layers.children = all(layers.children)
      node.content = .zstack(layers)
    case .grid(var grid):
      grid.rows = grid.rows.map(all)
      node.content = .grid(grid)
    case .list(var list):
      for index in list.rows.indices {
        let row = list.rows[index]
        let element = ViewNode.element(ofRow: row.id, in: inputKey)
        list.rows[index].view = row.view.switching(pressed, in: element)
      }
      node.content = .list(list)
    case .fold(var fold):
      fold.label = fold.label.switching(pressed, in: id)
      fold.children = all(fold.children)
      node.content = .fold(fold)
    case .unknown(var unknown):
      unknown.children = all(unknown.children)
      node.content = .unknown(unknown)
    case .text, .date, .spacer, .divider, .gauge, .sparkline, .chart, .image, .button, .field,
      .ansi:
      break
    }
    return node
  }
}
