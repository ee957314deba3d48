import Glibc
import WidgetPlatform

/// The program `today`: reads its arguments and runs one command on the main thread.
@main
struct Today {
  static func main() {
    HostProcess.prepare()
    let arguments = Array(HostProcess.arguments().dropFirst())
    do throws(CommandError) {
      var command = try CommandParser.parse(arguments, environment: HostProcess.environment())
      if let folder = HostProcess.unreadableFolders().first {
        let error = CommandError.missing(
          "\(folder.name) is \(folder.value), which is not UTF-8; rename the folder, or set the variable to another one"
        )
        guard let reporter = command.reporting(error) else { throw error }
        command = reporter
      }
      Task {
        do throws(CommandError) {
          let code = try await command.run()
          if let failure = StandardStreams.failure { throw failure }
          exit(code.rawValue)
        } catch {
          StandardStreams.writeError(error)
          exit(error.exitCode.rawValue)
        }
      }
    } catch {
      StandardStreams.writeError(error)
      exit(error.exitCode.rawValue)
    }
    EventLoop.main.run()
  }
}
