import FoundationEssentials
import WidgetKitCore
import WidgetPlatform

/// A view on the pane that an extension changes while a person uses it.
///
/// A class because the extension, the keys and the time change the same view.
final class PresentedView {
  private(set) var view: PaneView
  /// Called with what a person does.
  var onEvent: (PaneView.Event) -> Void = { _ in }

  private let onChange: () -> Void
  private let clock: any HostClock
  private var typing: (any HostTimer)?
  private var picture: (date: Date, timer: any HostTimer)?

  init(
    _ view: PaneView,
    clock: any HostClock = SystemClock(),
    onChange: @escaping () -> Void
  ) {
    (self.view, self.clock, self.onChange) = (view, clock, onChange)
  }

  /// Takes a key, or what the mouse has pressed.
  func take(_ key: Key, _ action: PaneAction?) {
    let events = view.take(key, action, at: clock.now)
    schedule()
    // Each may change the view.
    for event in events { onEvent(event) }
  }

  /// Changes the view, and shows it.
  func change(_ change: (inout PaneView) -> Void) {
    change(&view)
    onChange()
  }

  /// Draws it, and again when it looks different.
  func picture(_ look: PaneLook) -> PanePicture {
    let picture = view.picture(look)
    schedulePicture()
    return picture
  }

  /// Does nothing any more.
  func end() {
    typing?.cancel()
    picture?.timer.cancel()
    (typing, picture) = (nil, nil)
  }

  private func schedule() {
    typing?.cancel()
    typing = view.input.due.map { due in
      clock.schedule(after: max(.zero, clock.now.duration(to: due))) { [weak self] in
        guard let self else { return }
        let events = view.input.wake(at: clock.now)
        schedule()
        for event in events { onEvent(event) }
      }
    }
  }

  private func schedulePicture() {
    guard let date = view.body.nextChange else {
      picture?.timer.cancel()
      picture = nil
      return
    }
    guard picture?.date != date else { return }
    picture?.timer.cancel()
    let delay = Duration.seconds(max(0, date.timeIntervalSince(clock.date)))
    let timer = clock.schedule(after: delay) { [weak self] in
      self?.picture = nil
      self?.onChange()
    }
    picture = (date, timer)
  }
}
