import FoundationEssentials
public import WidgetKitCore

/// What the user has set: `$XDG_CONFIG_HOME/today/config.json`, JSON5, never written by the program.
///
/// Every setting is read by its declaration. One that is wrong keeps the value that was in force
/// before, and all others apply; a file that cannot be read changes nothing.
public nonisolated struct UserConfiguration: Sendable {
  /// The settings in force.
  public private(set) var settings: Settings
  /// What is wrong, in the order of the file, each with the file, line, column and setting:
  /// `/home/a/.config/today/config.json:4:12: theme: expected "dark" or "light", found 7`.
  public private(set) var problems: [SafeText] = []

  private static let byteLimit = 256 * 1024

  /// Reads the user's file; a missing one is as good as an empty one.
  ///
  /// - Parameters:
  ///   - environment: The user's environment, which says where the file is.
  ///   - settings: What is in force until now, and stays so where the file is wrong.
  public init(environment: [String: String], keeping settings: Settings = Settings()) {
    self.init(
      Self.contents(environment),
      path: Self.path(environment),
      keeping: settings
    )
  }

  /// Reads bytes as the user's file.
  package init(bytes: [UInt8], path: String, keeping settings: Settings = Settings()) {
    self.init(.whole(bytes), path: path, keeping: settings)
  }

  /// Reads what the user's file came to.
  init(_ contents: DurableFile.Contents, path: String, keeping settings: Settings) {
    self.settings = settings
    switch contents {
    case .absent: self.settings = Settings()
    case .odd(let reason): problems.append(SafeText("\(path) cannot be read: \(reason)"))
    case .whole(let bytes): read(bytes, path)
    }
  }

  /// Puts the settings into a configuration, with what is wrong with them.
  public func apply(to configuration: inout CenterConfiguration) {
    settings.apply(to: &configuration)
    configuration.problems = problems
  }

  /// Whether every setting has the same value, and the same is wrong.
  func isSame(as other: UserConfiguration) -> Bool {
    problems == other.problems
      && Setting.all.allSatisfy { $0.text(settings) == $0.text(other.settings) }
  }

  /// The settings with one more problem, which is not one of the file.
  func adding(_ problem: SafeText?) -> UserConfiguration {
    var configuration = self
    if let problem { configuration.problems.append(problem) }
    return configuration
  }

  /// Where the file is.
  static func path(_ environment: [String: String]) -> String {
    BaseFolders(environment).configuration + "/today/config.json"
  }

  /// What the user's file comes to at present.
  static func contents(_ environment: [String: String]) -> DurableFile.Contents {
    UserFile.contents(path(environment), byteLimit: byteLimit)
  }

  private mutating func read(_ bytes: [UInt8], _ path: String) {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      problems.append(SafeText("\(path) is not UTF-8; the file is ignored"))
      return
    }
    let outline: JSON5Outline
    do throws(JSON5Outline.Failure) {
      outline = try JSON5Outline(text)
    } catch {
      problems.append(SafeText("\(path):\(error.place): \(error.reason); the file is ignored"))
      return
    }
    let decoder = JSONDecoder()
    decoder.allowsJSON5 = true
    do {
      let value = try decoder.decode(SettingValue.self, from: Data(bytes))
      var reading = SettingReading(outline, keeping: settings)
      reading.read(value)
      settings = reading.settings
      problems += reading.problems.map { SafeText("\(path):\($0)") }
    } catch {
      problems.append(SafeText("\(path) is not JSON5; the file is ignored: \(Self.words(error))"))
    }
  }

  private static func words(_ error: any Error) -> String {
    if case DecodingError.dataCorrupted(let context) = error {
      return context.underlyingError.map { "\($0)" } ?? context.debugDescription
    }
    return "\(error)"
  }
}
