import Glibc
import WidgetPlatform

/// Looks at the timer that refreshes widgets while no dashboard is open.
enum TimerDiagnosis {
  /// What there is to say of it.
  static func finding(environment: [String: String]) async -> Finding {
    let timer = RefreshTimer(environment: environment)
    return finding(
      await timer.state(),
      program: timer.installedProgram,
      current: HostProcess.executablePath()
    )
  }

  /// What there is to say of a timer in a state that starts `program`, where this program is `current`.
  static func finding(
    _ state: RefreshTimer.State,
    program: String?,
    current: String
  ) -> Finding {
    switch state {
    case .unavailable:
      return Finding(
        .timer,
        .warning,
        "there is no systemd manager for the user, so that widgets are updated only while a dashboard is open",
        advice: "“today schedule on” prints a line for cron"
      )
    case .silent:
      return Finding(
        .timer,
        .warning,
        "systemctl --user has not answered within \(UserUnits.patience.components.seconds) s",
        advice: "check whether the session bus works (DBUS_SESSION_BUS_ADDRESS)"
      )
    case .off where program != nil:
      return Finding(
        .timer,
        .warning,
        "the timer is installed and does not run",
        advice: "“today schedule on” starts it, “today schedule off” removes it"
      )
    case .off:
      return Finding(
        .timer,
        .ok,
        "off: widgets are updated only while a dashboard is open",
        advice: "“today schedule on” changes that"
      )
    case .on:
      guard let program else { return Finding(.timer, .ok, "on, with a unit from elsewhere") }
      guard unsafe access(program, X_OK) == 0 else {
        return Finding(
          .timer,
          .wrong,
          "the timer starts \(program), which cannot be run",
          advice: "run “today schedule on” again"
        )
      }
      guard program == current else {
        return Finding(
          .timer,
          .warning,
          "the timer starts another program, \(program)",
          advice: "“today schedule on” makes it start \(current)"
        )
      }
      return Finding(.timer, .ok, "on: every \(RefreshTimer.minutes) minutes")
    }
  }
}
