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
    try CommandError.from { () throws(HostError) in try change(changes) }
    return .success
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
