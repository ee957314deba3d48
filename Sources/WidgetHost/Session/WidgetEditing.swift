import WidgetKitCore

/// Whether the user edits the widget of one process, which is told when that begins and when it ends.
///
/// It ends with the view: before that disappears, and before the process is told to exit. A process that
/// has gone is told nothing.
nonisolated struct WidgetEditing {
  private(set) var isUnderWay = false

  /// Begins, if the widget allows it and its view is on the screen.
  mutating func begin(_ life: ProcessLife, _ view: ViewAppearance) -> [SessionEffect] {
    guard !isUnderWay, Self.isPossible(life, view) else { return [] }
    isUnderWay = true
    let isTold = life.sends(WidgetDidBeginEditingNotification.method)
    return [.edited(true)] + (isTold ? [.send(.widgetDidBeginEditing)] : [])
  }

  /// Ends because the user has finished.
  mutating func end(_ life: ProcessLife) -> [SessionEffect] {
    guard isUnderWay else { return [] }
    isUnderWay = false
    let isTold = life.implements.contains(WidgetDidEndEditingNotification.method)
    return [.edited(false)] + (isTold ? [.send(.widgetDidEndEditing)] : [])
  }

  /// Ends before the effects of an event if these take the view off the screen.
  mutating func following(
    _ effects: [SessionEffect],
    _ life: ProcessLife,
    _ view: ViewAppearance
  ) -> [SessionEffect] {
    guard isUnderWay, !Self.isPossible(life, view) else { return effects }
    let end = end(life)
    return (effects.contains(.signal(.kill)) ? [.edited(false)] : end) + effects
  }

  /// Whether a widget can be edited now.
  static func isPossible(_ life: ProcessLife, _ view: ViewAppearance) -> Bool {
    life.stage == .running && life.allowsEditing && view.state == .on
  }
}
