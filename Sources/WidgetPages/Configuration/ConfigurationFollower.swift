import WidgetExtensions
import WidgetKitCore
public import WidgetPlatform

/// Reads the user's configuration again whenever its file is saved.
///
/// It follows the folders of the file, of the theme that it names, and of every link that leads to them, also while a
/// file, or a folder above it, does not exist.
public final class ConfigurationFollower {
  /// Called with the new configuration when the file, or what is wrong with it, is different.
  public var onChange: (UserConfiguration) -> Void = { _ in }

  private let environment: [String: String]
  private let path: String
  private let themes: ThemeCatalog
  private let clock: any HostClock
  private var configuration: UserConfiguration
  /// Follows the paths of config.json and of the theme that it names.
  private lazy var follower = PathFollower(
    clock: clock,
    onChange: { [weak self] in self?.didChange($0) },
    onTrouble: { [weak self] in self?.hasTrouble($0) }
  )
  private var pause: (any HostTimer)?
  /// Why changes are not noticed at present.
  private var trouble: SafeText?

  /// From a change to reading the file, so that an editor that removes the file before it writes
  /// the new one is finished.
  private static let settlingTime: Duration = .milliseconds(100)

  /// Creates a follower that does nothing yet.
  ///
  /// - Parameters:
  ///   - configuration: What was read last.
  ///   - environment: The user's environment, which says where the file is.
  ///   - clock: What it waits with.
  public init(
    _ configuration: UserConfiguration,
    environment: [String: String],
    clock: any HostClock
  ) {
    self.configuration = configuration
    self.environment = environment
    self.clock = clock
    path = UserConfiguration.path(environment)
    themes = ThemeCatalog(environment: environment)
  }

  /// Follows the file from now on; what was changed since it was read last is read soon.
  public func start() {
    follow()
    readSoon()
  }

  /// Follows the folders through which the path leads now.
  private func follow() {
    // A theme that is wrong is followed too, and its name is not in force.
    let theme = configuration.namedTheme.flatMap { ThemeCatalog.isName($0) ? $0 : nil }
    follower.follow([path] + (theme.map { ["\(themes.folder)/\($0).json"] } ?? []))
  }

  /// Something has changed in the folders; no names mean everything.
  private func didChange(_ names: Set<String>) {
    guard names.isEmpty || !names.isDisjoint(with: follower.names) else { return }
    readSoon()
  }

  private func hasTrouble(_ error: HostError?) {
    trouble = error.map {
      SafeText("\(path): the file is not read again when it is saved: \($0)")
    }
    onChange(configuration.adding(trouble))
  }

  private func readSoon() {
    pause?.cancel()
    pause = clock.schedule(after: Self.settlingTime) { [weak self] in self?.read() }
  }

  /// Reads the file now, and with it the theme that was chosen in the program.
  public func readNow() {
    pause?.cancel()
    read()
  }

  private func read() {
    // Before the file is read, so that no change after that is missed.
    follow()
    let new = configuration.readAgain(environment)
    let isSame = new.isSame(as: configuration)
    configuration = new
    // At the start it is what was read before.
    guard !isSame else { return }
    follow()
    onChange(configuration.adding(trouble))
  }
}
