package import WidgetKitCore

nonisolated extension ViewNode {
  /// Returns the tree with pressed toggles in the state that their press requests.
  ///
  /// - Parameters:
  ///   - pressed: The toggles, each with its requested state.
  ///   - outerID: The nearest `id` around this node.
  /// - Returns: The tree with those toggles switched.
  package func switching(_ pressed: [PressTarget], in outerID: String? = nil) -> ViewNode {
    var node = self
    let id = id ?? outerID
    switch content {
    case .toggle(var toggle):
      let last = pressed.last { $0.action == action && $0.elementID == id }
      guard let isOn = last?.newValue else { return self }
      toggle.isOn = isOn
      node.content = .toggle(toggle)
    case .list(var list):
      for index in list.rows.indices {
        let row = list.rows[index]
        let element = ViewNode.element(ofRow: row.id, in: inputKey)
        list.rows[index].view = row.view.switching(pressed, in: element)
      }
      node.content = .list(list)
    default:
      node.content.changeChildren { $0 = $0.switching(pressed, in: id) }
    }
    return node
  }
}
