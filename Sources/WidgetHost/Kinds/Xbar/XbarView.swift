import WidgetKitCore

/// The menu of a plugin as a card: the title, and below it the menu, with submenus as folds.
nonisolated struct XbarView {
  private let maker: XbarRow
  /// How many rows may still be made.
  private var room: Int

  private init(_ dialect: XbarDialect, rows: Int) {
    maker = XbarRow(dialect)
    room = rows
  }

  /// The most rows of a menu, with those in folds.
  private static let rowLimit = 400

  /// Returns the view of a menu, with the first number of its title.
  static func picture(of menu: XbarMenu, _ dialect: XbarDialect) -> ScriptPicture {
    var view = XbarView(dialect, rows: rowLimit)
    var rows = menu.titles.map { view.maker.node($0, isTitle: true) }
    let items = view.rows(menu.items, path: "")
    if !rows.isEmpty, !items.isEmpty { rows.append(ViewNode(.divider)) }
    rows += items
    if rows.isEmpty { rows = [view.note("no output")] }
    return ScriptPicture(
      view: ViewNode(.vstack(StackContent(children: rows))),
      number: menu.titles.first.flatMap { ScriptNumber.first(in: Array($0.text.utf8)) }
    )
  }

  private mutating func rows(_ items: [XbarMenu.Item], path: String) -> [ViewNode] {
    var rows: [ViewNode] = []
    for (index, item) in items.enumerated() {
      guard room > 0 else {
        rows.append(note("… \(items.count - index) more"))
        break
      }
      switch item.kind {
      case .separator:
        // Two in a row, and those at the edges, would separate nothing.
        if let last = rows.last, last.content != .divider, index < items.count - 1 {
          rows.append(ViewNode(.divider))
        }
      case .line(let line):
        // What stands for the entry above it while a key is held, or for the title alone.
        if line.isTrue("alternate") == true || line.isTrue("dropdown") == false { continue }
        room -= 1
        let label = maker.node(line, isTitle: false)
        guard !item.children.isEmpty else {
          rows.append(label)
          continue
        }
        let name = "\(path)/\(index) \(line.text)"
        var fold = ViewNode(
          .fold(FoldContent(label: label, children: self.rows(item.children, path: name)))
        )
        fold.id = name
        rows.append(fold)
      }
    }
    return rows
  }

  private func note(_ words: SafeText) -> ViewNode {
    var node = ViewNode(.text(TextContent(spans: [TextSpan(words)], lineLimit: 1)))
    node.style = TextStyle(foreground: .secondary)
    return node
  }
}
