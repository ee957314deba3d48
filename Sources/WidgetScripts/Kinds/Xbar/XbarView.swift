import WidgetKitCore

/// The menu of a plugin as a card: the title, and below it the menu, with submenus as folds.
struct XbarView {
  private let maker: XbarRow
  /// How many rows may still be made.
  private var room: Int
  private var folds: XbarFolds

  private init(_ maker: XbarRow, rows: Int, _ folds: XbarFolds) {
    self.maker = maker
    room = rows
    self.folds = folds
  }

  /// The most rows of a menu, with those in folds.
  private static let rowLimit = 400
  /// The bytes of a tooltip that are shown.
  private static let tooltipBytes = 4_096
  /// The most lines of a title.
  private static let titleLimit = 50

  /// Returns the view of a menu, with the first number of its title.
  ///
  /// - Parameters:
  ///   - menu: The menu.
  ///   - dialect: The program for which the plugin was written.
  ///   - isDark: Whether the background is dark.
  ///   - folds: The submenus of the menu before, which become those of this one.
  /// - Returns: The view and the number.
  static func picture(
    of menu: XbarMenu,
    _ dialect: XbarDialect,
    isDark: Bool = true,
    _ folds: inout XbarFolds
  ) -> ScriptPicture {
    folds.begin()
    var view = XbarView(XbarRow(dialect, isDark: isDark), rows: rowLimit, folds)
    defer {
      folds = view.folds
      folds.end()
    }
    var rows = view.title(menu.titles.prefix(titleLimit), dialect)
    var entries = menu.items
    if dialect.listsTitles, menu.titles.count > 1 {
      if !entries.isEmpty { entries.insert(XbarMenu.Item(kind: .separator), at: 0) }
      entries.insert(contentsOf: menu.titles.map { XbarMenu.Item(kind: .line($0)) }, at: 0)
    }
    let items = view.rows(entries, path: "")
    if !rows.isEmpty, !items.isEmpty { rows.append(ViewNode(.divider)) }
    rows += items
    if rows.isEmpty { rows = [view.note("no output")] }
    return ScriptPicture(
      view: ViewNode(.vstack(StackContent(children: rows))),
      number: menu.titles.first.flatMap { ScriptNumber.first(in: Array($0.text.utf8)) }
    )
  }

  /// The row of the title, in which several lines take turns.
  private func title(
    _ lines: ArraySlice<XbarMenu.Line>,
    _ dialect: XbarDialect
  ) -> [ViewNode] {
    guard lines.count > 1 else { return lines.map { maker.node($0, isTitle: true) } }
    let layers = LayeredContent(
      // A press could meet the next line, so that these have none.
      children: lines.map { maker.node($0.withoutPress, isTitle: true) },
      alignment: .leading,
      interval: dialect.titleInterval
    )
    var node = ViewNode(.zstack(layers))
    node.id = "title"
    return [node]
  }

  private mutating func rows(_ items: [XbarMenu.Item], path: String) -> [ViewNode] {
    var rows: [ViewNode] = []
    let items = XbarMenu.Item.grouped(items)
    var names = names(of: items, in: path)
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
        room -= 1
        rows.append(row(line, item.children, name: names.removeValue(forKey: index) ?? ""))
      }
    }
    if rows.last?.content == .divider { rows.removeLast() }
    return rows
  }

  /// The identifiers of the submenus, by their places in the menu.
  private mutating func names(of items: [XbarMenu.Item], in path: String) -> [Int: String] {
    var submenus: [(label: String, place: Int)] = []
    for (index, item) in items.enumerated() {
      guard case .line(let line) = item.kind else { continue }
      let hasTip = line.parameters["tooltip"]?.isEmpty == false && !maker.canBePressed(line)
      if hasTip || !item.children.isEmpty { submenus.append(("\(line.text)", index)) }
    }
    let names = folds.identifiers(of: submenus, in: path)
    return Dictionary(uniqueKeysWithValues: zip(submenus.map(\.place), names))
  }

  /// The row of a line; with entries below it, or with a tooltip that no focus can show, it is a fold.
  private mutating func row(
    _ line: XbarMenu.Line,
    _ children: [XbarMenu.Item],
    name: String
  ) -> ViewNode {
    var label = maker.node(line, isTitle: false)
    var hidden: [ViewNode] = []
    if let words = line.parameters["tooltip"], !words.isEmpty {
      let tooltip = ScriptWords.beginning(words, bytes: Self.tooltipBytes)
      if maker.canBePressed(line) {
        label.help = SafeText(tooltip)
      } else {
        hidden.append(tip(SafeText(tooltip)))
      }
    }
    if !children.isEmpty { hidden += rows(children, path: name) }
    guard !hidden.isEmpty else { return label }
    var fold = ViewNode(.fold(FoldContent(label: label, children: hidden)))
    fold.id = name
    return fold
  }

  private func note(_ words: SafeText) -> ViewNode {
    var node = ViewNode(.text(TextContent(spans: [TextSpan(words)], lineLimit: 1)))
    node.style = TextStyle(foreground: .secondary)
    return node
  }

  private func tip(_ words: SafeText) -> ViewNode {
    var node = ViewNode(.text(TextContent(spans: [TextSpan(words)], lineLimit: 4)))
    node.style = TextStyle(foreground: .secondary)
    return node
  }
}

extension XbarMenu.Line {
  /// The same line without what a press on it does.
  fileprivate var withoutPress: XbarMenu.Line {
    var line = self
    for name in ["href", "bash", "shell", "refresh"] { line.parameters[name] = nil }
    return line
  }
}

extension XbarMenu.Item {
  /// The entries that have rows: without those for the title alone, and with each that is shown in the place
  /// of another while a key is held below that one.
  fileprivate static func grouped(_ items: [XbarMenu.Item]) -> [XbarMenu.Item] {
    var grouped: [XbarMenu.Item] = []
    for item in items {
      guard case .line(let line) = item.kind else {
        grouped.append(item)
        continue
      }
      if line.isTrue("dropdown") == false { continue }
      if line.isTrue("alternate") == true, let last = grouped.last, last.kind != .separator {
        // It stays below the entry also when that has entries of its own.
        var plain = item
        var shown = line
        shown.parameters["alternate"] = nil
        plain.kind = .line(shown)
        grouped[grouped.count - 1].children.append(plain)
      } else {
        grouped.append(item)
      }
    }
    return grouped
  }
}
