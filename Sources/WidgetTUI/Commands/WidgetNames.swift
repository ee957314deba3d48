import WidgetHost

/// The widgets that an argument of a command names, by identifier or by the name in the heading.
nonisolated extension BundleCatalog.NameMatch {
  /// The identifiers of the widgets with a name; empty if there is no such widget.
  ///
  /// - Parameter name: The name, for the message.
  /// - Returns: The identifiers.
  /// - Throws: ``CommandError`` with `usage` if several widgets have the name.
  func identifiers(of name: String) throws(CommandError) -> [String] {
    switch self {
    case .widgets(let identifiers): return identifiers
    case .none: return []
    case .ambiguous(let identifiers):
      let list = identifiers.sorted().joined(separator: ", ")
      throw .usage("“\(name)” is ambiguous; use one of: \(list)")
    }
  }

  /// The identifiers of the widgets with a name, of which there must be at least one.
  ///
  /// - Parameter name: The name, for the message.
  /// - Returns: The identifiers.
  /// - Throws: ``CommandError`` with `missing` if there is none, `usage` if the name is ambiguous.
  func required(_ name: String) throws(CommandError) -> [String] {
    let identifiers = try identifiers(of: name)
    guard !identifiers.isEmpty else {
      throw .missing("no widget “\(name)”; “today list” lists the installed widgets")
    }
    return identifiers
  }
}
