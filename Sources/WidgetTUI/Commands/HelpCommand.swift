import WidgetKitCore

/// `today help [COMMAND]`: the usage of the program or of one command.
struct HelpCommand: Command {
  static let name = "help"
  static let syntax = CommandSyntax<HelpCommand>(
    name,
    "print the usage of a command",
    forms: [
      "[COMMAND]"
    ],
    details: """
      Prints the usage of the program, or of one command. “today COMMAND --help” does the same, and
      “today --version” prints the version.
      """,
    operands: [.optional("COMMAND", .text(.commands), \.topic)],
    isWord: { _, _ in true }
  )

  var options = CommonOptions()
  private var topic: String?

  init() {}

  /// The usage of a command; of the program without one.
  init(topic: String?) { self.topic = topic }

  func run() async throws(CommandError) -> ExitCode {
    guard let topic else {
      StandardStreams.writeParagraph(SafeText(Self.overview))
      return .success
    }
    guard let command = CommandTable.commands.first(where: { $0.name == topic }) else {
      throw CommandParser.unknown(topic)
    }
    StandardStreams.writeParagraph(SafeText(command.help))
    return .success
  }

  private static var overview: String {
    let dashboard = DashboardCommand.summary
    let commands = CommandTable.commands.map { ("today \($0.shortUsage)", $0.summary) }
    return """
      today: a Notification Center for the terminal.

      \(TextBlock.list([("today [--locked]", dashboard.summary)] + commands, width: 28))

      All commands:
      \(TextBlock.list(CommandTable.common.map { ($0.heading, $0.words) }, width: 28))

      ID is a bundle identifier, or a name that only one widget has: “today remove Clock”. With
      :NAME it is an instance that was added with --as: “today remove Clock:travel”.

      Exit status: 0 success, 1 failure, 64 usage error, 66 no such widget or file,
      69 a required service is missing, 75 try again later.
      """
  }
}
