public import FoundationEssentials
public import WidgetCards
import WidgetKitCore

/// What cards showed during the last day, in place of what they show: of one card, or of the whole page at a moment.
///
/// The widgets go on behind it, and are told nothing. A class because the page and its callers share it.
public final class PagePast {
  /// Where a step leads.
  public enum Direction: Hashable, Sendable {
    case back
    case forward
  }

  /// What came of a step.
  public enum StepResult: Hashable, Sendable {
    /// An earlier content is shown.
    case past
    /// The present content is shown.
    case present
    /// There is nothing in that direction, and nothing has changed.
    case nothing
  }

  private let page: PageCards
  private var looks: [CardID: Look] = [:]

  /// What is known of a card while earlier contents of it are shown.
  private struct Look {
    var contents: PastContents
    /// Only those before this one differ from the present content.
    var end: Int
    /// The moment that is shown.
    var moment: Date
  }

  /// The shortest time from one picture of the whole page to the next, in seconds.
  private static let pageStep: TimeInterval = 60

  init(page: PageCards) {
    self.page = page
  }

  // MARK: - One card

  /// Shows the content of a card before, or after, the one that it shows.
  public func step(_ direction: Direction, of id: CardID) -> StepResult {
    guard let card = page[id], !card.isConcealed, !card.isHidden else { return .nothing }
    var look = looks[id] ?? look(at: card)
    let index = looks[id].map { $0.contents.index(at: $0.moment) ?? -1 } ?? look.end
    let indices =
      direction == .back
      ? Array((0..<max(0, index)).reversed()) : Array((index + 1)..<max(index + 1, look.end))
    guard let content = indices.lazy.compactMap(look.contents.content(at:)).first else {
      return direction == .forward && end(id) ? .present : .nothing
    }
    look.moment = content.made
    looks[id] = look
    card.send(.past(content))
    return .past
  }

  private func look(at card: CardRuntime) -> Look {
    let contents = card.pastContents
    let date = card.pictureDate ?? .distantFuture
    var end = contents.dates.firstIndex { $0 >= date } ?? contents.dates.count
    // The last content that was stored is often still there.
    if end > 0, let last = contents.content(at: end - 1), card.isShown(last) { end -= 1 }
    return Look(contents: contents, end: end, moment: date)
  }

  // MARK: - All cards

  /// Shows the page as it was before, or after, what it shows.
  ///
  /// - Parameters:
  ///   - direction: Where the step leads; each is at least a minute long.
  ///   - ids: The cards of the page.
  /// - Returns: What came of it.
  public func step(_ direction: Direction, of ids: [CardID]) -> StepResult {
    let cards = ids.compactMap { page[$0] }.filter { !$0.isConcealed && !$0.isHidden }
    let looks = cards.map { ($0, self.looks[$0.id] ?? look(at: $0)) }
    let dates = looks.flatMap { $1.contents.dates.prefix($1.end) }
    let moment = cards.compactMap { self.looks[$0.id]?.moment }.max()
    let next: Date? =
      switch (direction, moment) {
      case (.back, let moment?): dates.lazy.filter { $0 <= moment - Self.pageStep }.max()
      case (.back, nil): dates.max()
      case (.forward, let moment?): dates.lazy.filter { $0 >= moment + Self.pageStep }.min()
      case (.forward, nil): nil
      }
    guard let next else {
      guard direction == .forward, moment != nil else { return .nothing }
      end()
      return .present
    }
    for (card, look) in looks { show(card, look, at: next) }
    return .past
  }

  /// Shows cards as they were at a moment.
  ///
  /// - Returns: The cards of which nothing is kept from then, which show that.
  @discardableResult
  public func show(_ ids: [CardID], at moment: Date) -> [CardID] {
    ids.filter { id in
      guard let card = page[id], !card.isConcealed, !card.isHidden else { return false }
      return !show(card, looks[id] ?? look(at: card), at: moment)
    }
  }

  /// Returns whether something is kept from then.
  @discardableResult
  private func show(_ card: CardRuntime, _ look: Look, at moment: Date) -> Bool {
    let content = look.contents.content(at: moment)
    // A clock shows the present moment, and was never another content.
    if content == nil, card.card.isKeptCurrent { return true }
    var look = look
    look.moment = moment
    looks[card.id] = look
    card.send(.past(content ?? .nothing(at: moment)))
    return content != nil
  }

  // MARK: - The present

  /// Shows the present content of a card again; returns whether it showed another one.
  @discardableResult
  public func end(_ id: CardID) -> Bool {
    guard looks.removeValue(forKey: id) != nil else { return false }
    page[id]?.send(.past(nil))
    return true
  }

  /// Shows the present content of all cards again; returns whether one showed another one.
  @discardableResult
  public func end() -> Bool {
    let ids = looks.keys
    looks = [:]
    for id in ids { page[id]?.send(.past(nil)) }
    return !ids.isEmpty
  }
}
