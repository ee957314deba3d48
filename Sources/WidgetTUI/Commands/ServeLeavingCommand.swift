import WidgetHost

/// The hidden command that serves widgets after the dashboard has ended.
struct ServeLeavingCommand: Command {
  private let file: Int32
  private let options: CommonOptions

  init(_ reader: inout ArgumentReader, _ options: CommonOptions) throws(CommandError) {
    self.options = options
    guard let word = reader.next(), let file = Int32(word), reader.next() == nil else {
      throw .usage("expected one descriptor; the program starts this command itself")
    }
    self.file = file
  }

  func run() async throws(CommandError) -> ExitCode {
    guard let host = LeavingHost(order: file, environment: options.environment) else {
      return .failure
    }
    await withCheckedContinuation { continuation in host.run { continuation.resume() } }
    withExtendedLifetime(host) {}
    return .success
  }
}
