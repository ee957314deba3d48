import PageRecords
import WidgetCards
import WidgetExtensions
import WidgetKitCore
import WidgetPlatform

/// Answers the URLs with which plugins of xbar and SwiftBar control the program that shows them.
///
/// They concern scripts only. A script of somebody else, which is in the sandbox, controls its own card alone.
struct PageControls {
  private let page: PageCards
  private let updates: PageUpdates
  private let alerts: PageAlerts
  private let notices: PageNotices
  private let flags: ContentFlags
  private let reloads: ReloadRequests
  /// Whether the widgets of this page run; otherwise another program is asked to update them.
  private let isOpen: Bool

  init(_ center: WidgetCenter) {
    (page, updates, alerts, notices) = (center.page, center.updates, center.alerts, center.notices)
    flags = ContentFlags(center.folders)
    reloads = ReloadRequests(center.folders)
    isOpen = center.configuration.schedulesUpdates
  }

  /// A card of a script.
  private struct ScriptCard {
    var id: CardID
    var name: SafeText
    var bundle: WidgetBundle
  }

  /// Whether the URLs of a widget are answered here.
  func answers(_ url: CheckedURL, of id: CardID) -> Bool {
    ControlURL.schemes.contains(url.scheme) && script(id) != nil
  }

  /// Does what a URL asks for.
  ///
  /// - Parameters:
  ///   - url: The URL.
  ///   - sender: The card whose row was pressed; nil if the user opens the URL.
  /// - Throws: ``URLRefusal`` if it cannot be done.
  func perform(_ url: CheckedURL, from sender: CardID?) throws(URLRefusal) {
    let sender = sender.flatMap(script)
    switch try ControlURL(url) {
    case .refreshAll:
      for card in scripts(in: sender) { try refresh(card) }
    case .refresh(let name):
      for card in try scripts(name, for: sender) { try refresh(card) }
    case .show(let name):
      guard let card = try scripts(name, for: sender).first else { return }
      guard isOpen else { throw .notAnswered("no page is open here; “today” opens one") }
      if let controller = page[card.id] { page.screen.show(page: controller.card.page) }
    case .setShown(let name, let isShown):
      for card in try scripts(name, for: sender) { try set(card, isShown: isShown) }
      page.followContentFlags()
    case .notify(let notification): try notify(notification, sender)
    }
  }

  private func refresh(_ card: ScriptCard) throws(URLRefusal) {
    guard flags.hasContent(card.id) else { return }
    if isOpen { return updates.refresh(card.id) }
    do throws(HostError) {
      try reloads.ask(card.id)
    } catch {
      throw .notAnswered("\(error)")
    }
  }

  private func set(_ card: ScriptCard, isShown: Bool?) throws(URLRefusal) {
    let isShown = isShown ?? !flags.hasContent(card.id)
    do throws(HostError) {
      try flags.set(isShown, for: card.id)
    } catch {
      throw .notAnswered("\(error)")
    }
    let command: SafeText = "today has-content \(SafeText(card.id.description)) on"
    let words: SafeText = isShown ? "shown" : "hidden; “\(command)” shows it again"
    notices.sayUnlessLocked("\(card.name): \(words)")
  }

  private func notify(
    _ notification: ControlURL.Notification,
    _ sender: ScriptCard?
  ) throws(URLRefusal) {
    var card = sender
    if let name = notification.script { card = try scripts(name, for: sender).first }
    var lines = notification.lines
    let title = notification.title.map { SafeText($0) } ?? card?.name ?? "today"
    if lines.isEmpty { lines = [title.string] }
    let text = SafeText(lines.joined(separator: "\n"))
    let link = notification.link.flatMap { url in card.map { (url, $0.id) } }
    alerts.tell(
      card?.name ?? title,
      title: title,
      text,
      isSilent: notification.isSilent,
      url: link.map { url, _ in url },
      // Without an open page, nobody is there when it is pressed.
      onPress: isOpen
        ? link.map { [weak page] url, id in { page?[id]?.open(url) } } : nil
    )
  }

  // MARK: - Scripts

  private func script(_ id: CardID) -> ScriptCard? {
    guard let controller = page[id], let bundle = bundle(of: id) else { return nil }
    return ScriptCard(id: id, name: controller.card.name, bundle: bundle)
  }

  private func bundle(of id: CardID) -> WidgetBundle? {
    let bundle = page.catalog.widget(withIdentifier: id.bundleIdentifier)
    return bundle?.script == nil ? nil : bundle
  }

  /// The cards that a script controls: its own if it is in the sandbox, otherwise those of all scripts.
  private func scripts(in sender: ScriptCard?) -> [ScriptCard] {
    let cards = page.controllers.compactMap { script($0.card.id) }
    guard let sender, sender.bundle.script?.isSandboxed == true else { return cards }
    return cards.filter { $0.bundle.bundleIdentifier == sender.bundle.bundleIdentifier }
  }

  /// The cards of the script with a name: that of its file with or without its endings, its path, or its
  /// identifier.
  private func scripts(
    _ name: String,
    for sender: ScriptCard?
  ) throws(URLRefusal) -> [ScriptCard] {
    let file = OwnPath.split(name).name.lowercased()
    let cards = scripts(in: sender)
    func matches(_ card: ScriptCard, _ isSame: (_ file: String) -> Bool) -> Bool {
      card.bundle.script.map { isSame(OwnPath.split($0.path).name.lowercased()) } ?? false
    }
    let exact = cards.filter { card in
      card.bundle.script?.path == name || card.bundle.bundleIdentifier == name
        || matches(card) { $0 == file }
    }
    guard exact.isEmpty else { return exact }
    let found = cards.filter { card in
      matches(card) { $0.prefix { $0 != "." } == file || ScriptName(file: $0)?.name == file }
    }
    guard found.isEmpty else { return found }
    throw .notAnswered("there is no script “\(name.prefix(80))” on the page")
  }
}
