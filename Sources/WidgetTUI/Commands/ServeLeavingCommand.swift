import WidgetSessions

/// The hidden command that serves widgets after the dashboard has ended.
struct ServeLeavingCommand: Command {
  static let name = LeavingHost.command
  static let syntax = CommandSyntax<ServeLeavingCommand>(
    name,
    "serve widgets after the dashboard has ended",
    expected: "one descriptor; the program starts this command itself",
    operands: [.one("DESCRIPTOR", .number(0...Int(Int32.max)), \.file)],
    isHidden: true
  )

  var options = CommonOptions()
  private var file = 0

  func run() async throws(CommandError) -> ExitCode {
    guard let host = LeavingHost(order: Int32(file), environment: options.environment) else {
      return .failure
    }
    await withCheckedContinuation { continuation in host.run { continuation.resume() } }
    withExtendedLifetime(host) {}
    return .success
  }
}
