public import WidgetCards
public import WidgetKitCore
public import WidgetPlatform
import WidgetScripts
import WidgetSessions

/// The updates of a page's widgets: those that the user requests, and those that are due.
///
/// This is a class because the page and its callers share it.
public final class PageUpdates {
  private let page: PageCards
  private let policy: CurrentRefreshPolicy
  private let follower: HostFollower
  private let sources: PageSources

  init(
    page: PageCards,
    policy: CurrentRefreshPolicy,
    follower: HostFollower,
    sources: PageSources
  ) {
    self.page = page
    self.policy = policy
    self.follower = follower
    self.sources = sources
  }

  /// Requests new data from one widget, or from those of all pages.
  public func refresh(_ id: CardID?) {
    if id == nil { sources.remote.readAgain() }
    for controller in page.controllers where id.map({ $0 == controller.card.id }) ?? true {
      sources.changed.follow(controller)
      let machine = controller.machine
      if let machine { RemoteHosts.shared.endPause(of: machine) }
      if id != nil, let script = controller.session?.bundle.script {
        sources.remote.readAgain(with: script.path)
      }
      if machine != nil, controller.state.widget.isHeldBack {
        // The machine was away.
        controller.tell(.retry)
      } else {
        controller.send(.refresh(.user))
      }
    }
  }

  /// Runs the scripts that have asked for the signal SIGRTMIN+`number`.
  public func refresh(signal number: Int) {
    for controller in page.controllers
    where controller.session?.bundle.script?.options.signal == number {
      controller.send(.refresh(.event))
    }
  }

  /// Whether an update of a widget is due, because of the schedule or of a request.
  public func isDue(_ id: CardID) -> Bool {
    guard let controller = page[id], !controller.isHidden else { return false }
    return follower.isAsked(id) || controller.state.updates.schedule.isDue(controller.updateFacts)
  }

  /// Makes an update that is due, unless another host makes it.
  ///
  /// - Returns: Whether this host makes it.
  @discardableResult
  public func refreshIfDue(_ id: CardID, reason: UpdateReason = .schedule) -> Bool {
    guard let controller = page[id] else { return false }
    if follower.takeRequest(id) {
      controller.send(.refresh(.event))
    } else {
      controller.send(.refreshIfDue(reason))
    }
    return controller.state.widget.hasUpdate
  }

  /// Whether a widget is running that does not support updates.
  public func areUnsupported(by id: CardID) -> Bool { page[id]?.state.widget.takesUpdates == false }

  /// The user has done something, if only moved the focus: updates that nobody sees need not be rarer.
  public func noteInput() {
    policy.power?.noteInput()
  }

  /// Checks the age of all contents now, for programs that do not follow it over time.
  public func checkAges() {
    for controller in page.controllers { controller.send(.checkAge) }
  }

  /// Stores what the cards show and is not stored yet, for those who look at it in other programs.
  package func keepContents() {
    for controller in page.controllers { controller.send(.keep) }
  }

  /// Plans the updates of all cards again, because other settings are in force.
  func plan() {
    for controller in page.controllers { controller.send(.plan) }
  }
}
