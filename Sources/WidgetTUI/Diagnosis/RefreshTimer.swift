import WidgetPlatform

/// The timer of systemd that refreshes widgets while no dashboard is open: `today-refresh.timer`.
struct RefreshTimer {
  /// Whether the timer runs.
  enum State {
    /// There is no systemd manager for the user.
    case unavailable
    /// systemctl has not answered in time, as when the session bus takes connections and says nothing.
    case silent
    case off
    case on
  }

  /// How often it runs.
  static let minutes = 5
  private static let unit = "today-refresh"
  /// How long it may take to find out whether it runs.
  static let patience: Duration = .seconds(3)
  /// How long systemctl may take for a change.
  private static let changePatience: Duration = .seconds(30)

  private let environment: [String: String]

  init(environment: [String: String]) {
    self.environment = environment
  }

  /// The line of crontab(5) that does the same.
  var cronLine: String {
    "*/\(Self.minutes) * * * * \(HostProcess.executablePath()) refresh --due >/dev/null 2>&1"
  }

  /// Whether it runs.
  func state() async -> State {
    let end = ContinuousClock.now + Self.patience
    let isThere = await succeeds(["show-environment"], within: Self.patience)
    let left = ContinuousClock.now.duration(to: end)
    guard left > .zero else { return .silent }
    guard isThere else { return .unavailable }
    let isOn = await succeeds(["is-active", "--quiet", "\(Self.unit).timer"], within: left)
    guard ContinuousClock.now < end else { return .silent }
    return isOn ? .on : .off
  }

  /// Installs and starts it; false if systemd could not.
  ///
  /// - Throws: ``HostError`` if the files cannot be written.
  func start() async throws(HostError) -> Bool {
    try UserFile.write(service, to: "\(folder)/\(Self.unit).service")
    try UserFile.write(timer, to: "\(folder)/\(Self.unit).timer")
    guard await succeeds(["daemon-reload"]) else { return false }
    return await succeeds(["enable", "--now", "\(Self.unit).timer"])
  }

  /// Stops it and removes its files.
  func stop() async {
    _ = await succeeds(["disable", "--now", "\(Self.unit).timer"])
    for ending in ["timer", "service"] { UserFile.remove("\(folder)/\(Self.unit).\(ending)") }
    _ = await succeeds(["daemon-reload"])
  }

  /// The program that the installed unit starts; nil if none is installed.
  var installedProgram: String? {
    guard let bytes = UserFile.bytes("\(folder)/\(Self.unit).service", byteLimit: 64 * 1024) else {
      return nil
    }
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
    let start = "ExecStart=\""
    guard let line = lines.first(where: { $0.hasPrefix(start) }) else { return nil }
    return String(line.dropFirst(start.count).prefix { $0 != "\"" })
  }

  private func succeeds(
    _ arguments: [String],
    within limit: Duration = changePatience
  ) async -> Bool {
    guard let systemctl = ToolSearch.path(of: "systemctl", in: environment) else { return false }
    return await HostTool.run(
      systemctl,
      ["--user"] + arguments,
      environment: environment,
      limit: limit
    )
  }

  /// The folder of the user's units (systemd.unit(5)).
  private var folder: String { BaseFolders(environment).configuration + "/systemd/user" }

  private var service: String {
    """
    [Unit]
    Description=Refresh the widgets of today that are due

    [Service]
    Type=oneshot
    Delegate=yes
    Nice=10
    ExecStart="\(HostProcess.executablePath())" refresh --due
    # 1 means that a widget failed; the next run asks it again.
    SuccessExitStatus=1

    """
  }

  private var timer: String {
    """
    [Unit]
    Description=Refresh the widgets of today that are due

    [Timer]
    OnCalendar=*:0/\(Self.minutes)
    RandomizedDelaySec=30
    Persistent=true

    [Install]
    WantedBy=timers.target

    """
  }
}
