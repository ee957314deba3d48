import WidgetCards
import WidgetExtensions
import WidgetKitCore
import WidgetPlatform
import WidgetSessions

/// A command of a card, or of a key, with what the user's answer about it is kept for.
struct RequestedCommand {
  /// The card that asks; nil for a command on a key.
  var card: CardID?
  /// By which the answers of the user are kept.
  var holder: String
  var name: SafeText
  /// The key of a command of the user that has no title; nil for any other one.
  var key: SafeText?
  /// Who asks, in the question.
  var asker: SafeText {
    if card != nil { return name }
    return key.map { "The key \($0)" } ?? "The key of “\(name)”"
  }
  var request: RunCommandRequest
  /// The path of its program; on another machine its name, if it is looked for there.
  var program: String
  /// Where it runs, if that is another machine.
  var place: Place?

  /// The path of the script.
  var script: String
  /// The script, if the command runs in its sandbox.
  var confined: WidgetBundle?
  /// Whether the script wants a sandbox, and there is none.
  var lacksSandbox = false
  /// What an answer for later is kept for, if not for these arguments.
  var pattern: String?

  /// What the answer of the user is kept for.
  var consent: CommandConsent {
    CommandConsent(
      program: program,
      words: request.words,
      place: confined == nil ? place?.machine.description : CommandConsent.sandbox
    )
  }

  /// The command as a shell would read it.
  var shown: ShownCommand {
    ShownCommand(CommandConsent.line(of: request.words) ?? CommandConsent.text(request.words))
  }

  /// What an answer for later is kept for with any arguments; nil if that is not offered.
  var withAnyArguments: String? {
    shown.isPlain && card != nil
      ? consent.offeredWithAnyArguments(to: place == nil ? script : nil) : nil
  }

  /// A place on another machine.
  struct Place {
    var machine: RemoteDestination
    /// The folder of the script; nil for that of a login, as the script is on this machine.
    var folder: String?

    /// The path of a program, as far as it can be told from here.
    func path(of program: String) -> String {
      guard let folder, program.contains("/"), !program.hasPrefix("/") else { return program }
      return "\(folder)/\(program.hasPrefix("./") ? program.dropFirst(2) : program[...])"
    }
  }
}
