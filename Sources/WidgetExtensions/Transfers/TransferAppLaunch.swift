import FoundationEssentials
import Glibc
import WidgetKitCore
import WidgetPlatform

/// The start of an app for events of its transfers: it takes them by exiting with 0 in time.
@MainActor struct TransferAppLaunch {
  private let apps: AppConfinement
  private let afterPress: Bool
  private let clock: any HostClock

  /// How long an app has to take the events.
  static let patience: Duration = .seconds(30)
  /// The option of the app, before the identifier of the session.
  static let option = "--handle-events-for-background-url-session"

  /// Creates it.
  ///
  /// - Parameters:
  ///   - apps: Decides whether the app runs in the sandbox.
  ///   - afterPress: Whether one may be started although the user does not trust it.
  ///   - clock: The clock of its time.
  init(_ apps: AppConfinement, afterPress: Bool, clock: any HostClock) {
    (self.apps, self.afterPress) = (apps, afterPress)
    self.clock = clock
  }

  /// Starts the app of transfers of one session.
  ///
  /// - Parameters:
  ///   - records: The transfers, which have ended.
  ///   - completion: Called once, with nil if the app has taken the events, else with the reason.
  func start(
    _ records: [TransferRecord],
    completion: @escaping (String?) -> Void
  ) {
    guard let first = records.first else { return completion("there are none") }
    let app: AppBundle
    do throws(BundleError) {
      app = try AppBundle(path: first.appPath)
    } catch {
      return completion("the app cannot be used: \(error)")
    }
    guard app.bundleIdentifier == first.app else {
      return completion("\(first.appPath) is another app now")
    }
    guard afterPress || apps.isTrusted(app) else {
      return completion(
        "the app is started only when something is pressed that opens it; "
          + "today permissions \(app.bundleIdentifier) --grant trust lets it do what you can"
      )
    }
    let request = HandleEventsForBackgroundURLSessionRequest(
      identifier: first.identifier,
      events: records.compactMap(\.event)
    )
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    guard let bytes = try? encoder.encode(request) else {
      return completion("the events cannot be written")
    }
    do throws(HostError) {
      let launch = try apps.start(app, [Self.option, first.identifier])
      let terms = ChildRun.Terms(
        isolation: .detached,
        input: .bytes(bytes + [0x0A]),
        time: Self.patience
      )
      try ChildRun(launch, terms, clock: clock) { end in
        if let failure = end.failure { return completion("the app \(failure.words)") }
        completion(end.status == .exited(0) ? nil : "the app ended with \(end.status)")
      }
    } catch {
      completion(error.description)
    }
  }
}
