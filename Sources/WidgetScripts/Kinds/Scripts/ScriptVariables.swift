import WidgetKitCore

extension ScriptProgram {
  /// Whether it reads clicks on standard input while it keeps printing.
  var readsClicks: Bool {
    options.format == .i3bar || (options.format == .i3blocks && follows)
  }

  /// The variables that the host of its format sets, and its settings.
  ///
  /// - Parameter request: What the widget receives at its start.
  /// - Returns: The variables, which those of the user do not replace.
  func environment(_ request: InitializeRequest) -> [String: String] {
    var variables = adapter.variables(request)
    for (name, value) in request.configuration?.values ?? [:] {
      variables[name] = Self.text(value)
    }
    return variables
  }

  /// The variables with which a plugin of SwiftBar is told why it runs.
  ///
  /// - Parameters:
  ///   - reason: The reason of the update.
  ///   - isFirst: Whether it is the first one of this page.
  /// - Returns: The variables; none for scripts in other formats.
  func variables(for reason: UpdateReason, isFirst: Bool) -> [String: String] {
    switch reason {
    case .appear: refreshReason(isFirst ? "FirstLaunch" : "MenuOpen")
    case .schedule: refreshReason(isFirst ? "FirstLaunch" : "Schedule")
    case .user: refreshReason("RefreshAllMenu")
    case .event: refreshReason("URLScheme")
    }
  }

  /// The same for a run after a press on one of its rows.
  var variablesOfPress: [String: String] { refreshReason("MenuAction") }

  private func refreshReason(_ words: String) -> [String: String] {
    options.format == .swiftbar ? ["SWIFTBAR_PLUGIN_REFRESH_REASON": words] : [:]
  }

  private static func text(_ value: WidgetConfiguration.Value) -> String {
    switch value {
    case .string(let text): text
    case .number(let number): Int64(exactly: number).map { "\($0)" } ?? "\(number)"
    case .boolean(let flag): "\(flag)"
    case .list(let texts): texts.joined(separator: "\n")
    }
  }
}
