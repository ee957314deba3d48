import WidgetKitCore
import WidgetPages

/// Keys and the mouse in the palette.
final class PaletteKeys {
  private unowned let owner: any DashboardKeysOwner
  private let undoing: UndoKeys
  /// Does what a line asks for on the page.
  private let perform: (Intent) -> Void

  init(
    owner: any DashboardKeysOwner,
    undoing: UndoKeys,
    perform: @escaping (Intent) -> Void
  ) {
    self.owner = owner
    self.undoing = undoing
    self.perform = perform
  }

  /// Lists commands and themes.
  func open() {
    let map = owner.keyMap
    let tabs = owner.model.tabs
    let entries = map.lines.flatMap(\.entries).filter { entry in
      guard let number = entry.intent.pageNumber else { return true }
      return tabs.areSeveral && number <= tabs.names.count
    }
    let commands = entries.map { entry in
      let keys = map.keys(of: entry.intent).prefix(2).map(\.name.string).joined(separator: "  ")
      return Palette.Item(
        title: entry.intent.pageNumber.flatMap(tabs.page(numbered:)).map {
          "Page \(SafeText("\($0)"))"
        }
          ?? entry.title,
        detail: SafeText(keys),
        action: .perform(entry.intent)
      )
    }
    owner.model.mode = .palette(
      Palette(commands + owner.themes.items, themeNote: owner.themes.note)
    )
  }

  /// Leaves it, with the theme in force.
  func close() {
    owner.model.mode = .page
    owner.themes.restore()
  }

  /// Takes a key.
  func handle(_ key: Key, in palette: Palette) {
    if let intent = owner.keyMap.intentOverPage(of: key) {
      close()
      return perform(intent)
    }
    var palette = palette
    switch palette.take(key) {
    case .stays:
      owner.model.mode = .palette(palette)
      if case .theme(_, let theme)? = palette.selected?.action {
        owner.themes.preview(theme)
      } else {
        owner.themes.restore()
      }
    case .ends: close()
    case .chooses(let item):
      close()
      switch item.action {
      case .perform(let intent): perform(intent)
      case .theme(let id, _): undoing.choose(theme: id)
      }
    }
  }
}
