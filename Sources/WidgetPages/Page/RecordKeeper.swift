import PageRecords
import WidgetCards
import WidgetKitCore
import WidgetPlatform

/// Keeps the record of a page: what the next start draws before it reads any bundle, and the forms of the cards, which
/// other programs change too.
///
/// This is a class because its timer calls it.
final class RecordKeeper {
  private unowned let page: PageCards
  /// Whether the record is written here.
  private let writes: Bool
  private let notices: PageNotices
  private let clock: any HostClock
  /// The forms of the cards, here and in the record.
  private var forms = RecordedForms()
  /// The timer after which the record is written that another program was changing.
  private var rewriting: (any HostTimer)?

  init(_ page: PageCards, role: PageRole, notices: PageNotices, clock: any HostClock) {
    self.page = page
    writes = role != .viewer
    self.notices = notices
    self.clock = clock
  }

  /// A card was made, which gets what its entry has stored; nil if it has none yet.
  func begin(_ controller: CardRuntime, stored entry: PageRecord.Entry?) {
    if let entry {
      controller.send(
        .restored(
          entry.displayMode,
          offersExpanded: entry.offersExpanded,
          margins: entry.marginInsets
        )
      )
      controller.send(.mark(entry.mark))
    }
    forms.begin(PageRecord.Entry(controller.card), stored: entry)
  }

  /// Saves the page.
  ///
  /// - Parameter triesAgain: How often this is tried again while another program changes the page.
  func keep(triesAgain: Int = 0) {
    guard page.hasScanned, writes else { return }
    rewriting?.cancel()
    rewriting = nil
    let entries = page.controllers.map { (entry: PageRecord.Entry($0.card), page: $0.card.page) }
    do throws(HostError) {
      try page.roster.write(entries, since: forms.written)
      for (entry, _) in entries { forms.wrote(entry) }
      notices.set(.record, nil)
      if !page.isClosing { followForms() }
    } catch {
      // The program that is changing the page saves it, and so does the next program that ends.
      guard error.code != .busy else { return keepLater(triesAgain) }
      notices.set(.record, SafeText("The page cannot be written: \(error)"))
    }
  }

  /// Writes the form that the user has given to a card, which other programs follow.
  func formWasChosen() {
    keep(triesAgain: 5)
  }

  /// Shows the forms that another program has written to the record.
  func followForms() {
    for controller in page.controllers {
      guard let entry = page.roster.entry(controller.card.id), forms.isOther(entry) else {
        continue
      }
      controller.send(.form(entry.displayMode))
      forms.follow(entry, as: PageRecord.Entry(controller.card))
    }
  }

  private func keepLater(_ triesAgain: Int) {
    guard triesAgain > 0, !page.isClosing else { return }
    rewriting = clock.schedule(after: .milliseconds(200)) { [weak self] in
      self?.keep(triesAgain: triesAgain - 1)
    }
  }
}
