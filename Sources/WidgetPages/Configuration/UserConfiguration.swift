package import WidgetExtensions
public import WidgetKitCore
import WidgetPlatform

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

  /// Whether the file selects a theme, which then comes before one that was chosen in the program.
  public private(set) var setsTheme = false

  /// The theme that the file names, also if it cannot be used; nil if it names none.
  private(set) var namedTheme: String?

  /// The names of the commands that keys can be bound to; nil if they are not checked.
  private let commands: [String]?

  /// Whether nothing was in force before the file was read.
  private let isStart: Bool

  /// What applies at a start while the file cannot be read, as the end of a sentence.
  private var strictWords: String {
    isStart ? ", and “sandbox” is “required” until it can be read" : ""
  }

  private static let byteLimit = 256 * 1024
  private static let themePath = MemberPath("theme")

  /// Reads the user's file; a missing one is as good as an empty one.
  ///
  /// - Parameters:
  ///   - environment: The user's environment, which says where the file is.
  ///   - settings: What is in force until now, and stays so where the file is wrong; nil at a start, where the
  ///     defaults are in force then, with the strictest sandbox.
  ///   - commands: The names of the commands that keys can be bound to; nil if they are not checked.
  public init(
    environment: [String: String],
    keeping settings: Settings? = nil,
    commands: [String]? = nil
  ) {
    self.init(
      Self.contents(environment),
      path: Self.path(environment),
      themes: ThemeCatalog(environment: environment),
      keeping: settings,
      commands: commands
    )
    guard !setsTheme, let chosen = ChosenTheme.read(environment) else { return }
    self.settings.screen.theme = chosen
    findTheme(
      in: ThemeCatalog(environment: environment),
      at: ChosenTheme.path(environment),
      keeping: settings?.screen ?? ScreenSettings()
    )
  }

  /// Reads bytes as the user's file.
  ///
  /// Without `themes`, the name of the theme is not looked up; without `commands`, those of commands are not.
  package init(
    bytes: [UInt8],
    path: String,
    themes: ThemeCatalog? = nil,
    keeping settings: Settings? = nil,
    commands: [String]? = nil
  ) {
    self.init(.whole(bytes), path: path, themes: themes, keeping: settings, commands: commands)
  }

  /// Reads what the user's file came to.
  init(
    _ contents: DurableFile.Contents,
    path: String,
    themes: ThemeCatalog?,
    keeping settings: Settings?,
    commands: [String]?
  ) {
    isStart = settings == nil
    self.commands = commands
    // Without a file, no setting is looked at before the first picture.
    if case .absent = contents {
      self.settings = Settings()
      return
    }
    self.settings = settings ?? .whenUnreadable
    switch contents {
    case .absent: break
    case .odd(let reason):
      problems.append(SafeText("\(path) cannot be read: \(reason)\(strictWords)"))
    case .whole(let bytes): read(bytes, path, themes)
    }
  }

  /// Reads the user's file again, where these settings stay in force if it is wrong.
  func readAgain(_ environment: [String: String]) -> UserConfiguration {
    UserConfiguration(environment: environment, keeping: settings, commands: commands)
  }

  /// Puts the settings into a configuration, with what is wrong with them.
  public func apply(to configuration: inout CenterConfiguration) {
    settings.apply(to: &configuration)
    configuration.problems = problems
  }

  /// Whether every setting has the same value, and the same is wrong.
  func isSame(as other: UserConfiguration) -> Bool {
    problems == other.problems && setsTheme == other.setsTheme
      && settings.widgets == other.settings.widgets
      && settings.screen.definition == other.settings.screen.definition
      && SettingTable.all.allSatisfy { $0.text(settings) == $0.text(other.settings) }
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

  private mutating func read(_ bytes: [UInt8], _ path: String, _ themes: ThemeCatalog?) {
    do throws(JSON5File.Failure) {
      let file = try JSON5File(bytes, path: path)
      let previous = settings
      var reading = SettingReading(file.outline, keeping: settings, commands: commands)
      reading.read(file.value)
      settings = reading.settings
      if isStart, reading.areWidgetsUnread { settings.sandbox = .required }
      settings.pages.notePlaces { member in
        file.outline[member].map { "\(path):\($0.value)" }
      }
      settings.widgets = FileSettings(
        file,
        path: path,
        cards: settings.pages.cardsWithSettings,
        keeping: previous.widgets
      )
      problems += reading.problems(withoutWidgets: strictWords).map { SafeText("\(path):\($0)") }
      setsTheme = file.outline[Self.themePath] != nil
      if let themes {
        let place = file.outline[Self.themePath].map { "\(path):\($0.value)" } ?? path
        findTheme(in: themes, at: place, keeping: previous.screen)
      }
    } catch {
      problems.append(SafeText("\(error.words); the file is ignored\(strictWords)"))
    }
  }

  /// Reads the theme that the settings name; while it cannot be used, the previous one applies.
  private mutating func findTheme(
    in themes: ThemeCatalog,
    at place: String,
    keeping previous: ScreenSettings
  ) {
    let name = settings.screen.theme
    namedTheme = name
    guard name != ScreenSettings.automaticTheme else {
      settings.screen.definition = nil
      return
    }
    switch themes.theme(name) {
    case .found(let theme):
      settings.screen.definition = theme
      return
    case .broken(let words): problems += words
    case .missing(let nearest):
      let words = nearest.map { "did you mean “\($0)”?" } ?? "“today themes” lists them"
      problems.append(SafeText("\(place): theme: no theme “\(name)”; \(words)"))
    }
    settings.screen.theme = previous.theme
    settings.screen.definition = previous.definition
  }
}
