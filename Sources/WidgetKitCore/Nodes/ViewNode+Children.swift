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
