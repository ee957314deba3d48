import WidgetKitCore
package import WidgetPlatform

/// A widget that runs on another machine, where `today serve` starts it and passes its messages on.
@MainActor package final class RemoteWidget: WidgetConnection {
  private let host: RemoteHost
  private let report: (WidgetReport) -> Void
  private var process: WidgetProcess?
  /// What is sent before there is a connection.
  private var waiting: [any ConnectionMessage] = []
  private var hasEnded = false

  /// What the shell of the other side exits with if there is no such program.
  private static let notFound: Int32 = 127

  package init(
    _ id: ExtensionIdentity,
    on host: RemoteHost,
    environment: [String: String],
    limits: HostLimits,
    report: @escaping (WidgetReport) -> Void
  ) {
    self.host = host
    self.report = report
    host.connect { [weak self] result in
      // The session learns of a failure when it knows its connection.
      MainQueue.perform { self?.didConnect(result, id, environment, limits) }
    }
  }

  private func didConnect(
    _ result: Result<RemoteCommand, RemoteFailure>,
    _ id: ExtensionIdentity,
    _ environment: [String: String],
    _ limits: HostLimits
  ) {
    guard !hasEnded else { return }
    switch result {
    case .failure(let failure): fail(.away(failure.description))
    case .success(let command):
      let words = "today serve -- \(ShellWord.quoted(id.description))"
      do throws(HostError) {
        let process = try WidgetProcess(
          LaunchDescription(
            program: command.program,
            arguments: command.arguments(words),
            environment: environment,
            folder: "/"
          ),
          limits: limits,
          groupsFolder: nil,
          report: { [weak self] in self?.take($0) }
        )
        self.process = process
        for message in waiting { process.send(message) }
        waiting = []
      } catch {
        fail(.violation(error.description))
      }
    }
  }

  private func take(_ message: WidgetReport) {
    guard case .ended(let status) = message else { return report(message) }
    process = nil
    switch status {
    case .exited(Self.notFound):
      let machine = host.destination.machine
      fail(.violation("today is not installed on \(machine), or not in its PATH"))
    case RemoteCommand.connectionFailure:
      fail(.away(RemoteFailure.lost(host.destination).description))
    default: end(status)
    }
  }

  private func fail(_ reason: WidgetReport) {
    guard !hasEnded else { return }
    report(reason)
    end(.unknown)
  }

  private func end(_ status: TerminationStatus) {
    guard !hasEnded else { return }
    hasEnded = true
    report(.ended(status))
  }

  package func send(_ message: any ConnectionMessage) {
    if let process { process.send(message) } else if !hasEnded { waiting.append(message) }
  }

  package func closeInput() {
    if let process { process.closeInput() } else { end(.exited(0)) }
  }

  package func signal(_ signal: ProcessSignal) {
    if let process { return process.signal(signal) }
    if signal != .resume { end(.exited(0)) }
  }

  // What it does there costs this machine nothing, and its messages wait in the connection.
  package func suspend() -> String? { process?.suspend() }

  package var processRun: ProcessRun? { process?.processRun }
  package var isHeldBack: Bool { process?.isHeldBack ?? false }
  package var cpu: Duration { process?.cpu ?? .zero }
}
