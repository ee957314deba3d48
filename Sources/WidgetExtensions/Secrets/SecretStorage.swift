import Synchronization
public import WidgetPlatform

/// Where the secrets of widgets are kept: the setting `secrets`.
public enum SecretPlace: String, CaseIterable, Sendable {
  /// In the Secret Service if one answers, else in files.
  case automatic = "auto"
  /// In the Secret Service, or nowhere.
  case service
  /// In files.
  case file
}

/// Where the secrets of one host are kept: in the Secret Service of the user's session, or in files.
///
/// Which of the two is found out when it is first needed, and applies until the host ends.
public final class SecretStorage: Sendable {
  /// Where secrets are kept.
  public enum Keeping: Hashable, Sendable {
    /// In the Secret Service.
    case service
    /// In files of a folder; with the reason why not in the service, unless the user wants it so.
    case files(folder: String, reason: String?)
    /// Nowhere, for this reason.
    case unavailable(String)
  }

  private let folders: StateFolders
  private let place: SecretPlace
  private let service: SecretService?
  private let found: Mutex<Keeping?>
  /// Held while the service is tried, so that this is done once.
  private let trial = Mutex(())

  /// Creates a storage; nothing is tried yet.
  ///
  /// - Parameters:
  ///   - place: What the user has set.
  ///   - environment: The user's environment, with the session bus.
  ///   - executable: The path of the program `today`.
  public convenience init(
    _ place: SecretPlace,
    environment: [String: String],
    executable: String
  ) {
    let program = HelperProgram.secretAgent.path(beside: executable)
    self.init(
      place,
      StateFolders(environment: environment),
      place == .file ? nil : SecretService(environment: environment, program: program),
      obstacle: program == nil ? "secret-agent, which comes with today, is not installed" : nil
    )
  }

  /// Creates a storage in files.
  public convenience init(files folders: StateFolders) {
    self.init(.file, folders, nil)
  }

  /// Creates a storage with a service, or with the reason why there is none.
  init(
    _ place: SecretPlace,
    _ folders: StateFolders,
    _ service: SecretService?,
    obstacle: String? = nil
  ) {
    (self.place, self.folders, self.service) = (place, folders, service)
    let reason = obstacle ?? "there is no session bus"
    found = Mutex(service == nil ? Self.keeping(place, folders, reason) : nil)
  }

  private static func keeping(
    _ place: SecretPlace,
    _ folders: StateFolders,
    _ obstacle: String?
  ) -> Keeping {
    switch (place, obstacle) {
    case (.file, _): .files(folder: folders.secrets, reason: nil)
    case (_, nil): .service
    case (.automatic, let obstacle?): .files(folder: folders.secrets, reason: obstacle)
    case (.service, let obstacle?): .unavailable(obstacle)
    }
  }

  /// Finds out where secrets are kept; the first call may take some seconds.
  public func keeping() -> Keeping {
    if let known = found.withLock({ $0 }) { return known }
    return trial.withLock { _ in
      if let known = found.withLock({ $0 }) { return known }
      let keeping = Self.keeping(place, folders, service?.obstacle())
      found.withLock { $0 = keeping }
      return keeping
    }
  }

  /// Whether no other process is asked, so that requests can be performed on the main thread.
  private var isImmediate: Bool {
    switch found.withLock({ $0 }) {
    case .files, .unavailable: true
    case .service, nil: false
    }
  }

  /// The secrets of an access group; the first call may take some seconds.
  package func group(_ name: String) throws(SecretFile.Refusal) -> SecretGroup {
    let file = SecretFile(of: name, in: folders)
    switch keeping() {
    case .service: return SecretGroup(name, file, service)
    case .files: return SecretGroup(name, file, nil)
    case .unavailable(let reason):
      throw .unusable(
        "no Secret Service answers (\(reason)), and the setting “secrets” is “service”"
      )
    }
  }

  /// Performs what needs secrets, in the order of the calls: at once if they are in files, and otherwise on
  /// another thread, because the service may ask the user or not answer.
  @MainActor
  package func perform<Value: Sendable>(
    _ work: @escaping @Sendable () -> Value,
    then completion: @escaping @MainActor (Value) -> Void
  ) {
    guard !isImmediate else { return completion(work()) }
    Worker.secrets.async {
      let value = work()
      MainQueue.perform { completion(value) }
    }
  }
}
