import PageRecords
import WidgetCards
import WidgetExtensions
import WidgetKitCore
import WidgetPlatform

/// The requests of widgets to show or hide a card permanently.
///
/// What a widget requests too often is done later, and of several requests for one widget only the newest, as each
/// may start a process and writes a file. A class because its timers call it.
final class ContentRequests {
  private let page: PageCards
  private let flags: ContentFlags
  private let notices: PageNotices
  private let clock: any HostClock
  /// What each widget has requested, by its identifier.
  private var requesters: [String: Requester] = [:]

  private struct Requester {
    var budget = WorkBudget(share: share, burst: burst)
    /// What is not done yet, the oldest first.
    var waiting: [(request: SetHasContentRequest, id: CardID)] = []
    var timer: (any HostTimer)?
  }

  /// What a change costs, so that after eight there is one in two seconds.
  private static let cost: Duration = .seconds(1)
  private static let share = 0.5
  private static let burst: Duration = .seconds(8)

  init(page: PageCards, flags: ContentFlags, notices: PageNotices, clock: any HostClock) {
    self.page = page
    self.flags = flags
    self.notices = notices
    self.clock = clock
  }

  /// The error if a widget may not set whether another widget has content, or nil if it may: only
  /// widgets of one app may, and the blocks of one script.
  func refusal(of request: SetHasContentRequest, from id: CardID) -> WireError? {
    let catalog = page.catalog
    let widget = catalog.widget(withIdentifier: id.bundleIdentifier)
    let app = widget?.containingApp?.bundleIdentifier
    let program = widget?.script?.block == nil ? nil : widget?.script?.identifier
    let sender = HostServiceSender(
      bundleIdentifier: id.bundleIdentifier,
      hasContent: flags.hasContent(id)
    ) { other in
      let other = catalog.widget(withIdentifier: other)
      return app != nil && other?.containingApp?.bundleIdentifier == app
        || program != nil && other?.script?.identifier == program
    }
    return sender.refusal(of: request)
  }

  /// Shows or hides the card that makes the request, or all cards of another widget, permanently.
  func perform(_ request: SetHasContentRequest, from id: CardID) {
    var requester = requesters[id.bundleIdentifier] ?? Requester()
    let known = requester.waiting.firstIndex {
      $0.request.bundleIdentifier == request.bundleIdentifier
    }
    if let known {
      requester.waiting[known] = (request, id)
    } else {
      requester.waiting.append((request, id))
    }
    requesters[id.bundleIdentifier] = requester
    performNext(of: id.bundleIdentifier)
  }

  private func performNext(of widget: String) {
    while var requester = requesters[widget], let next = requester.waiting.first {
      let wait = requester.budget.wait(at: clock.now)
      guard wait == .zero else {
        guard requester.timer == nil else { return }
        requesters[widget]?.timer = clock.schedule(after: wait) { [weak self] in
          self?.requesters[widget]?.timer = nil
          self?.performNext(of: widget)
        }
        return
      }
      requester.waiting.removeFirst()
      requester.budget.spend(Self.cost, at: clock.now)
      requesters[widget] = requester
      change(next.request, from: next.id)
    }
  }

  private func change(_ request: SetHasContentRequest, from id: CardID) {
    let other = request.bundleIdentifier
    let cards =
      other == id.bundleIdentifier
      ? [id] : page.controllers.map(\.card.id).filter { $0.bundleIdentifier == other }
    for card in cards.isEmpty ? [CardID(other)] : cards {
      do throws(HostError) {
        try flags.set(request.flag, for: card)
      } catch {
        notices.note(SafeText("The content flag of \(card) cannot be stored: \(error)"))
      }
    }
    page.followContentFlags()
  }
}
