public import WidgetKitCore

/// A widget that is installed and was never on the page.
public nonisolated struct AnnouncedWidget: Hashable, Sendable {
  /// The widget's identifier, cleaned; commands use it to name the widget.
  public var bundleIdentifier: SafeText
  /// The widget's name.
  public var name: SafeText

  init(_ bundle: WidgetBundle) {
    bundleIdentifier = SafeText(bundle.bundleIdentifier)
    name = bundle.displayName
  }
}

/// Divides the widgets that were found into those on the page and those that are only announced.
nonisolated struct PageMembers {
  /// The widgets on the page, in its order.
  private(set) var shown: [WidgetBundle] = []
  /// The widgets that were never on the page.
  private(set) var new: [WidgetBundle] = []
  /// The widgets that the user has removed from the page.
  private(set) var removed: [WidgetBundle] = []

  /// Divides the widgets according to the record.
  ///
  /// - Parameters:
  ///   - catalog: The bundles that were found.
  ///   - record: The record of the page, or nil if there is none yet.
  ///   - paths: The folders that were searched. A page that the user made with `--widgets` shows all
  ///     widgets; the default page shows at first those that come with the program.
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
