import FoundationEssentials
import WidgetHost
import WidgetKitCore

/// `today schedule`: keeps content up to date while no dashboard is open, with a systemd timer.
struct ScheduleCommand: Command {
  /// What to do with the timer.
  enum Action: String, CaseIterable {
    case on
    case off
    case status
  }

  var options: CommonOptions
  var action: Action

  private static let unit = "today-refresh"
  private static let minutes = 5

  init(_ reader: inout ArgumentReader, _ options: CommonOptions) throws(CommandError) {
    self.options = options
    var words: [String] = []
    while let argument = reader.next() {
      if try self.options.take(argument, from: &reader) { continue }
      guard !argument.hasPrefix("-") else { throw reader.unknown(argument) }
      words.append(argument)
    }
    guard words.count == 1, let action = Action(rawValue: words[0]) else {
      throw .usage("expected on, off or status; see “today help schedule”")
    }
    self.action = action
  }

  func run() async throws(CommandError) -> ExitCode {
    guard let systemctl = ToolSearch.path(of: "systemctl", in: options.environment),
      await succeeds(systemctl, ["show-environment"])
    else { return try withoutSystemd() }
    switch action {
    case .on:
      try CommandError.from { () throws(HostError) in try writeUnits() }
      guard await succeeds(systemctl, ["daemon-reload"]),
        await succeeds(systemctl, ["enable", "--now", "\(Self.unit).timer"])
      else { throw .failure("systemctl --user could not enable \(Self.unit).timer") }
      StandardStreams.writeLine("on: every \(Self.minutes) minutes")
    case .off:
      _ = await succeeds(systemctl, ["disable", "--now", "\(Self.unit).timer"])
      for ending in ["timer", "service"] {
        UserFile.remove("\(folder)/\(Self.unit).\(ending)")
      }
      _ = await succeeds(systemctl, ["daemon-reload"])
      StandardStreams.writeLine("off")
    case .status:
      let isOn = await succeeds(systemctl, ["is-active", "--quiet", "\(Self.unit).timer"])
      StandardStreams.writeLine(isOn ? "on: every \(Self.minutes) minutes" : "off")
    }
    return .success
  }

  /// Without a systemd user manager, prints a line for cron that does the same.
  private func withoutSystemd() throws(CommandError) -> ExitCode {
    guard action != .on else {
      StandardStreams.writeLine(SafeText(cronLine))
      throw .unavailable(
        "the systemd user manager is not available; with cron, add the line above with “crontab -e”"
      )
    }
    StandardStreams.writeLine("off")
    return .success
  }

  private var cronLine: String {
    "*/\(Self.minutes) * * * * \(HostProcess.executablePath()) refresh --due >/dev/null 2>&1"
  }

  /// The folder of the user's units (systemd.unit(5)).
  private var folder: String {
    BaseFolders(options.environment).configuration + "/systemd/user"
  }

  private func writeUnits() throws(HostError) {
    let program = HostProcess.executablePath()
    let service = """
      [Unit]
      Description=Refresh the widgets of today that are due

      [Service]
      Type=oneshot
      Nice=10
      ExecStart="\(program)" refresh --due
      # 1 means that a widget failed; the next run asks it again.
      SuccessExitStatus=1

      """
    let timer = """
      [Unit]
      Description=Refresh the widgets of today that are due

      [Timer]
      OnCalendar=*:0/\(Self.minutes)
      RandomizedDelaySec=30
      Persistent=true

      [Install]
      WantedBy=timers.target

      """
    try UserFile.write(service, to: "\(folder)/\(Self.unit).service")
    try UserFile.write(timer, to: "\(folder)/\(Self.unit).timer")
  }

  private func succeeds(_ systemctl: String, _ arguments: [String]) async -> Bool {
    await HostTool.run(systemctl, ["--user"] + arguments, environment: options.environment)
  }
}
