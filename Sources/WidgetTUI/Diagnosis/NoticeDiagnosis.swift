import Notices
import WidgetKitCore
import WidgetPlatform

/// Looks at who shows the notices of the desktop, and whether they are stored.
nonisolated struct NoticeDiagnosis: Sendable {
  /// What the agent has found; nil without a bus, or without the agent.
  let probe: DesktopProbe
  let settings: NoticeSettings
  /// Whether the service runs.
  let isService: Bool

  /// What there is to say.
  var finding: Finding {
    switch probe {
    case .noBus:
      Finding(.notices, .ok, "there is no session bus, and so there are no notices of the desktop")
    case .noProgram:
      Finding(
        .notices,
        .warning,
        "notice-agent, which comes with today, is not installed",
        advice: "install today again to have the notices of the desktop"
      )
    case .absent(let words):
      Finding(.notices, .ok, "those of the desktop are not stored: \(words)")
    case .silent:
      Finding(
        .notices,
        .warning,
        "the session bus has not answered within \(DesktopProbe.patience.components.seconds) s",
        advice: "check whether it works (DBUS_SESSION_BUS_ADDRESS)"
      )
    case .nobody where settings.ownsDesktop:
      Finding(.notices, .ok, "nobody shows those of the desktop; today takes them \(time)")
    case .nobody:
      Finding(
        .notices,
        .ok,
        "nobody shows those of the desktop",
        advice: "with “notices.own” set to true in config.json, today takes them"
      )
    case .daemon(let name):
      Finding(
        .notices,
        .ok,
        "\(SafeText(lineOf: name)) shows those of the desktop; they are stored \(time)"
      )
    }
  }

  private var time: String {
    if isService { return "always" }
    return settings.includesDesktop
      ? "while a page is open, and always after “today notices on”"
      : "only after “today notices on”"
  }
}
