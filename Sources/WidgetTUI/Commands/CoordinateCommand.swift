import FoundationEssentials
import WidgetHost
import WidgetKitCore

/// `today coordinate`: runs a command while it has coordinated access to a file of an app group.
struct CoordinateCommand: Command {
  private let options: CommonOptions
  private let intent: CoordinationIntent
  private let path: String
  private let command: [String]
  private let patience: Duration

  init(_ reader: inout ArgumentReader, _ options: CommonOptions) throws(CommandError) {
    var options = options
    var words: [String] = []
    var command: [String] = []
    var patience: Duration = .seconds(10)
    while let argument = reader.next() {
      if try options.take(argument, from: &reader) { continue }
      switch argument {
      case "--": command = reader.takeRest()
      case "--timeout": patience = try reader.seconds(of: argument)
      case _ where argument.hasPrefix("-"): throw reader.unknown(argument)
      default: words.append(argument)
      }
    }
    guard words.count == 2, let intent = CoordinationIntent(rawValue: words[0]), !words[1].isEmpty,
      command.first?.isEmpty == false
    else {
      throw .usage(
        "expected read FILE -- COMMAND, or write FILE -- COMMAND; see “today help coordinate”"
      )
    }
    self.options = options
    self.intent = intent
    self.command = command
    self.patience = patience
    path = words[1]
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
