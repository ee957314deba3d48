import WidgetHost
import WidgetKitCore

/// Turns arguments into a command.
nonisolated enum CommandParser {
  /// Reads the arguments without the program's name.
  ///
  /// - Throws: ``CommandError`` with `usage` if they are not a command.
  @MainActor
  static func parse(
    _ arguments: [String],
    environment: [String: String]
  ) throws(CommandError) -> any Command {
    var options = CommonOptions(environment: environment)
    // Common options may also precede the name of the command.
    var leading = ArgumentReader(arguments, of: "today")
    var name: String?
    var rest: [String] = []
    while let argument = leading.next() {
      if try options.take(argument, from: &leading) { continue }
      if argument.hasPrefix("-") {
        rest.append(argument)
      } else {
        name = argument
        rest += leading.takeRest()
      }
    }
    // What follows “--” belongs to another program.
    let own = rest.prefix { $0 != "--" }
    if own.contains("--help") || own.contains("-h") { return HelpCommand(topic: name) }
    if name == nil, rest == ["--version"] { return VersionCommand() }
    var reader = ArgumentReader(rest, of: name ?? "today")
    switch name {
    case nil: return try DashboardCommand(&reader, options)
    case "snapshot"?: return try SnapshotCommand(&reader, options)
    case "refresh"?: return try RefreshCommand(&reader, options)
    case "schedule"?: return try ScheduleCommand(&reader, options)
    case "list"?: return try ListCommand(&reader, options)
    case "add"?, "remove"?, "move"?: return try PageCommand(name ?? "", &reader, options)
    case "rename"?: return try RenameCommand(&reader, options)
    case "run"?: return try RunCommand(&reader, options)
    case "import"?: return try ImportCommand(&reader, options)
    case "install"?, "uninstall"?: return try InstallCommand(name ?? "", &reader, options)
    case "reload"?: return try ReloadCommand(&reader, options)
    case "has-content"?: return try HasContentCommand(&reader, options)
    case "open"?: return try OpenCommand(&reader, options)
    case "serve"?: return try ServeCommand(&reader, options)
    case "test"?: return try TestCommand(&reader, options)
    case "new"?: return try NewCommand(&reader, options)
    case "dev"?: return try DevCommand(&reader, options)
    case "lint"?: return try LintCommand(&reader, options)
    case "log"?: return try LogCommand(&reader, options)
    case "defaults"?: return try DefaultsCommand(&reader, options)
    case "coordinate"?: return try CoordinateCommand(&reader, options)
    case "purge"?: return try PurgeCommand(&reader, options)
    case "notify"?: return try NotifyCommand(&reader, options)
    case "settings"?: return try SettingsCommand(&reader, options)
    case "permissions"?: return try PermissionsCommand(&reader, options)
    case "secrets"?: return try SecretsCommand(&reader, options)
    case "transfers"?: return try TransfersCommand(&reader, options)
    case LeavingHost.command?: return try ServeLeavingCommand(&reader, options)
    case TransferStarter.command?: return try KeepTransferCommand(&reader, options)
    case "doctor"?: return try DoctorCommand(&reader, options)
    case "trace"?: return try TraceCommand(&reader, options)
    case "replay"?: return try ReplayCommand(&reader, options)
    case "completion"?: return try CompletionCommand(&reader, options)
    case "themes"?: return try ThemesCommand(&reader, options)
    case "help"?: return HelpCommand(topic: reader.next())
    case let other?: throw unknown(other)
    }
  }

  /// The error for a command that there is not, with the one that was probably meant.
  static func unknown(_ name: String) -> CommandError {
    let near =
      options.first { $0 == "--" + name.lowercased() }
      ?? NearName.nearest(to: name, among: CommandTable.commands.map(\.name) + ["help"])
      ?? NearName.nearest(to: "--" + name, among: options)
    let advice = near.map { "did you mean “\($0)”? " } ?? ""
    return .usage("unknown command “\(name)”; \(advice)“today help” lists all commands")
  }

  /// The options that stand without a command.
  private static let options = (CommandTable.dashboard + CommandTable.common).map(\.name)
}
