import WidgetKitCore
import WidgetPlatform

/// A folder of scripts on another machine, which is listed there from time to time.
///
/// The list is kept in a folder of the program, so that the scripts are known while the machine is away, and at the
/// next start.
@MainActor final class RemoteFolder {
  /// The folder here with the list.
  let list: String
  private let folder: String
  private let host: RemoteHost
  private let environment: [String: String]
  private let clock: any HostClock
  /// Called with the list when it differs from the one before.
  private let onChange: () -> Void
  /// Called with what is wrong with the list, and with nil when nothing is.
  private let onTrouble: (SafeText?) -> Void
  /// Called when a list was kept, or could not be made.
  var onRest: (() -> Void)?
  private var run: ChildRun?
  private(set) var isAtWork = false
  private var hasEnded = false
  private var isWantedAgain = false
  private var timer: (any HostTimer)?
  /// The pauses until the next list, of which one is in use: after a list, and after a failure.
  private var pause = RemoteFolder.firstPause
  private var failurePause = RemoteFolder.firstFailurePause

  private static let firstPause = Duration.seconds(60)
  private static let longestPause = Duration.seconds(3_600)
  private static let firstFailurePause = Duration.seconds(15)
  private static let longestFailurePause = Duration.seconds(600)
  /// The time for a list to be made.
  private static let patience = Duration.seconds(20)

  init(
    _ folder: String,
    list: String,
    on host: RemoteHost,
    environment: [String: String],
    clock: any HostClock,
    onChange: @escaping () -> Void,
    onTrouble: @escaping (SafeText?) -> Void
  ) {
    (self.folder, self.list, self.host) = (folder, list, host)
    (self.environment, self.clock) = (environment, clock)
    (self.onChange, self.onTrouble) = (onChange, onTrouble)
  }

  /// Lists the folder now, in the background, and from then on with growing pauses.
  ///
  /// - Parameter isWanted: Whether the user wants it now, even if the machine was away a moment ago.
  func read(isWanted: Bool = false) {
    if isWanted { host.endPause() }
    guard !isAtWork else {
      isWantedAgain = true
      return
    }
    timer?.cancel()
    pause = Self.firstPause
    start()
  }

  /// Lists it no more; a list that is being made is finished.
  func end() {
    hasEnded = true
    isWantedAgain = false
    timer?.cancel()
  }

  private func start() {
    guard !hasEnded else { return }
    isAtWork = true
    host.connect { [weak self] result in
      switch result {
      case .failure(let failure): self?.fail(failure.description, isAway: true)
      case .success(let command): self?.start(command)
      }
    }
  }

  private func start(_ command: RemoteCommand) {
    do throws(HostError) {
      run = try ChildRun(
        LaunchDescription(
          program: command.program,
          arguments: command.listing(of: folder),
          environment: environment,
          folder: "/"
        ),
        ChildRun.Terms(
          output: .kept(byteLimit: FolderListing.byteLimit),
          errors: .lines { _ in },
          time: Self.patience,
          teardown: [.terminate]
        )
      ) { [weak self] in self?.didEnd($0) }
    } catch {
      fail(error.description)
    }
  }

  private func didEnd(_ outcome: ChildRun.End) {
    run = nil
    if let failure = outcome.failure { return fail("listing it \(failure.words)") }
    switch outcome.status {
    case .exited(0): break
    case .exited(FolderListing.missingFolder): return fail("there is no such folder")
    case RemoteCommand.connectionFailure:
      return fail(RemoteFailure.lost(host.destination).description, isAway: true)
    default:
      return fail("\(outcome.status)" + (outcome.lines.last.map { ": \($0.string)" } ?? ""))
    }
    guard let listing = FolderListing(outcome.output) else {
      return fail("its list cannot be read")
    }
    keep(listing)
  }

  private func keep(_ listing: FolderListing) {
    let list = list
    Worker.background.async { [weak self] in
      let result = Result { () throws(HostError) in try listing.keep(in: list) }
      MainQueue.perform { self?.didKeep(result, omitted: listing.omitted) }
    }
  }

  private func didKeep(_ result: Result<Bool, HostError>, omitted: Int) {
    switch result {
    case .failure(let error): fail(error.description)
    case .success(let isOther):
      let words =
        "scripts left out for their names or their number: \(omitted)"
      onTrouble(omitted == 0 ? nil : self.words(words))
      failurePause = Self.firstFailurePause
      if isOther {
        pause = Self.firstPause
        onChange()
      }
      let present = pause
      pause = min(pause * 2, Self.longestPause)
      rest(present)
    }
  }

  /// What was listed before stays.
  private func fail(_ reason: String, isAway: Bool = false) {
    // Cards of the folder say themselves that their machine is away.
    let isKnown = isAway && (try? OwnFolder.open(list))?.names(limit: 1).isEmpty == false
    onTrouble(isKnown ? nil : words(reason))
    let present = failurePause
    failurePause = min(failurePause * 2, Self.longestFailurePause)
    rest(present)
  }

  private func words(_ reason: String) -> SafeText {
    SafeText("\(host.destination):\(folder): \(reason)")
  }

  private func rest(_ pause: Duration) {
    isAtWork = false
    if isWantedAgain {
      isWantedAgain = false
      return read()
    }
    timer =
      hasEnded
      ? nil
      : clock.schedule(after: pause) { [weak self] in
        guard let self, !isAtWork else { return }
        start()
      }
    onRest?()
  }
}
