import WidgetPlatform

/// The units of the user that systemd runs (systemd.unit(5)), in `~/.config/systemd/user`.
struct UserUnits {
  /// Whether a unit runs.
  enum State {
    /// There is no systemd manager for the user.
    case unavailable
    /// systemctl has not answered in time, as when the session bus takes connections and says nothing.
    case silent
    case off
    case on
  }

  /// How long it may take to find out whether one runs.
  static let patience: Duration = .seconds(3)
  /// How long systemctl may take for a change.
  private static let changePatience: Duration = .seconds(30)
  /// The most files that are looked at.
  private static let nameLimit = 10_000

  private let environment: [String: String]

  init(environment: [String: String]) {
    self.environment = environment
  }

  /// Whether a unit runs.
  func state(of unit: String) async -> State {
    let end = ContinuousClock.now + Self.patience
    let isThere = await succeeds(["show-environment"], within: Self.patience)
    let left = ContinuousClock.now.duration(to: end)
    guard left > .zero else { return .silent }
    guard isThere else { return .unavailable }
    let isOn = await succeeds(["is-active", "--quiet", unit], within: left)
    guard ContinuousClock.now < end else { return .silent }
    return isOn ? .on : .off
  }

  /// Installs units, by their names, and starts one of them now and at each login; false if systemd could not.
  ///
  /// - Throws: ``HostError`` if the files cannot be written.
  func start(_ unit: String, _ files: [String: String]) async throws(HostError) -> Bool {
    for (name, text) in files { try UserFile.write(text, to: "\(folder)/\(name)") }
    guard await succeeds(["daemon-reload"]) else { return false }
    return await succeeds(["enable", "--now", unit])
  }

  /// Stops a unit, and removes the files of units; false if systemd could not stop it.
  @discardableResult
  func stop(_ unit: String, _ files: [String]) async -> Bool {
    let isStopped = await succeeds(["disable", "--now", unit])
    for name in files { UserFile.remove("\(folder)/\(name)") }
    _ = await succeeds(["daemon-reload"])
    return isStopped
  }

  /// A path as the program of a command line of systemd.service(5), in which percent signs are letters.
  static func program(_ path: String) -> String { "\"\(escaped(path))\"" }

  /// A word of a command line of systemd.service(5), in which percent signs and dollars are letters.
  static func word(_ text: String) -> String { "\"\(escaped(text, isWord: true))\"" }

  /// A text in one line, in which percent signs are letters.
  static func line(_ text: String) -> String {
    var result = ""
    // By scalars: a combining mark behind a percent sign makes another character of it.
    for scalar in text.unicodeScalars {
      if scalar == "%" { result += "%" }
      result.unicodeScalars.append(Character(scalar).isNewline ? " " : scalar)
    }
    return result
  }

  private static func escaped(_ text: String, isWord: Bool = false) -> String {
    var result = ""
    for scalar in line(text).unicodeScalars {
      switch scalar {
      case "\\", "\"": result += "\\"
      case "$" where isWord: result += "$"
      default: break
      }
      result.unicodeScalars.append(scalar)
    }
    return result
  }

  /// The program that an installed unit starts; nil if it is not installed.
  func program(of unit: String) -> String? {
    guard let bytes = UserFile.bytes("\(folder)/\(unit)", byteLimit: 64 * 1024) else { return nil }
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
    let start = "ExecStart=\""
    guard let line = lines.first(where: { $0.hasPrefix(start) }) else { return nil }
    return Self.program(in: line.dropFirst(start.count).unicodeScalars)
  }

  /// The path at the beginning of a text, as ``program(_:)`` writes it, without the first quotation mark.
  private static func program(in text: Substring.UnicodeScalarView) -> String {
    var path = String.UnicodeScalarView()
    var escape: Unicode.Scalar?
    for scalar in text {
      if escape == nil, scalar == "\"" { break }
      if escape == nil, scalar == "\\" || scalar == "%" {
        escape = scalar
      } else {
        path.append(scalar)
        escape = nil
      }
    }
    return String(path)
  }

  /// The names of the units that are installed for the user alone.
  var names: [String] {
    guard let folder = try? OwnFolder.openThroughLinks(folder, makes: false) else { return [] }
    return folder.names(limit: Self.nameLimit)
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

  private var folder: String { BaseFolders(environment).configuration + "/systemd/user" }
}
