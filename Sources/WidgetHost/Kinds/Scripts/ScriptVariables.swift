import WidgetKitCore

nonisolated extension ScriptProgram {
  /// Whether it reads clicks on standard input while it keeps printing.
  var readsClicks: Bool {
    options.format == .i3bar || (options.format == .i3blocks && follows)
  }

  /// The variables that the host of its format sets, and its settings.
  ///
  /// - Parameter request: What the widget receives at its start.
  /// - Returns: The variables, which those of the user do not replace.
  func environment(_ request: InitializeRequest) -> [String: String] {
    var variables = hostVariables(request)
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

  private func hostVariables(_ request: InitializeRequest) -> [String: String] {
    let isDark = request.appearance.dark
    switch options.format {
    case .xbar, nil: return ["XBARDarkMode": "\(isDark)", "BitBarDarkMode": isDark ? "1" : "0"]
    case .swiftbar:
      return [
        "SWIFTBAR": "1", "SWIFTBAR_VERSION": "2.0.0", "SWIFTBAR_BUILD": "500",
        "SWIFTBAR_PLUGIN_PATH": path, "SWIFTBAR_PLUGINS_PATH": OwnPath.split(path).folder,
        "SWIFTBAR_PLUGIN_CACHE_PATH": request.containers.cache,
        "SWIFTBAR_PLUGIN_DATA_PATH": request.containers.data,
        "OS_APPEARANCE": isDark ? "Dark" : "Light",
      ]
    case .argos: return ["ARGOS_VERSION": "2", "ARGOS_MENU_OPEN": "false"]
    case .waybar: return ["WAYBAR_OUTPUT_NAME": "today"]
    case .i3blocks:
      let interval = options.interval.map { "\(Int(clamping: Int64($0)))" } ?? "once"
      return [
        "BLOCK_NAME": request.bundleIdentifier, "BLOCK_INSTANCE": request.instance ?? "",
        "BLOCK_INTERVAL": follows ? "persist" : interval, "BLOCK_BUTTON": "",
      ]
    case .text, .i3bar, .nagios, .json, .prometheus: return [:]
    }
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
