package import FoundationEssentials
import Glibc
package import WidgetKitCore
package import WidgetPlatform

/// Asks machines whether they can be reached, how fast, and which version of the program they have.
@MainActor package final class MachineSurvey {
  /// What a machine has answered.
  package struct Answer: Hashable, Sendable {
    /// The time from a question to its answer.
    package var latency: Duration
    /// The version of the program; nil if it is not installed.
    package var version: String?
  }

  private let environment: [String: String]
  private let clock: any HostClock
  private var answers: [RemoteDestination: Result<Answer, RemoteFailure>] = [:]
  private var runs: [RemoteDestination: ChildRun] = [:]

  private static let byteLimit = 64 * 1024
  private static let patience = Duration.seconds(10)

  package init(environment: [String: String], clock: any HostClock = SystemClock()) {
    (self.environment, self.clock) = (environment, clock)
  }

  /// Asks machines at the same time, and ends their connections.
  package func ask(
    _ machines: [RemoteDestination]
  ) async -> [RemoteDestination: Result<Answer, RemoteFailure>] {
    await withCheckedContinuation { continuation in
      var left = machines.count
      guard left > 0 else { return continuation.resume() }
      for machine in machines {
        ask(machine) {
          left -= 1
          if left == 0 { continuation.resume() }
        }
      }
    }
    RemoteHosts.shared.close()
    return answers
  }

  private func ask(_ machine: RemoteDestination, completion: @escaping () -> Void) {
    RemoteHosts.shared.host(machine, environment: environment).connect { [self] result in
      switch result {
      case .failure(let failure):
        answers[machine] = .failure(failure)
        completion()
      case .success(let command): ask(machine, over: command, completion: completion)
      }
    }
  }

  private func ask(
    _ machine: RemoteDestination,
    over command: RemoteCommand,
    completion: @escaping () -> Void
  ) {
    let start = clock.now
    do throws(HostError) {
      runs[machine] = try ChildRun(
        LaunchDescription(
          program: command.program,
          arguments: command.arguments("today --version"),
          environment: environment,
          folder: "/"
        ),
        ChildRun.Terms(
          output: .kept(byteLimit: Self.byteLimit),
          time: Self.patience,
          teardown: [.terminate]
        ),
        clock: clock
      ) { [self] end in
        answers[machine] = answer(end, after: start.duration(to: clock.now), machine)
        completion()
      }
    } catch {
      answers[machine] = .failure(RemoteFailure(description: error.description))
      completion()
    }
  }

  private func answer(
    _ end: ChildRun.End,
    after latency: Duration,
    _ machine: RemoteDestination
  ) -> Result<Answer, RemoteFailure> {
    if end.status == RemoteCommand.connectionFailure { return .failure(.lost(machine)) }
    if let failure = end.failure {
      return .failure(RemoteFailure(description: "today --version \(failure.words)"))
    }
    // A login shell may print something before.
    let words = String(decoding: end.output, as: UTF8.self).split(separator: "\n").last
    let version = words.flatMap { line -> String? in
      line.hasPrefix("today ") ? SafeText(String(line.dropFirst(6).prefix(40))).string : nil
    }
    return .success(Answer(latency: latency, version: version))
  }
}

/// When machines were last reached, by the clock of this one.
package enum LastContacts {
  private static func name(_ machine: RemoteDestination) -> String {
    String(StableHash.value(of: machine.description), radix: 36)
  }

  /// A machine was reached now.
  ///
  /// This function writes to the disk: call it off the main actor.
  static func note(_ machine: RemoteDestination, in folders: StateFolders) {
    guard let folder = try? OwnFolder.open(folders.lastContacts, makes: true) else { return }
    _ = try? folder.replace(
      name(machine),
      with: Array("\(machine)\n".utf8),
      waitsForDisk: false
    )
  }

  /// When a machine was last reached; nil if it never was.
  package static func date(of machine: RemoteDestination, in folders: StateFolders) -> Date? {
    guard let folder = try? OwnFolder.open(folders.lastContacts),
      let status = folder.status(name(machine))
    else { return nil }
    return Date(timeIntervalSince1970: Double(status.st_mtim.tv_sec))
  }
}
