import WidgetCards
import WidgetExtensions
import WidgetKitCore
import WidgetPlatform
import WidgetSessions

// MARK: - Changes by other programs

extension WidgetCenter: HostFollowerOwner {
  var followedCards: [(id: CardID, hasWidget: Bool)] {
    page.controllers.map { ($0.card.id, $0.session != nil) }
  }

  func recordMayHaveChanged(_ names: Set<String>) {
    guard names.isEmpty || names.contains(where: page.isRecord) else { return }
    page.followRecord()
    settings.check()
  }

  func contentFlagsMayHaveChanged() {
    page.followContentFlags()
  }

  func storedSettingsMayHaveChanged(_ names: Set<String>) {
    guard !isQuitting else { return }
    settings.storedDidChange(names)
  }

  func permissionsMayHaveChanged(_ names: Set<String>) {
    guard !isQuitting else { return }
    permissions.recordsMayHaveChanged(names)
  }

  func isAskedToUpdate(_ id: CardID) {
    page[id]?.send(.refresh(.event))
  }

  func didUpdateElsewhere(_ id: CardID, _ history: RefreshHistory) {
    page[id]?.send(.madeElsewhere(history))
  }

  /// After a sleep each widget catches up once, spread over time; words follow the clock that was set.
  func didJump(hasSlept: Bool, shift: Double) {
    guard !isQuitting else { return }
    updates.catchUp(hasSlept: hasSlept, shift: shift)
    cardDidChange()
  }

  func followingHasTrouble(_ error: HostError?) {
    notices.set(
      .following,
      error.map { SafeText("Changes by other programs are not followed yet: \($0)") }
    )
  }
}

// MARK: - The zone of the system

extension WidgetCenter {
  /// Shows all times in the new zone; widgets are told their zone when they start, so those that run start anew.
  func zoneDidChange() {
    guard !isQuitting else { return }
    for controller in page.controllers {
      controller.send(.environmentChanged)
      guard controller.session?.state.hasProcess == true else { continue }
      controller.tell(.bundleChanged)
      controller.send(.refresh(.event))
    }
    cardDidChange()
  }
}

// MARK: - Settings of widgets

extension WidgetCenter: PageSettingsOwner {
  var widgetsWithSettings: [(id: CardID, bundle: WidgetBundle)] {
    page.controllers.compactMap { controller in
      controller.session.map { (controller.card.id, $0.bundle) }
    }
  }

  var knownIdentifiers: [String] { page.catalog.widgets.map(\.bundleIdentifier) }

  func settingsDidChange(of id: CardID, _ configuration: WidgetConfiguration) {
    guard let card = page[id] else { return }
    // The sandbox of a process that runs shows the files that were chosen when it was started.
    if confinement.hasOtherFiles(id) { return card.tell(.bundleChanged) }
    card.tell(.configuration(configuration))
    // Content that is made with the new values follows; without a process, with the next one.
    if card.session?.state.hasProcess == true { card.send(.refresh(.event)) }
  }

  func settingsHaveProblems(_ problems: [SafeText]) {
    notices.set(settings: page.problems + problems)
  }
}
