/// How the output of a script is read.
package enum ScriptFormat: String, CaseIterable, Hashable, Sendable {
  /// Plain text with colours.
  case text
  /// The menu of a plugin of xbar.
  case xbar
  /// The menu of a plugin of SwiftBar.
  case swiftbar
  /// The menu of a plugin of Argos.
  case argos
  /// A custom module of Waybar.
  case waybar
  /// The stream of a status command for i3bar.
  case i3bar
  /// A block of i3blocks.
  case i3blocks
  /// A plugin of Nagios: its exit status, a line, and performance data.
  case nagios
  /// JSON, of which paths are shown.
  case json
  /// The text format of Prometheus, of which metrics are shown.
  case prometheus

  /// The names that the line of a script of this format can have besides those of every script.
  package var parameters: [String] {
    switch self {
    case .text, .xbar, .swiftbar, .argos, .nagios: []
    case .waybar:
      [
        "display", "display-alt", "display-alt-click", "icons", "output", "escape", "tooltip",
        "tooltip-display", "hide-empty-text",
        "exec-on-event", "on-click", "on-click-middle", "on-click-right", "on-scroll-up",
        "on-scroll-down",
      ]
    case .i3bar: ["blocks"]
    case .i3blocks: ["output", "label", "color", "background", "markup"]
    case .json: ["rows", "columns", "template", "value"]
    case .prometheus: ["metrics"]
    }
  }

  /// All names of ``parameters``.
  static let allParameters = Set(allCases.flatMap(\.parameters))
}
