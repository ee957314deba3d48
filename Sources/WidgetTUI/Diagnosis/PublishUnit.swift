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

  /// Stops it and removes its file.
  func stop() async { await units.stop(name, [name]) }

  /// The program that it starts; nil if it is not installed.
  var installedProgram: String? { units.program(of: name) }

  static func text(_ words: String, _ arguments: [String]) -> String {
    let line = arguments.map(quoted).joined(separator: " ")
    return """
      [Unit]
      Description=\(plain(words))

      [Service]
      ExecStart="\(HostProcess.executablePath())" \(line)
      Delegate=yes
      Nice=10
      Restart=on-failure
      RestartSec=30
      # 66 and 77 mean that there is no such page, or that it may not be published there; 64 that the command is wrong.
      RestartPreventExitStatus=64 66 77

      [Install]
      WantedBy=default.target

      """
  }

  /// A word of a command line of systemd.service(5), in which percent signs and dollars are letters.
  private static func quoted(_ word: String) -> String {
    var text = ""
    for character in plain(word) {
      switch character {
      case "\\", "\"": text += "\\\(character)"
      case "$": text += "$$"
      default: text.append(character)
      }
    }
    return "\"\(text)\""
  }

  /// A text in one line, in which percent signs are letters.
  private static func plain(_ text: String) -> String {
    text.map { $0.isNewline ? " " : $0 == "%" ? "%%" : String($0) }.joined()
  }
}
