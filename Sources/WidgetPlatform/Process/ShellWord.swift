/// Words of the command lines of `sh`.
package enum ShellWord {
  /// The word in apostrophes: the shell takes each of its characters as it is.
  package static func quoted(_ word: String) -> String {
    "'" + word.replacing("'", with: "'\\''") + "'"
  }
}
