import WidgetPlatform

/// The service of systemd that publishes a page while nobody is logged in or no dashboard is open:
/// `today-publish-….service`.
struct PublishUnit {
  /// What the names of all of them begin with.
  static let prefix = "today-publish-"
  private static let ending = ".service"

  /// The name of the unit.
  let name: String
  private let units: UserUnits

  /// - Parameters:
  ///   - key: What tells a page and its place from others.
  ///   - environment: The user's environment.
  init(key: String, environment: [String: String]) {
    name = "\(Self.prefix)\(key)\(Self.ending)"
    units = UserUnits(environment: environment)
  }

  private init(name: String, _ units: UserUnits) {
    (self.name, self.units) = (name, units)
  }

  /// Those that are installed.
  static func installed(environment: [String: String]) -> [PublishUnit] {
    let units = UserUnits(environment: environment)
    return units.names.filter { $0.hasPrefix(prefix) && $0.hasSuffix(ending) }.sorted().map {
      PublishUnit(name: $0, units)
    }
  }

  /// Whether it runs.
  func state() async -> UserUnits.State { await units.state(of: name) }

  /// Installs and starts it with arguments; false if systemd could not.
  ///
  /// - Throws: ``HostError`` if the file cannot be written.
  func start(_ words: String, _ arguments: [String]) async throws(HostError) -> Bool {
    try await units.start(name, [name: Self.text(words, arguments)])
  }

  /// Stops it and removes its file; false if systemd could not stop it.
  @discardableResult
  func stop() async -> Bool { await units.stop(name, [name]) }

  /// The program that it starts; nil if it is not installed.
  var installedProgram: String? { units.program(of: name) }

  /// The file.
  ///
  /// - Parameters:
  ///   - words: What it does.
  ///   - arguments: Those of the program.
  ///   - program: Its path.
  /// - Returns: The text.
  static func text(
    _ words: String,
    _ arguments: [String],
    program: String = HostProcess.executablePath()
  ) -> String {
    let line = ([UserUnits.program(program)] + arguments.map(UserUnits.word)).joined(separator: " ")
    return """
      [Unit]
      Description=\(UserUnits.line(words))

      [Service]
      ExecStart=\(line)
      Delegate=yes
      Nice=10
      Restart=on-failure
      RestartSec=30
      # 64 means that the command is wrong, 66 and 77 that there is no such page, or that it may not be published there,
      # and 69 that something is missing: a place that is away is waited for.
      RestartPreventExitStatus=64 66 69 77

      [Install]
      WantedBy=default.target

      """
  }
}
