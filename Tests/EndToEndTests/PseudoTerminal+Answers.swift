import WidgetTestSupport

extension PseudoTerminal {
  /// Answers a question that is on the screen, as a person does who has read it: it takes no answer before.
  func answer(_ key: String) throws {
    try readQuestion()
    try type(key)
  }
}
