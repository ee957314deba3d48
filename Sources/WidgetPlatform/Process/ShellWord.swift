/// Words of the command lines of `sh`.
package enum ShellWord {
  /// The word in apostrophes: the shell takes each of its characters as it is.
  package static func quoted(_ word: String) -> String {
    "'" + word.replacing("'", with: "'\\''") + "'"
  }

  /// The word as a person types it: in apostrophes only where the shell would take some of its characters for something
  /// else.
  package static func readable(_ word: String) -> String {
    let isPlain = word.unicodeScalars.allSatisfy { scalar in
      scalar.properties.isAlphabetic || ("0"..."9") ~= scalar || plain.contains(scalar)
    }
    return isPlain && !word.isEmpty ? word : quoted(word)
  }

  private static let plain = Set("@%+=:,./-_".unicodeScalars)
}
