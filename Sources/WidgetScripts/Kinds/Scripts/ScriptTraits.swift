import WidgetKitCore

/// What surrounds a script when it runs: the width of its card, and whether the background is dark.
struct ScriptTraits: Hashable, Sendable {
  /// The columns of the body; nil before they are known.
  var columns: Int?
  /// Whether the background is dark.
  var isDark = true
  /// Variables that every run has besides those of the user.
  var variables: [String: String] = [:]

  /// The variables of a run: `COLUMNS` besides ``variables``.
  var environment: [String: String] {
    guard let columns else { return variables }
    return variables.merging(["COLUMNS": "\(columns)"]) { $1 }
  }

  /// Whether what a script prints may be another thing than with other traits.
  ///
  /// A script that does not name `COLUMNS` is not run for every change of a window, as it may ask a server.
  func differ(from other: ScriptTraits, for script: ScriptProgram) -> Bool {
    guard !script.isSplit else { return false }
    let isMenu = [.xbar, .swiftbar].contains(script.options.format)
    return script.readsColumns && !script.follows && columns != other.columns
      || isMenu && isDark != other.isDark
  }
}
