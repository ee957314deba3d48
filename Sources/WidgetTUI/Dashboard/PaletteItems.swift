import WidgetCards
import WidgetExtensions
import WidgetKitCore
import WidgetPages
import WidgetPlatform

/// The lines of the palette: all that can be done by name.
struct PaletteItems {
  let owner: any DashboardKeysOwner

  /// The lines, in the order in which they are listed where nothing was used yet.
  var all: [Palette.Item] {
    let isLocked = owner.model.content.isLocked
    // A locked page tells nothing of the user's cards.
    let cards = isLocked ? [] : self.cards + additions + [gallery]
    let names = isLocked ? [] : naming
    return commands + own + problems + pages + cards + names + quiet + owner.themes.items
  }

  // MARK: - Commands

  private var commands: [Palette.Item] {
    let (map, tabs) = (owner.keyMap, owner.model.tabs)
    let entries = map.lines.flatMap(\.entries).filter { $0.intent.pageNumber == nil }
    return entries.map { entry in
      let keys = map.keys(of: entry.intent).prefix(2).map(\.name.string).joined(separator: "  ")
      return Palette.Item(
        title: entry.title,
        detail: SafeText(keys),
        action: .perform(entry.intent),
        about: entry.words?.words
      )
    }.filter { item in
      guard case .perform(let intent) = item.action, intent.turnsPage else { return true }
      return tabs.areSeveral
    }
  }

  private var own: [Palette.Item] {
    owner.keyMap.own.map { key, command in
      Palette.Item(title: command.listedWords, detail: key.name, action: .own(key))
    }
  }

  private var problems: [Palette.Item] {
    let problems = owner.model.content.problems
    guard !problems.isEmpty else { return [] }
    let all = Palette.Item(title: "Show the problems", detail: "", action: .problems)
    let cards = owner.center.edits.placedCards
    return [all]
      + cards.compactMap { card in
        problems.first { owner.center.notices.card(of: $0) == card.id }.map { problem in
          Palette.Item(
            title: "Show the problem of \(card.name)",
            detail: owner.model.tabs.areSeveral ? SafeText(card.page.rawValue) : "",
            action: .card(card.id, card.page),
            about: problem
          )
        }
      }
  }

  // MARK: - Places

  private var pages: [Palette.Item] {
    let tabs = owner.model.tabs
    guard tabs.areSeveral else { return [] }
    return tabs.names.enumerated().map { index, page in
      let key = owner.keyMap.name(of: Intent(rawValue: "page\(index + 1)"))
      return Palette.Item(
        title: "Go to page \(SafeText(page.rawValue))",
        detail: key ?? "",
        action: .page(page)
      )
    }
  }

  /// A page of another name, and a new one, whose name is typed.
  private var naming: [Palette.Item] {
    let page = owner.model.tabs.shown
    var items: [Palette.Item] = []
    if !owner.center.edits.isDeclared(page) {
      items.append(
        Palette.Item(
          title: "Rename \(SafeText(page.rawValue))…",
          detail: "",
          action: .types(Palette.renameWords),
          about: "rename this page"
        )
      )
    }
    if let card = owner.model.place.focus?.card {
      items.append(
        Palette.Item(
          title: "Move \(owner.center.edits.name(of: card)) to a new page…",
          detail: "",
          action: .types(Palette.newPageWords),
          about: "new page"
        )
      )
    }
    return items
  }

  private var cards: [Palette.Item] {
    let tabs = owner.model.tabs
    let cards = owner.center.edits.placedCards
    let settingsKey = owner.keyMap.name(of: .settings) ?? ""
    let places = cards.map { card in
      Palette.Item(
        title: "Go to \(card.name)",
        detail: tabs.areSeveral ? SafeText(card.page.rawValue) : "",
        action: .card(card.id, card.page)
      )
    }
    let settings = cards.filter(\.hasSettings).map { card in
      Palette.Item(
        title: "Settings of \(card.name)",
        detail: settingsKey,
        action: .settings(card.id, card.page)
      )
    }
    let permissions = cards.filter(\.hasRequests).map { card in
      Palette.Item(
        title: "Permissions of \(card.name)",
        detail: "",
        action: .permissions(card.id)
      )
    }
    let forms = cards.filter(\.hasChosenForm).map { card in
      Palette.Item(
        title: "Size \(card.name) automatically",
        detail: "",
        action: .leaveForm(card.id),
        about: "automatic compact expanded show more less"
      )
    }
    return places + settings + permissions + forms + moves(cards) + removals(cards)
  }

  /// The card with the focus on each of the other pages.
  private func moves(_ cards: [PageEdits.PlacedCard]) -> [Palette.Item] {
    let focus = owner.model.place.focus?.card
    guard let card = cards.first(where: { $0.id == focus }) else { return [] }
    return owner.model.tabs.names.filter { $0 != card.page }.map { page in
      Palette.Item(
        title: "Move \(card.name) to \(SafeText(page.rawValue))",
        detail: "",
        action: .move(card.id, page)
      )
    }
  }

  private func removals(_ cards: [PageEdits.PlacedCard]) -> [Palette.Item] {
    cards.map { card in
      Palette.Item(
        title: "Remove \(card.name)",
        detail: "",
        action: .remove(card.id),
        about: "delete card from the page"
      )
    }
  }

  private var additions: [Palette.Item] {
    let edits = owner.center.edits
    return edits.choices.compactMap { choice in
      var id = choice.id
      if choice.page != nil {
        // Another one of a widget that is there, with a name of its own.
        guard let name = InstanceName(rawValue: edits.freeName(for: id.bundleIdentifier)) else {
          return nil
        }
        id = CardID(id.bundleIdentifier, instance: name)
      }
      return Palette.Item(
        title: choice.page == nil ? "Add \(choice.name)" : "Add another \(choice.name)",
        detail: choice.isNew ? "new" : "",
        action: .add(id),
        about: choice.words
      )
    }
  }

  /// All widgets that can be added, also those that are not installed.
  private var gallery: Palette.Item {
    Palette.Item(
      title: "Open the gallery of widgets",
      detail: "",
      action: .gallery(""),
      about: "add install available new card"
    )
  }

  private var quiet: [Palette.Item] {
    let quiet = QuietKeys(owner: owner)
    return [
      Palette.Item(title: "Quiet for an hour", detail: "", action: .quiet(.seconds(3_600))),
      Palette.Item(title: "Quiet until you end it", detail: "", action: .quiet(nil)),
    ]
      + (quiet.isQuiet
        ? [Palette.Item(title: "End quiet time", detail: "", action: .endQuiet)] : [])
  }
}
