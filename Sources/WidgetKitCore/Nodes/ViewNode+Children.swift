extension ViewNode {
  /// The direct children of this node, in reading order.
  public var children: [ViewNode] { content.payload.nodes }

  /// Whether this node, or one inside it, is marked as sensitive.
  package var hasPrivateContent: Bool {
    privacySensitive || children.contains(where: \.hasPrivateContent)
  }

  /// Whether it contains something that the host keeps up to date, such as a clock.
  public var showsPresentMoment: Bool {
    let content = content.payload
    return content.showsPresentMoment || content.nodes.contains(where: \.showsPresentMoment)
  }

  /// The texts in it, also those that are not shown until the user asks for more, in reading order.
  package var texts: [String] {
    let content = content.payload
    return content.texts.map(\.string) + content.nodes.flatMap(\.texts)
  }

  /// Returns the texts of a row of a list in it, in reading order; nil if there is no such row, or it has none.
  ///
  /// They are without those of parts that do something of their own, such as buttons; a toggle's label is the text of its row.
  ///
  /// - Parameters:
  ///   - row: The `id` of the row.
  ///   - list: The key of the list.
  /// - Returns: The texts with blanks between them.
  package func text(ofRow row: String, in list: String) -> String? {
    var found: ViewNode?
    forEachInput { node in
      guard case .list(let content) = node.content, node.inputKey == list else { return }
      found = content.rows.first { $0.id == row }?.view ?? found
    }
    let words = found?.textsBesideControls.filter { !$0.isEmpty } ?? []
    return words.isEmpty ? nil : words.joined(separator: " ")
  }

  private var textsBesideControls: [String] {
    let content = content.payload
    let parts = content.nodes.filter { part in
      if case .toggle = part.content { return true }
      return part.action == nil
    }
    return content.texts.map(\.string) + parts.flatMap(\.textsBesideControls)
  }

  /// The files of the pictures in it, in reading order and without duplicates.
  package var imageSources: [ImageSource] {
    var sources: [ImageSource] = []
    addImageSources(to: &sources)
    return sources
  }

  private func addImageSources(to sources: inout [ImageSource]) {
    let content = content.payload
    if let source = content.imageSource, !sources.contains(source) { sources.append(source) }
    for child in content.nodes { child.addImageSources(to: &sources) }
  }

  /// Calls `body` with each list, each field and each fold in the view.
  ///
  /// - Complexity: Linear in the number of nodes.
  package func forEachInput(_ body: (ViewNode) -> Void) {
    let content = content.payload
    if content.isInput { body(self) }
    for child in content.nodes { child.forEachInput(body) }
  }

  /// By which the state of a fold, a list or a field is kept: its `id`, else its action, else its label.
  package var inputKey: String {
    id ?? action ?? content.payload.inputLabel.map { NodeWords.text(of: $0).string } ?? ""
  }

  /// The identity of a row as an element, which no `id` of a node can be.
  package static func element(ofRow row: String, in list: String) -> String {
    "\(list)\u{1F}\(row)"
  }
}

extension ViewNode.Content {
  /// Changes the direct children.
  package mutating func changeChildren(_ change: (inout ViewNode) -> Void) {
    var content = payload
    content.changeNodes(change)
    self = content.wrapped
  }
}
