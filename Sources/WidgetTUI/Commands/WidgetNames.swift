import WidgetHost

/// What the arguments of a command call widgets: identifiers, or names as headings show them.
nonisolated extension BundleCatalog.NameMatch {
  /// The identifiers of the widgets that a name stands for; empty where there is no such widget.
  ///
  /// - Parameter name: The name, for the message.
  /// - Returns: The identifiers.
  /// - Throws: ``CommandError`` with `usage` where several widgets have the name.
  func identifiers(of name: String) throws(CommandError) -> [String] {
    switch self {
    case .widgets(let identifiers): return identifiers
    case .none: return []
    case .ambiguous(let identifiers):
      let list = identifiers.sorted().joined(separator: ", ")
      throw .usage("“\(name)” is the name of \(identifiers.count) widgets; say which: \(list)")
    }
  }

  /// The same, where there has to be such a widget.
  ///
  /// - Parameter name: The name, for the message.
  /// - Returns: The identifiers.
  /// - Throws: ``CommandError`` with `missing` where there is none, `usage` where it is ambiguous.
  func required(_ name: String) throws(CommandError) -> [String] {
    let identifiers = try identifiers(of: name)
    guard !identifiers.isEmpty else {
      throw .missing("no widget “\(name)”; “today list” shows those there are")
    }
    return identifiers
  }
}
