import PageRecords
import WidgetExtensions
import WidgetKitCore
import WidgetPages
import WidgetPlatform

extension PageBook {
  /// The page that the options of a command select.
  init(_ options: CommonOptions) {
    let settings = options.readSettings()
    self.init(
      SearchPaths(options, settings),
      environment: options.environment,
      limits: settings.limits.bundles,
      declared: settings.pages
    )
  }

  /// The place of a card; nil if it is on no page, was on none, and is not the one without a name.
  func place(of id: ExtensionIdentity) -> Place? {
    widgets.first { $0.member.id == id }?.place
  }

  /// Makes changes of the pages, or prints the text for those that config.json declares.
  func apply(_ changes: [PageChange]) throws(CommandError) -> ExitCode {
    let declared = declarations(for: changes)
    guard declared.isEmpty else {
      for page in declared {
        StandardStreams.writeError(
          "the page “\(page.name)” is declared at \(page.place), which is never rewritten; "
            + "replace it there with the text on standard output"
        )
        StandardStreams.writeLine(SafeText(page.text + ","))
      }
      return .failure
    }
    let before = placesOnPages
    try CommandError.from { () throws(HostError) in try change(changes) }
    sayUnchanged(changes, before)
    return .success
  }

  /// Where a card is on a page.
  private struct Spot: Equatable {
    var position: Int
    var page: PageName
  }

  /// The cards that are on pages, with their places.
  private var placesOnPages: [ExtensionIdentity: Spot] {
    var places: [ExtensionIdentity: Spot] = [:]
    for case (let member, .position(let position, let page)) in widgets {
      places[member.id] = Spot(position: position, page: page)
    }
    return places
  }

  /// Says of which cards nothing was to be changed, so that a command is never silent by mistake.
  private func sayUnchanged(
    _ changes: [PageChange],
    _ before: [ExtensionIdentity: Spot]
  ) {
    let after = placesOnPages
    for change in changes where before[change.card] == after[change.card] {
      let isAlone = changes.filter { $0.card == change.card }.count == 1
      switch (change, after[change.card]) {
      case (.add, let spot?) where isAlone:
        StandardStreams.writeError("“\(change.card)” is already on the page “\(spot.page)”")
      case (.move, let spot?) where isAlone:
        StandardStreams.writeError(
          "“\(change.card)” is already at position \(spot.position) of the page “\(spot.page)”"
        )
      case (.remove, nil): StandardStreams.writeError("“\(change.card)” is not on a page")
      case (.add, _), (.move, _), (.remove, _), (.span, _), (.host, _): break
      }
    }
  }

  /// The error for a widget of which only instances with names have been on the page.
  func onlyInstances(_ id: ExtensionIdentity) -> CommandError {
    let list = cards(of: id.bundleIdentifier).map(\.description).sorted()
    return .missing(
      "“\(id)” is not on the page, but its instances are; name one of: "
        + list.joined(separator: ", ")
    )
  }
}
