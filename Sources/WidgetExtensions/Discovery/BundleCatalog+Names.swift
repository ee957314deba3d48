package import WidgetKitCore
public import WidgetPlatform

/// Search for the widgets that a name refers to.
extension BundleCatalog {
  /// What a name refers to.
  public enum NameMatch: Hashable, Sendable {
    /// The identifiers of the widgets: one, or all of an app or a script.
    case widgets([String])
    /// Several widgets have that name; the value is their identifiers.
    case ambiguous([String])
    /// No widget or app has that name.
    case none
  }

  /// Returns what a name refers to: the identifier of a widget, that of an app, that of a script whose blocks
  /// are widgets, or the name in a widget's heading, if only one widget has it.
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
    let ofScript = blocks(of: name)
    if !ofScript.isEmpty { return .widgets(ofScript.map(\.bundleIdentifier)) }
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

  /// The widgets of the blocks of a script that is split.
  package func blocks(of identifier: String) -> [WidgetBundle] {
    widgets.filter { $0.script?.block != nil && $0.script?.identifier == identifier }
  }

  /// Returns what a name of a widget, or of an instance, refers to.
  ///
  /// - Parameter name: A name as in ``match(_:)``, or one with `:NAME` for an instance.
  /// - Returns: The widgets, and the name of the instance; nil if `name` has none.
  public func matchCard(_ name: String) -> (widgets: NameMatch, instance: InstanceName?) {
    let match = match(name)
    if match == .none, let (instance, widget) = Self.ofMachine(name) {
      let found = self.match(widget)
      if found != .none { return (found, instance) }
    }
    guard match == .none, let colon = name.lastIndex(of: ":"),
      let instance = InstanceName(rawValue: String(name[name.index(after: colon)...]))
    else { return (match, nil) }
    return (self.match(String(name[..<colon])), instance)
  }

  /// The name of the instance that `HOST:ID` stands for, which is that of the machine, and the widget; nil for a text of
  /// another form.
  private static func ofMachine(_ name: String) -> (InstanceName, String)? {
    guard let colon = name.firstIndex(of: ":"),
      let machine = RemoteDestination(String(name[..<colon])),
      let instance = InstanceName(rawValue: machine.machine)
    else { return nil }
    return (instance, String(name[name.index(after: colon)...]))
  }

  /// The cards that a name refers to; none if it is unknown or ambiguous.
  package func cards(named name: String) -> [ExtensionIdentity] {
    let (match, instance) = matchCard(name)
    guard case .widgets(let identifiers) = match else { return [] }
    return identifiers.map { ExtensionIdentity($0, instance: instance) }
  }

  /// The name or identifier that a name was probably meant to be; nil where none is near.
  public func nearestName(to name: String) -> String? {
    let name = name.lastIndex(of: ":").map { String(name[..<$0]) } ?? name
    return NearName.nearest(
      to: name,
      among: widgets.flatMap { [$0.bundleIdentifier, $0.displayName.string] }
    )
  }
}
