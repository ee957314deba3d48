import WidgetKitCore

/// Something that can be done with what was found in a text: a command that has the terminal while it runs.
nonisolated struct LookUpAction: Hashable, Sendable, Encodable {
  /// What it does, such as “edit”.
  var title: String
  /// The program and its arguments.
  var command: [String]

  init(_ title: String, _ command: [String]) { (self.title, self.command) = (title, command) }
}

/// What was found in a text, with what can be done with it.
nonisolated struct LookUpResult: Hashable, Sendable, Encodable {
  /// What it is, in a word, such as “link”.
  var kind: String
  /// How it stands in the text.
  var text: String
  /// What can be done, first what is done most.
  var actions: [LookUpAction]
}
