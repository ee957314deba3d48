import WidgetCards
import WidgetKitCore
import WidgetPages
import WidgetPlatform
import WidgetSessions

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

  /// What has been done since it was started.
  private struct Progress {
    /// What was published last; nil before the first time.
    var last: PublishedEdition.Summary?
    /// How often nothing could be published since then.
    var failures = 0
    /// The cards of the page to which the user has not agreed, and of which that was said.
    var omitted: Set<CardID>
  }

  /// How long widgets may take until the page is published without them.
  private static let patience: Duration = .seconds(10)
  private static let longestPause: Duration = .seconds(60)

  /// Publishes until a signal comes.
  func run() async -> ExitCode {
    let wait = PublishWait(clock: headless.clock)
    wait.onEnd = { headless.stopWaiting() }
    place.onReturn = { [weak wait] in wait?.wake() }
    await start()
    // Those that are on the page now were named when the cards were chosen.
    let known = headless.center.page.all.filter { $0.page.isSame(as: maker.page) }
    var progress = Progress(omitted: Set(known.map(\.id)))
    var code: ExitCode?
    while code == nil, !wait.hasEnded {
      code = await look(&progress)
      if code == nil { await wait.wait(pause(after: progress.failures)) }
    }
    await place.close()
    headless.writeProblems()
    await headless.shutdown()
    return code ?? (isOnce ? .cancelled : .success)
  }

  /// Starts the widgets, and waits until they have content.
  private func start() async {
    let center = headless.center
    center.images.setLook(PageRenderer.documentLook)
    // The width of the text on the page is that of which widgets are told.
    center.screen.setWidths(CardWidths(EditionMaker.columns + EdgeInsets.proposed.columns))
    center.start(only: maker.ids)
    await headless.settle(maker.ids, within: Self.patience)
  }

  /// Publishes what has changed; returns how the program ends, or nil if it goes on.
  private func look(_ progress: inout Progress) async -> ExitCode? {
    sayOmitted(&progress.omitted)
    headless.center.updates.checkAges()
    let edition = await withImages { maker.edition() }
    if progress.last.map({ place.isDue(edition, after: $0) }) ?? true,
      let code = await publish(edition, &progress)
    {
      return code
    }
    return isOnce ? .success : nil
  }

  private func publish(
    _ edition: PublishedEdition,
    _ progress: inout Progress
  ) async -> ExitCode? {
    var edition = edition
    edition.pictures = await withImages { maker.pictures(of: edition) }
    do throws(PublishFault) {
      try await place.publish(edition)
      if progress.last == nil {
        StandardStreams.writeLine(SafeText(words))
      } else if progress.failures > 0 {
        StandardStreams.writeError("published again")
      }
      (progress.last, progress.failures) = (edition.summary, 0)
    } catch {
      progress.failures += 1
      guard !isOnce, !error.isFinal else {
        StandardStreams.writeError(error.words)
        return error.isFinal ? error.code : .unavailable
      }
      if progress.failures == 1 { StandardStreams.writeError("\(error.words); trying again") }
    }
    return nil
  }

  /// Makes something of the cards, and once more when their pictures of files are drawn, if that was not so.
  private func withImages<Result>(_ make: () -> Result) async -> Result {
    let result = make()
    guard maker.ids.contains(where: { headless.center.page.hasPendingImages($0) }) else {
      return result
    }
    await headless.settleImages(maker.ids, within: Self.patience)
    return make()
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
