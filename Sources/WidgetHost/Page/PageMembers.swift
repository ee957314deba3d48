public import WidgetKitCore

/// A widget that is there and was never on the page.
public nonisolated struct AnnouncedWidget: Hashable, Sendable {
  /// Its identifier, clean: it names the widget in a command.
  public var bundleIdentifier: SafeText
  /// Its name.
  public var name: SafeText

  init(_ bundle: WidgetBundle) {
    bundleIdentifier = SafeText(bundle.bundleIdentifier)
    name = bundle.displayName
  }
}

/// Which of the widgets that were found are on the page, and which are only announced.
nonisolated struct PageMembers {
  /// Those on the page, in its order.
  private(set) var shown: [WidgetBundle] = []
  /// Those that are there and were never on the page.
  private(set) var new: [WidgetBundle] = []
  /// Those that the user took off the page.
  private(set) var removed: [WidgetBundle] = []

  /// Sorts what was found by what the record says.
  ///
  /// - Parameters:
  ///   - catalog: What was found.
  ///   - record: What was on the page; nil where it was never made.
  ///   - paths: Where it was looked for. Of a page that the user made with `--widgets` all are shown;
  ///     of the usual one those that came with the program are on it at first.
  init(_ catalog: BundleCatalog, record: PageRecord?, paths: SearchPaths) {
    var rest: [String: WidgetBundle] = [:]
    for widget in catalog.widgets { rest[widget.bundleIdentifier] = widget }
    for entry in record?.cards ?? [] {
      if let widget = rest.removeValue(forKey: entry.bundleIdentifier) { shown.append(widget) }
    }
    for entry in record?.removed ?? [] {
      if let widget = rest.removeValue(forKey: entry.bundleIdentifier) { removed.append(widget) }
    }
    for widget in catalog.widgets where rest[widget.bundleIdentifier] != nil {
      let cameWithProgram = paths.bundled.map { widget.path.hasPrefix($0 + "/") } ?? false
      if paths.areRequired || record == nil && cameWithProgram {
        shown.append(widget)
      } else {
        new.append(widget)
      }
    }
  }
}
