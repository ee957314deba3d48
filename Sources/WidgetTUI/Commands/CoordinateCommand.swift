import FoundationEssentials
import WidgetExtensions
import WidgetKitCore
import WidgetPlatform

/// `today coordinate`: runs a command while it has coordinated access to a file of an app group.
struct CoordinateCommand: Command {
  static let name = "coordinate"
  static let syntax = CommandSyntax<CoordinateCommand>(
    name,
    "run a command while no other program uses a shared file",
    expected: "read FILE -- COMMAND, or write FILE -- COMMAND",
    forms: [
      "read|write FILE [--timeout S] -- COMMAND [ARGUMENT...]"
    ],
    details: """
      Runs COMMAND while no other program writes FILE (read), or reads or writes it (write). FILE is in
      the folder of an app group; it need not exist. Widgets coordinate their access with
      coordinateBegin; programs that do neither are not kept out.
      """,
    operands: [
      .choice(\.intent),
      .one("FILE", .path, \.path),
      .rest("-- COMMAND [ARGUMENT...]", .text, \.command),
    ],
    options: [
      .value("--timeout S", .seconds, \.patience):
        "wait at most S seconds for others; 10 by default"
    ],
    notes: """
      COMMAND takes the place of this command: its exit status is that of COMMAND, and the access ends
      when it and all that it has started have ended, in whichever way. Do not use the command for the
      same file again in COMMAND: it would wait for itself.

      Exit status, if COMMAND was not run: 64 usage error, 66 no such program, or a file outside of the
      groups of the installed apps, 75 others use the file.
      """
  )

  var options = CommonOptions()
  private var intent = CoordinationIntent.read
  private var path = ""
  private var command: [String] = []
  private var patience: Duration = .seconds(10)

  mutating func validate() throws(CommandError) {
    guard !path.isEmpty, command.first?.isEmpty == false else { throw Self.misused }
  }

  func run() async throws(CommandError) -> ExitCode {
    let file = try file()
    let lock = try CommandError.from { () throws(HostError) in
      let lock = try CoordinationLock(file, for: intent)
      try lock.take(patience: patience)
      return lock
    }
    do throws(HostError) {
      try lock.become(command)
    } catch {
      throw .missing(error.description)
    }
    return .success
  }

  private func file() throws(CommandError) -> CoordinatedFile {
    let names = SharedDataNames(options)
    let folder = FileManager.default.currentDirectoryPath
    let absolute = path.hasPrefix("/") ? path : "\(folder)/\(path)"
    do throws(CoordinatedFile.Refusal) {
      return try CoordinatedFile(absolute, groups: names.groups, folders: names.folders)
    } catch {
      switch error {
      case .invalid(let words): throw .usage(words)
      case .outside(let words): throw .missing(words)
      }
    }
  }
}
