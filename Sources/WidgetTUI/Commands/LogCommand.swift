import WidgetHost
import WidgetKitCore

/// `today log ID`: what a widget said, and what the host noted of it.
struct LogCommand: Command {
  var options: CommonOptions
  var identifier: String

  init(_ reader: inout ArgumentReader, _ options: CommonOptions) throws(CommandError) {
    self.options = options
    var identifiers: [String] = []
    while let argument = reader.next() {
      if try self.options.take(argument, from: &reader) { continue }
      guard !argument.hasPrefix("-") else { throw reader.unknown(argument) }
      identifiers.append(argument)
    }
    guard identifiers.count == 1, let identifier = identifiers.first else {
      throw .usage("expected one bundle identifier; see “today help log”")
    }
    self.identifier = identifier
  }

  func run() async throws(CommandError) -> ExitCode {
    let folders = StateFolders(environment: options.environment)
    guard let text = folders.readLog(of: CardID(identifier)) else {
      throw .missing("no log of “\(identifier)”; “today list” shows the widgets that there are")
    }
    for line in text.split(separator: "\n") {
      StandardStreams.writeLine(SafeText(String(line)).onOneLine)
    }
    return .success
  }
}
