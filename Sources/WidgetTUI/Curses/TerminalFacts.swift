import Notices
import WidgetKitCore

/// What a terminal said and did when it was asked.
nonisolated struct TerminalFacts: Sendable {
  /// A row of the test of characters.
  struct Sample: Sendable {
    var name: String
    var text: SafeText
    /// The cells that it takes up, as the page counts them.
    var columns: Int { TextLine(text).width }
  }

  /// Characters that the page and widgets use.
  static let samples = [
    Sample(name: "frames", text: "╭─╮│╰╯"), Sample(name: "bars", text: "▁▂▃▄▅▆▇█▌━╾─"),
    Sample(name: "braille", text: "⠁⠃⡇⣿"), Sample(name: "symbols", text: "…·▾▴↑↓←→●○"),
    Sample(name: "accents", text: "e\u{301}a\u{30A}o\u{308}"), Sample(name: "wide", text: "日本語"),
    Sample(name: "emoji", text: "🙂🎪"),
  ]

  /// Modes that are asked for: the focus, the mouse in all columns, whole frames, changes of colours.
  static let modes = [1004, 1006, 2026, 2031]

  var kind: TerminalKind
  /// How it shows notifications.
  var identity = TerminalIdentity(environment: [:])
  /// Whether the system has a description of the terminal (terminfo).
  var isDescribed = true
  var isUTF8: Bool
  var depth: ColorDepth
  var hasMouse: Bool
  /// The private modes that it knows, by number; nil if it did not answer.
  var modes: [Int: Bool]?
  /// How wide it has drawn each sample, by name; empty if it did not answer.
  var widths: [String: Int] = [:]
}
