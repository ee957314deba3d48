import WidgetPlatform

/// The service of systemd that stores notices of the desktop while no page is open: `today-notices.service`.
struct NoticeUnit {
  private static let name = "today-notices.service"

  private let units: UserUnits

  init(environment: [String: String]) {
    units = UserUnits(environment: environment)
  }

  /// Whether it runs.
  func state() async -> UserUnits.State { await units.state(of: Self.name) }

  /// Installs and starts it; false if systemd could not.
  ///
  /// - Throws: ``HostError`` if the file cannot be written.
  func start() async throws(HostError) -> Bool {
    try await units.start(Self.name, [Self.name: text])
  }

  /// Stops it and removes its file.
  func stop() async { await units.stop(Self.name, [Self.name]) }

  /// The program that the installed service starts; nil if it is not installed.
  var installedProgram: String? { units.program(of: Self.name) }

  private var text: String {
    """
    [Unit]
    Description=Store the notices of the desktop for today

    [Service]
    ExecStart="\(HostProcess.executablePath())" \(KeepNoticesCommand.name)
    Restart=on-failure
    RestartSec=10

    [Install]
    WantedBy=default.target

    """
  }
}
