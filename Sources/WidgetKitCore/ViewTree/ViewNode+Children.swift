extension ViewNode {
  /// Whether this node, or one inside it, is marked as sensitive.
  package var hasPrivateContent: Bool {
    privacySensitive || children.contains(where: \.hasPrivateContent)
  }

  /// The direct children of this node, in reading order.
  public var children: [ViewNode] {
    switch content {
    case .vstack(let stack), .hstack(let stack): stack.children
    case .zstack(let layers): layers.children
    case .grid(let grid): grid.rows.flatMap(\.self)
    case .button(let button): [button.label]
    case .toggle(let toggle): [toggle.label]
    case .list(let list): list.rows.map(\.view)
    case .fold(let fold): [fold.label] + fold.children
    case .unknown(let unknown): unknown.children
    case .text, .date, .spacer, .divider, .gauge, .sparkline, .chart, .image, .field, .ansi: []
    }
  }

  /// The texts in it, also those that are not shown until the user asks for more, in reading order.
  package var texts: [String] {
    let own: [String] =
      switch content {
      case .text(let text): [text.spans.map(\.text.string).joined()]
      case .ansi(let text): [text.spans.map(\.text.string).joined()]
      case .gauge(let gauge): [gauge.label, gauge.valueLabel].compactMap { $0?.string }
      case .image(let image): [image.alt].compactMap { $0?.string }
      case .vstack, .hstack, .zstack, .grid, .button, .toggle, .list, .fold, .unknown, .date,
        .spacer, .divider, .sparkline, .chart, .field:
        []
      }
    return own + children.flatMap(\.texts)
  }

  /// The files of the pictures in it, in reading order and without duplicates.
  package var imageSources: [ImageSource] {
    var sources: [ImageSource] = []
    addImageSources(to: &sources)
    return sources
  }

  private func addImageSources(to sources: inout [ImageSource]) {
    if case .image(let image) = content, let source = image.source, !sources.contains(source) {
      sources.append(source)
    }
    for child in children { child.addImageSources(to: &sources) }
  }

  /// Whether it contains something that the host keeps up to date, such as a clock.
  public var showsPresentMoment: Bool {
    if case .date(let date) = content, date.date == nil { return true }
    return children.contains { $0.showsPresentMoment }
  }
}
