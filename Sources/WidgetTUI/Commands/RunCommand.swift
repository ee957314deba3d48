import WidgetHost
import WidgetKitCore

/// `today run`: makes a command line a card.
struct RunCommand: Command {
  private let options: CommonOptions
  private let command: String
  private var values: [(name: String, value: String)] = []

  /// The options that are written into the line of the script, with its names.
  private static let names = [
    "--every": "interval", "--title": "title", "--format": "format", "--lines": "lines",
    "--timeout": "timeout", "--span": "span", "--alert": "alert", "--thresholds": "thresholds",
  ]

  init(_ reader: inout ArgumentReader, _ options: CommonOptions) throws(CommandError) {
    var options = options
    var words: [String] = []
    var checked = ScriptOptions()
    while let argument = reader.next() {
      if try options.take(argument, from: &reader) { continue }
      if argument == "--follow" || argument == "--history" {
        values.append((String(argument.dropFirst(2)), "true"))
      } else if let name = Self.names[argument] {
        let value = try reader.value(of: argument)
        if let expected = checked.set(name, value) {
          throw .usage("\(argument) \(SafeText(value)): expected \(expected)")
        }
        values.append((name, value))
      } else if argument.hasPrefix("-") {
        throw reader.unknown(argument)
      } else {
        words.append(argument)
      }
    }
    guard words.count == 1, !words[0].allSatisfy(\.isWhitespace) else {
      throw .usage("expected one command in quotes, such as today run 'df -h /' --every 1m")
    }
    command = words[0]
    self.options = options
  }

  func run() async throws(CommandError) -> ExitCode {
    guard options.widgetFolders.isEmpty else {
      throw .usage("a command cannot be added to the page of --widgets")
    }
    guard let folder = WrittenScript.folder(options.environment) else {
      throw .unavailable("there is no home folder (HOME)")
    }
    var values = values
    let title = values.first { $0.name == "title" }?.value ?? command
    if !values.contains(where: { $0.name == "title" }) { values.insert(("title", command), at: 0) }
    let script = WrittenScript(name: title, options: values, body: command).unused(in: folder)
    try CommandError.from { () throws(HostError) in try script.write(to: folder) }
    StandardStreams.writeLine(SafeText(script.identifier))
    return .success
  }
}
