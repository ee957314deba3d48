public import WidgetExtensions
import WidgetPlatform

/// A command of the user on a key, and what the user has answered about it.
public struct OwnCommandAnswer: Sendable {
  /// The name of the key in config.json; nil for a command that is on none any more.
  public var key: String?
  /// The command, as `today permissions` names it.
  public var command: String
  /// Whether it is permitted; nil if the user was not asked.
  public var isGranted: Bool?

  /// The commands on keys, and those that were, of which an answer is kept.
  ///
  /// - Parameters:
  ///   - keys: What the keys are bound to.
  ///   - book: The permissions of the user.
  ///   - environment: Where programs are looked for.
  /// - Returns: Those on keys in the order of the keys, then the others.
  public static func all(
    _ keys: [String: KeyBinding],
    _ book: PermissionBook,
    environment: [String: String]
  ) -> [OwnCommandAnswer] {
    var answers = book.commands(of: OwnCommand.holder)
    var all: [OwnCommandAnswer] = []
    for (key, binding) in keys.sorted(by: { $0.key < $1.key }) {
      guard case .run(let own) = binding, let first = own.words.first else { continue }
      let program =
        first.contains("/") ? first : ToolSearch.path(of: first, in: environment) ?? first
      let command =
        own.consent(program)
        ?? (own.needsRow
          ? CommandConsent.text([program]) + " " + own.words.dropFirst().joined(separator: " ")
          : CommandConsent(program: program, words: own.words).exact)
      all.append(
        OwnCommandAnswer(
          key: key,
          command: command,
          isGranted: answers.removeValue(forKey: command)
        )
      )
    }
    return all
      + answers.sorted { $0.key < $1.key }.map {
        OwnCommandAnswer(key: nil, command: $0.key, isGranted: $0.value)
      }
  }
}
