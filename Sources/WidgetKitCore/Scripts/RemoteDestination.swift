/// Another machine on which a script or a widget runs, as `ssh` has it: `server`, `user@server`, or a name of
/// the user's own configuration of ssh.
package struct RemoteDestination: Hashable, Sendable, CustomStringConvertible {
  /// The text, as the user has written it.
  package let description: String

  /// The name of the machine alone, for headings.
  package var machine: String {
    String(
      description[
        (description.lastIndex(of: "@").map { description.index(after: $0) }
          ?? description.startIndex)...
      ]
    )
  }

  /// A destination that no machine has (RFC 6761, section 6.4), in place of one that cannot be used: so what was to
  /// run elsewhere does not run here.
  package static let unusable = RemoteDestination(
    unchecked: "the-host-in-its-settings-is-wrong.invalid"
  )

  private init(unchecked text: String) {
    description = text
  }

  /// The most bytes of a destination.
  private static let byteLimit = 255

  /// Creates a destination; nil for a text that `ssh` could take for an option, or a shell for more than a word.
  package init?(_ text: String) {
    let parts = text.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
    guard text.utf8.count <= Self.byteLimit, let machine = parts.last,
      parts.allSatisfy({ !$0.isEmpty && !$0.hasPrefix("-") && $0.allSatisfy(Self.isPlain) }),
      machine.contains(where: { $0.isLetter || $0.isNumber })
    else { return nil }
    description = text
  }

  private static func isPlain(_ character: Character) -> Bool {
    character.isASCII && (character.isLetter || character.isNumber || "._-:".contains(character))
  }
}
