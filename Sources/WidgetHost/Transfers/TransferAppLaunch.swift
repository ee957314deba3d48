import FoundationEssentials
import Glibc
import WidgetKitCore

/// The start of an app for events of its transfers: it takes them by exiting with 0 in time.
final class TransferAppLaunch {
  private let apps: AppConfinement
  private let afterPress: Bool
  private let clock: any HostClock
  private var child: ChildProcess?
  private var timer: (any HostTimer)?
  private var completion: ((String?) -> Void)?

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
    self.completion = completion
    guard let first = records.first else { return finish("there are none") }
    let app: AppBundle
    do throws(BundleError) {
      app = try AppBundle(path: first.appPath)
    } catch {
      return finish("the app cannot be used: \(error)")
    }
    guard app.bundleIdentifier == first.app else {
      return finish("\(first.appPath) is another app now")
    }
    guard afterPress || apps.isTrusted(app) else {
      return finish(
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
    let nowhere = unsafe open("/dev/null", O_RDWR | O_CLOEXEC)
    guard nowhere >= 0, let bytes = try? encoder.encode(request) else {
      return finish("the events cannot be written")
    }
    defer { close(nowhere) }
    let input = MemoryFile.open(bytes + [0x0A])
    guard input >= 0 else { return finish("the events cannot be written") }
    defer { close(input) }
    do throws(HostError) {
      let start = try apps.start(app, [Self.option, first.identifier])
      var launch = ChildProcess.Launch(detached: start.launch)
      defer { launch.closeInputs() }
      launch.streams = [input, nowhere, nowhere]
      child = try ChildProcess(launch) { [weak self] status in
        let status = start.isConfined ? status.ofMonitoredProgram : status
        self?.finish(status == .exited(0) ? nil : "the app ended with \(status)")
      }
    } catch {
      return finish("\(error)")
    }
    timer = clock.schedule(after: Self.patience) { [weak self] in
      self?.child?.signal(SIGKILL)
      self?.finish("the app did not end within \(Self.patience.components.seconds) s")
    }
  }

  private func finish(_ refusal: String?) {
    timer?.cancel()
    let completion = completion
    self.completion = nil
    completion?(refusal)
  }
}
