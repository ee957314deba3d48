/// Which text the extension is asked about: at most one at a time, and then the newest.
nonisolated struct TextValidation {
  /// The present text.
  var text = ""
  private var isAsking = false
  /// The text has changed since the extension was asked.
  private var isOutdated = false
  /// The extension has said by itself whether the content is valid, since it was asked.
  private var isOverruled = false

  /// The text has changed, or is to be looked at again.
  ///
  /// - Returns: The text to ask about now; nil if a question is open.
  mutating func change(to text: String) -> String? {
    self.text = text
    guard !isAsking else {
      isOutdated = true
      return nil
    }
    (isAsking, isOverruled) = (true, false)
    return text
  }

  /// The extension has said by itself whether the content is valid: that is newer than what it was asked before.
  mutating func forgetAnswer() { isOverruled = isAsking }

  /// The question was answered.
  ///
  /// - Returns: Whether the answer counts, and the text to ask about next; nil if it is the newest.
  mutating func answered() -> (counts: Bool, next: String?) {
    let counts = !isOverruled
    (isAsking, isOverruled) = (isOutdated, false)
    guard isOutdated else { return (counts, nil) }
    isOutdated = false
    return (counts, text)
  }
}
