import WidgetPlatform

/// The timer of systemd that refreshes widgets while no dashboard is open: `today-refresh.timer`.
struct RefreshTimer {
  /// Whether the timer runs.
  typealias State = UserUnits.State

  /// How often it runs.
  static let minutes = 5
  private static let unit = "today-refresh"
  private static let files = ["\(unit).timer", "\(unit).service"]

  private let units: UserUnits

  init(environment: [String: String]) {
    units = UserUnits(environment: environment)
  }

  /// The line of crontab(5) that does the same.
  var cronLine: String {
    "*/\(Self.minutes) * * * * \(HostProcess.executablePath()) refresh --due >/dev/null 2>&1"
  }

  /// Whether it runs.
  func state() async -> State { await units.state(of: "\(Self.unit).timer") }

  /// Installs and starts it; false if systemd could not.
  ///
  /// - Throws: ``HostError`` if the files cannot be written.
  func start() async throws(HostError) -> Bool {
    try await units.start(Self.files[0], [Self.files[0]: timer, Self.files[1]: service])
  }

  /// Stops it and removes its files.
  func stop() async { await units.stop(Self.files[0], Self.files) }

  /// The program that the installed unit starts; nil if none is installed.
  var installedProgram: String? { units.program(of: Self.files[1]) }

  private var service: String {
    """
    [Unit]
    Description=Refresh the widgets of today that are due

    [Service]
    Type=oneshot
    Delegate=yes
    Nice=10
    ExecStart=\(UserUnits.program(HostProcess.executablePath())) refresh --due
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
