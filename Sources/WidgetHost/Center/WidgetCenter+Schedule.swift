public import WidgetKitCore

/// What the whole page does about updates: other hosts' results, requests from outside, and sleep.
extension WidgetCenter {
  /// Follows other hosts and requests from now on.
  func followSchedule() {
    guard configuration.schedulesUpdates, !isFollowingSchedule else { return }
    isFollowingSchedule = true
    lastJump = (clock.now, clock.uptime)
    clock.onJump = { [weak self] in self?.didJump() }
    takeRequests()
  }

  /// Whether an update of a widget is due: by the schedule, or because somebody asked for it.
  public func isDue(_ id: CardID) -> Bool {
    guard let controller = controller(id) else { return false }
    return controller.card.state != .hidden && (reloads.isPending(id) || controller.updates.isDue)
  }

  /// Makes an update that is due, unless another host does.
  ///
  /// - Returns: Whether it is under way here.
  @discardableResult
  public func refreshIfDue(_ id: CardID, reason: UpdateReason = .schedule) -> Bool {
    guard let controller = controller(id) else { return false }
    if reloads.take(id) {
      controller.refresh(.event)
    } else {
      controller.refreshIfDue(reason)
    }
    guard let state = controller.session?.state else { return false }
    return state.update != nil || state.nextUpdate != nil
  }

  func takeRequests() {
    guard configuration.schedulesUpdates else { return }
    for id in reloads.take(among: controllers.filter { $0.session != nil }.map(\.card.id)) {
      controller(id)?.refresh(.event)
    }
  }

  /// Takes over what other hosts' updates have brought; no names stand for all.
  func takeOver(_ names: Set<String>) {
    guard configuration.schedulesUpdates else { return }
    for controller in controllers {
      let id = controller.card.id
      guard names.isEmpty || names.contains(StateFolders.fileName(id) + ".json") else { continue }
      controller.takeOver(histories.read(id))
    }
  }

  /// Takes over what another host has written in place of what was to be written here.
  func takeOverSnapshot(_ key: Snapshot.Key) {
    controller(CardID(key.bundleIdentifier, instance: key.instance))?.takeOverSnapshot()
  }

  /// One catch-up for each widget after a sleep, spread over time.
  private func didJump() {
    guard quitCompletion == nil, let before = lastJump else { return }
    let now = (now: clock.now, uptime: clock.uptime)
    lastJump = now
    let slept = before.now.duration(to: now.now) - (now.uptime - before.uptime)
    for (place, controller) in controllers.enumerated() {
      controller.catchUp(hasSlept: slept > .seconds(1), place: place)
    }
    cardDidChange()
  }
}
