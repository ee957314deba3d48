import WidgetCards
import WidgetExtensions
import WidgetKitCore
import WidgetPages
import WidgetPlatform

/// Keys and the mouse in the palette.
final class PaletteKeys {
  private unowned let owner: any DashboardKeysOwner
  private let undoing: UndoKeys
  /// Does what a line is for.
  private let perform: (Palette.Item.Action) -> Void

  init(
    owner: any DashboardKeysOwner,
    undoing: UndoKeys,
    perform: @escaping (Palette.Item.Action) -> Void
  ) {
    self.owner = owner
    self.undoing = undoing
    self.perform = perform
  }

  /// Lists all that can be done by name, what is used most first.
  func open() {
    let uses = PaletteUses(environment: owner.environment)
    let isLocked = owner.model.content.isLocked
    let (card, page) = (owner.model.place.focus?.card, owner.model.tabs.shown)
    let mayRename = !isLocked && !owner.center.edits.isDeclared(page)
    owner.model.mode = .palette(
      Palette(
        uses.sorted(PaletteItems(owner: owner).all),
        themeNote: owner.themes.note,
        searchesGallery: !isLocked,
        movableCard: isLocked ? nil : card.map { ($0, owner.center.edits.name(of: $0)) },
        renamedPage: mayRename ? page : nil
      )
    )
  }

  /// Lists what a widget requests, to be permitted or withdrawn.
  func openPermissions(of card: CardID) {
    let permissions = owner.center.permissions.requests(of: card)
    let name = owner.center.edits.name(of: card)
    guard !permissions.isEmpty else {
      return owner.center.notices.say("\(name) asks for nothing beyond its own files.")
    }
    let items = permissions.map { permission in
      let isGranted = permission.state == .granted
      return Palette.Item(
        title: "\(isGranted ? "Withdraw" : "Permit"): \(permission.request.words)",
        detail: SafeText(permission.state.rawValue),
        action: .permission(card, permission, isGranted: !isGranted)
      )
    }
    owner.model.mode = .palette(
      Palette(items, title: " \(name.onOneLine): permissions ", themeNote: nil)
    )
  }

  /// Permits or refuses what a widget requests.
  func set(_ permission: Permission, _ isGranted: Bool, of card: CardID) {
    let name = owner.center.edits.name(of: card)
    if let error = owner.center.permissions.set(isGranted, permission.request, of: card) {
      owner.center.notices.say("\(name): not changed: \(SafeText(error.description))")
    } else {
      let verb: SafeText = isGranted ? "may" : "may not"
      owner.center.notices.say("\(name) \(verb) \(permission.request.words).")
    }
  }

  /// Leaves it, with the theme in force.
  func close() {
    owner.model.mode = .page
    owner.themes.restore()
  }

  /// Chooses the line that is pressed; a press beside the list leaves it.
  func click(_ position: Position, in palette: Palette) {
    var palette = palette
    switch palette.press(position, on: owner.model.size) {
    case .inside: break
    case .outside: close()
    case .line:
      owner.model.mode = .palette(palette)
      handle(.enter, in: palette)
    }
  }

  /// Takes a key.
  func handle(_ key: Key, in palette: Palette) {
    if let intent = owner.keyMap.intentOverPage(of: key) { return perform(.perform(intent)) }
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
      if let name = item.action.name {
        // What cannot be written is not remembered, and nothing else is lost.
        try? PaletteUses.note(name, environment: owner.environment)
      }
      perform(item.action)
    }
  }
}
