import PageRecords
import WidgetExtensions
import WidgetPages
import WidgetPlatform

/// The widgets and cards that an argument of a command names: by identifier or by the name in the
/// heading, and `:NAME` for one instance.
nonisolated extension BundleCatalog {
  /// The identifiers of the widgets that an argument names, and the name of the instance if it has one.
  ///
  /// - Parameter name: The argument.
  /// - Returns: The widgets; none if there is no such widget.
  /// - Throws: ``CommandError`` with `usage` if several widgets have the name.
  func widgets(
    of name: String
  ) throws(CommandError) -> (identifiers: [String], instance: InstanceName?) {
    let (match, instance) = matchCard(name)
    switch match {
    case .widgets(let identifiers): return (identifiers, instance)
    case .none: return ([], nil)
    case .ambiguous(let identifiers):
      let list = identifiers.sorted().joined(separator: ", ")
      throw .usage("“\(name)” is ambiguous; use one of: \(list)")
    }
  }

  /// The cards that an argument names, of which there must be at least one.
  ///
  /// - Parameter name: The argument.
  /// - Returns: Without the name of an instance, the cards of the widgets that have none.
  /// - Throws: ``CommandError`` with `missing` if there is no such widget, `usage` if the name is
  ///   ambiguous.
  func required(_ name: String) throws(CommandError) -> [ExtensionIdentity] {
    let (identifiers, instance) = try widgets(of: name)
    guard !identifiers.isEmpty else { throw missing(name) }
    return identifiers.map { ExtensionIdentity($0, instance: instance) }
  }

  /// The card that an argument names.
  ///
  /// - Throws: ``CommandError`` as ``required(_:)``, and `usage` for an app with several widgets.
  func requiredOne(_ name: String) throws(CommandError) -> ExtensionIdentity {
    let cards = try required(name)
    guard cards.count == 1, let card = cards.first else {
      let list = cards.map(\.description).sorted().joined(separator: ", ")
      throw .usage("“\(name)” is ambiguous; use one of: \(list)")
    }
    return card
  }

  /// The error for a name that no widget has; it says which one is near, or what is wrong with the name
  /// of the instance.
  func missing(_ name: String) -> CommandError {
    guard !name.allSatisfy(\.isWhitespace) else {
      return .usage(
        "the name of a widget is empty; leave it out, or give one that “today list” lists"
      )
    }
    if let colon = name.lastIndex(of: ":"), match(String(name[..<colon])) != .none {
      do throws(HostError) {
        _ = try ExtensionIdentity(parsing: "x:" + name[name.index(after: colon)...])
      } catch {
        return .usage("“\(name)”: expected ID:NAME, with a name of \(InstanceName.rule)")
      }
    }
    let advice =
      nearestName(to: name).map { "did you mean “\($0)”?" }
      ?? "“today list” lists the installed widgets"
    return .missing("no widget “\(name)”; \(advice)")
  }
}

nonisolated extension PageBook {
  /// The cards that an argument names where `ID` alone stands for every instance.
  ///
  /// - Parameter name: The argument.
  /// - Returns: The cards; the one without a name also if it is on no page.
  /// - Throws: ``CommandError`` as ``BundleCatalog/required(_:)``.
  func everyCard(_ name: String) throws(CommandError) -> [ExtensionIdentity] {
    try catalog.required(name).flatMap { id in
      id.instance == nil ? [id] + cards(of: id.bundleIdentifier).filter { $0 != id } : [id]
    }
  }

  /// The error for an instance that is on no page and was on none.
  ///
  /// - Parameters:
  ///   - id: The instance.
  ///   - isWanted: Whether it can be meant to be added.
  /// - Returns: The error, with the instances that there are.
  func noInstance(_ id: ExtensionIdentity, isWanted: Bool = true) -> CommandError {
    let others = cards(of: id.bundleIdentifier).filter { $0.instance != nil }
    let name = id.instance?.rawValue ?? ""
    let list =
      others.isEmpty
      ? "" : "; it has " + others.map(\.description).sorted().joined(separator: ", ")
    let advice =
      isWanted ? "; “today add \(id.bundleIdentifier) --as \(name)” adds it" : ""
    return .missing("no instance “\(name)” of “\(id.bundleIdentifier)”\(list)\(advice)")
  }
}
