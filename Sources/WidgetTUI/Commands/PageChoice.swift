import WidgetKitCore
import WidgetPlatform

/// The pages that `--page` of a command can name.
nonisolated struct PageChoice {
  private let names: [PageName]
  private let isOnlyOne: Bool

  /// The pages of these names; with `--widgets` there is only one.
  init(_ names: [PageName], _ options: CommonOptions) {
    self.names = names
    isOnlyOne = !options.widgetFolders.isEmpty
  }

  /// The page of a name.
  ///
  /// - Throws: ``CommandError`` with `missing` if there is none, `usage` with `--widgets`.
  func existing(_ name: PageName) throws(CommandError) -> PageName {
    if let found = names.first(where: { $0.isSame(as: name) }) { return found }
    _ = try new(name)
    let list = names.map { "“\($0)”" }.joined(separator: ", ")
    throw .missing("no page “\(name)”; there is \(list)")
  }

  /// The page of a name, which may have to be made.
  ///
  /// - Throws: ``CommandError`` with `usage` with `--widgets`.
  func new(_ name: PageName) throws(CommandError) -> PageName {
    if let found = names.first(where: { $0.isSame(as: name) }) { return found }
    guard !isOnlyOne else { throw .usage("--page: with --widgets there is one page only") }
    return name
  }
}
