/// What is wrong in an entry or an index, in words that follow the name of its file.
package nonisolated struct EntryFault: Error, CustomStringConvertible {
  /// The words.
  package let description: String

  init(_ words: String) { description = words }
}
