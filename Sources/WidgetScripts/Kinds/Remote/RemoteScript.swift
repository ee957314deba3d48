import WidgetKitCore
import WidgetPlatform

/// A script that runs on another machine, where it is already, or to which it is sent for each run.
@MainActor struct RemoteScript {
  private let script: ScriptProgram
  private let host: RemoteHost

  /// What the shell exits with on the other side where the script cannot be put or run.
  private static let cannotRun: Int32 = 126
  private static let byteLimit = 1024 * 1024

  init(_ script: ScriptProgram, _ host: RemoteHost) {
    (self.script, self.host) = (script, host)
  }

  /// Passes how it is run there, and what is written to its standard input at first, when there is a connection.
  func prepare(
    _ launch: LaunchDescription,
    variables: [String: String],
    completion:
      @escaping (Result<(launch: LaunchDescription, input: [UInt8]), RemoteFailure>) -> Void
  ) {
    let script = script
    host.connect { result in
      completion(
        result.flatMap { command in
          var text: [UInt8] = []
          let place: RemoteCommand.Place
          if let path = script.pathThere {
            place = .there(path: path)
          } else if let found = UserFile.bytes(script.path, byteLimit: Self.byteLimit) {
            text = found
            place = .sent(byteCount: text.count)
          } else {
            return .failure(.unreadable(script.path, byteLimit: Self.byteLimit))
          }
          var launch = launch
          launch.program = command.program
          launch.arguments = command.script(
            place,
            variables: variables,
            readsInput: script.readsClicks
          )
          return .success((launch, text))
        }
      )
    }
  }

  /// Why a run failed, if the reason is the connection or the other machine.
  func failure(_ outcome: ChildRun.End) -> String? {
    switch outcome.status {
    case RemoteCommand.connectionFailure: return RemoteFailure.lost(host.destination).description
    case .exited(Self.cannotRun): return "it cannot be run on \(host.destination.machine)"
    default: return nil
    }
  }
}

extension HostError {
  /// A script that is to run both on another machine and in the sandbox of this one.
  static var sandboxElsewhere: HostError {
    HostError(
      code: .withheld,
      description:
        "Not started: “host” and “sandbox” together; there is no sandbox on the other machine"
    )
  }
}
