import WidgetKitCore

/// Search for the widgets that a name stands for.
nonisolated extension BundleCatalog {
  /// What a name stands for.
  public enum NameMatch: Hashable, Sendable {
    /// The identifiers of the widgets: one, or all of an app.
    case widgets([String])
    /// Several widgets have that name; the value is their identifiers.
    case ambiguous([String])
    /// No widget or app has that name.
    case none
  }

  /// Returns what a name stands for: the identifier of a widget, that of an app, or the name in a
  /// widget's heading, if only one widget has it.
  ///
  /// An identifier takes precedence over a name, and a name as it is written over one that differs
  /// in capital letters alone.
  ///
  /// - Parameter name: The name.
  /// - Returns: The widgets.
  public func match(_ name: String) -> NameMatch {
    if widget(withIdentifier: name) != nil { return .widgets([name]) }
    let ofApp = widgets.filter { $0.containingApp?.bundleIdentifier == name }
    if !ofApp.isEmpty { return .widgets(ofApp.map(\.bundleIdentifier)) }
    // The name as it is shown, without the characters that a heading omits.
    let shown = SafeText(name).string
    let exact = widgets.filter { $0.displayName.string == shown }
    let folded = shown.lowercased()
    let found =
      exact.isEmpty
      ? widgets.filter { $0.displayName.string.lowercased() == folded } : exact
    let identifiers = found.map(\.bundleIdentifier)
    return switch identifiers.count {
    case 0: .none
    case 1: .widgets(identifiers)
    default: .ambiguous(identifiers)
    }
  }
}
