/// How many columns of the page a card can take up.
package enum CardSpan {
  /// The numbers that a manifest, a script, a command or config.json can give.
  package static let range = 1...100
}
