extension SafeText {
  /// The same text with blanks for line feeds.
  package var onOneLine: SafeText {
    SafeText(string.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: " "))
  }
}
