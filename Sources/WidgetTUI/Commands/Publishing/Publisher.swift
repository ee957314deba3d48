import WidgetCards
import WidgetKitCore
import WidgetPages
import WidgetPlatform

/// Publishes a page again and again, as long as it is asked to.
struct Publisher {
  let headless: HeadlessCenter
  let maker: EditionMaker
  let place: any PublishedPlace
  /// How often it is looked whether something has changed.
  let interval: Duration
  /// Whether it ends after the first time.
  let isOnce: Bool
  /// What is said after the first time.
  let words: String

  /// How long widgets may take until the page is published without them.
  private static let patience: Duration = .seconds(10)
  private static let longestPause: Duration = .seconds(60)

  /// Publishes until a signal comes.
  func run() async -> ExitCode {
    let center = headless.center
    let ids = maker.ids
    let wait = PublishWait()
    place.onReturn = { [weak wait] in wait?.wake() }
    center.images.setLook(.pixels(cellWidth: 17, cellHeight: 36))
    center.screen.setWidths(CardWidths(EditionMaker.columns))
    center.start(only: Set(ids))
    await headless.settle(ids, within: Self.patience)
    var last: PublishedEdition?
    var failures = 0
    var code = ExitCode.success
    // Of those that are there now the choice has said it.
    var omitted = Set(center.page.all.map(\.id))
    while !wait.hasEnded {
      sayOmitted(&omitted)
      center.updates.checkAges()
      var edition = maker.edition()
      if isOnce {
        await headless.settleImages(ids, within: Self.patience)
        edition = maker.edition()
      }
      if last.map({ place.isDue(edition, after: $0) }) ?? true {
        do throws(PublishFault) {
          try await place.publish(edition)
          if failures > 0 { StandardStreams.writeError("published again") }
          if last == nil { StandardStreams.writeLine(SafeText(words)) }
          (last, failures) = (edition, 0)
        } catch {
          failures += 1
          guard !isOnce, !error.isFinal else {
            StandardStreams.writeError(error.words)
            code = error.isFinal ? error.code : .unavailable
            break
          }
          if failures == 1 { StandardStreams.writeError("\(error.words); it is tried again") }
        }
      }
      if isOnce { break }
      await wait.wait(pause(after: failures))
    }
    await place.close()
    headless.writeProblems()
    await headless.shutdown()
    return code
  }

  /// The time until the next look, which grows while a place is away.
  private func pause(after failures: Int) -> Duration {
    guard failures > 0 else { return interval }
    let pause = min(Self.longestPause, .seconds(1 << min(failures - 1, 6)))
    return pause + pause * Double.random(in: 0...0.25)
  }

  /// Says of cards that have come to the page since that they are not published.
  private func sayOmitted(_ known: inout Set<CardID>) {
    let new = headless.center.page.all.filter { card in
      card.page.isSame(as: maker.page) && !maker.ids.contains(card.id)
        && known.insert(card.id).inserted
    }
    if !new.isEmpty { StandardStreams.writeError(PublishChoice.omitted(new.map(\.id))) }
  }
}
