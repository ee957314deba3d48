/// The languages for which there is a template of a widget.
public nonisolated enum WidgetLanguage: String, CaseIterable, Sendable {
  /// A package of its own that is built into a bundle.
  case swift
  /// A bundle with a program in Python.
  case python
  /// A bundle with a shell script that speaks the protocol.
  case sh
  /// A script whose output is the card.
  case script

  /// The file of functions that a bundle in this language has beside its program; nil if there is none.
  var kit: String? {
    switch self {
    case .python: "todaykit.py"
    case .sh: "todaykit.sh"
    case .swift, .script: nil
    }
  }
}
