import FoundationEssentials
import WidgetKitCore
import WidgetPlatform

/// `today schedule`: keeps content up to date while no dashboard is open, with a systemd timer.
struct ScheduleCommand: Command {
  /// What to do with the timer.
  enum Action: String, CaseIterable {
    case on
    case off
    case status
  }

  static let name = "schedule"
  static let syntax = CommandSyntax<ScheduleCommand>(
    name,
    "keep content up to date while no dashboard is open",
    expected: "on, off or status",
    details: """
      Keeps content up to date while no dashboard is open: a timer of “systemctl --user” runs
      “today refresh --due” every five minutes. Without systemd, “on” prints the line for crontab
      and exits with 69.
      """,
    operands: [.choice(\.action)]
  )

  var options = CommonOptions()
  private var action = Action.status

  func run() async throws(CommandError) -> ExitCode {
    let timer = RefreshTimer(environment: options.environment)
    let state = await timer.state()
    guard state != .unavailable else { return try withoutSystemd(timer) }
    guard state != .silent else {
      throw .unavailable(
        "systemctl --user has not answered within \(UserUnits.patience.components.seconds) s; "
          + "check whether the session bus works (DBUS_SESSION_BUS_ADDRESS)"
      )
    }
    switch action {
    case .on:
      let isOn: Bool
      do throws(HostError) {
        isOn = try await timer.start()
      } catch {
        throw .failure(error.description)
      }
      guard isOn else { throw .failure("systemctl --user could not enable today-refresh.timer") }
      StandardStreams.writeLine("on: every \(RefreshTimer.minutes) minutes")
    case .off:
      await timer.stop()
      StandardStreams.writeLine("off")
    case .status:
      StandardStreams.writeLine(state == .on ? "on: every \(RefreshTimer.minutes) minutes" : "off")
    }
    return .success
  }

  /// Without a systemd user manager, prints a line for cron that does the same.
  private func withoutSystemd(_ timer: RefreshTimer) throws(CommandError) -> ExitCode {
    guard action != .on else {
      StandardStreams.writeLine(SafeText(timer.cronLine))
      throw .unavailable(
        "the systemd user manager is not available; with cron, add the line above with “crontab -e”"
      )
    }
    StandardStreams.writeLine("off")
    return .success
  }
}
