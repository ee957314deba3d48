import WidgetExtensions
import WidgetKitCore
import WidgetPages
import WidgetPlatform

/// What `today permissions` lists and changes of the commands on keys.
struct KeyPermissions {
  var book: PermissionBook
  var keys: [String: KeyBinding]
  var options: CommonOptions

  private var answers: [OwnCommandAnswer] {
    OwnCommandAnswer.all(keys, book, environment: options.environment)
  }

  /// The commands with their states.
  var rows: [PermissionsCommand.Row] {
    answers.map { answer in
      let state: Permission.State =
        switch answer.isGranted {
        case true?: .granted
        case false?: .refused
        case nil: .open
        }
      let place = answer.key.map { "the key \($0)" } ?? "a key, which config.json has no more"
      return PermissionsCommand.Row(
        bundleIdentifier: OwnCommand.holder,
        origin: "config.json",
        entitlement: PermissionsCommand.Change.running + answer.command,
        values: answer.key.map { [$0] } ?? [],
        words: SafeText("run this command on \(place)"),
        state: state.rawValue,
        sandbox: "none"
      )
    }
  }

  /// Permits or refuses a command, or `all` that are on keys.
  func make(_ change: PermissionsCommand.Change) throws(CommandError) {
    let commands: [String]
    if let command = change.command {
      if change.isGranted, let fault = PermissionBook.fault(ofCommand: command) {
        throw .usage("“\(SafeText(command))”: \(SafeText(fault))")
      }
      commands = [command]
    } else if change.name == "all" {
      commands = answers.filter { $0.key != nil }.map(\.command)
    } else {
      throw .usage(
        "“\(SafeText(change.name))”: keys have commands only; expected command:COMMAND or all"
      )
    }
    for command in commands {
      try CommandError.from { () throws(HostError) in
        try book.set(change.isGranted, command: command, of: OwnCommand.holder)
      }
    }
  }
}
