/// All commands, in the order of `today help`.
///
/// The parser, the help, completions, the manual page and Docs/Configuration.md are made from it.
enum CommandTable {
  /// The commands with a name, with those that only other programs use.
  static let types: [any Command.Type] = [
    SnapshotCommand.self, RefreshCommand.self, ScheduleCommand.self, ListCommand.self,
    AddCommand.self, SubscribeCommand.self, RunCommand.self, ImportCommand.self, RemoveCommand.self,
    MoveCommand.self,
    RenameCommand.self, ReloadCommand.self, HasContentCommand.self, OpenCommand.self,
    InstallCommand.self, UninstallCommand.self, GalleryCommand.self, PageCommand.self,
    HostsCommand.self, ServeCommand.self, PublishCommand.self,
    PostCommand.self, NoticesCommand.self, QuietCommand.self, HookCommand.self, LineCommand.self,
    ShareCommand.self, ActCommand.self, ExtensionsCommand.self, NewCommand.self,
    DevCommand.self, LintCommand.self, TestCommand.self, TraceCommand.self, ReplayCommand.self,
    LogCommand.self, SettingsCommand.self, DefaultsCommand.self, CoordinateCommand.self,
    NotifyCommand.self, PermissionsCommand.self, SecretsCommand.self, TransfersCommand.self,
    PurgeCommand.self, DoctorCommand.self, ThemesCommand.self, CompletionCommand.self,
    HelpCommand.self, ServeLeavingCommand.self, ServePublicCommand.self, KeepTransferCommand.self,
    KeepNoticesCommand.self,
    CommandEndCommand.self, TellNoticesCommand.self,
  ]

  /// The commands that a person types.
  static let commands = types.map { $0.summary }.filter { !$0.isHidden }

  /// The options that all commands have.
  static let common =
    CommonOptions.all.list.map(\.summary)
    + [OptionSummary(name: "--help", words: "print the usage of the command")]
}
