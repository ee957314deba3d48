package import WidgetCards
import WidgetKitCore

/// The forms of cards as this program has read them from the record or written them to it.
package nonisolated struct RecordedForms {
  /// What the cards were when this program last read or wrote the record.
  package private(set) var written: [CardID: PageRecord.Entry] = [:]
  /// What the record said then.
  private var stored: [CardID: DisplayMode] = [:]

  package init() {}

  /// A card was made from its entry; nil if it has none yet.
  package mutating func begin(_ card: PageRecord.Entry, stored entry: PageRecord.Entry?) {
    written[card.id] = card
    stored[card.id] = entry?.displayMode
  }

  /// Whether the record says another form than before, or none any longer.
  package func isOther(_ entry: PageRecord.Entry) -> Bool { stored[entry.id] != entry.displayMode }

  /// A card was changed to the form that the record says, as far as it has that.
  package mutating func follow(_ entry: PageRecord.Entry, as card: PageRecord.Entry) {
    stored[entry.id] = entry.displayMode
    written[entry.id] = card
  }

  /// A card was written; what it did not change stays as it was.
  package mutating func wrote(_ card: PageRecord.Entry) {
    if written[card.id]?.displayMode != card.displayMode { stored[card.id] = card.displayMode }
    written[card.id] = card
  }
}
