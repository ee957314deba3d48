import FoundationEssentials
import WidgetCards
public import WidgetKitCore
import WidgetPlatform
import WidgetSessions

/// How all cards of a page look: what the screen can show, whether anything moves, what is covered
/// while the page is locked, and in which zone times are written.
///
/// A class because the page and the interface share it.
public final class SharedLook {
  /// The capabilities of the screen.
  private(set) var appearance: Appearance
  /// Whether changes of height are animated, and texts take turns.
  private(set) var animates: Bool
  private var glyphs: GlyphSet
  private let dates: DateWording
  private let lock: PageLock
  private let clock: any HostClock
  /// The cards of the page.
  private let cards: () -> [CardRuntime]
  private let onChange: () -> Void

  init(
    _ configuration: CenterConfiguration,
    lock: PageLock,
    clock: any HostClock,
    cards: @escaping () -> [CardRuntime],
    onChange: @escaping () -> Void
  ) {
    appearance = configuration.appearance
    animates = configuration.animates
    glyphs = configuration.glyphs
    dates = configuration.dates
    self.lock = lock
    self.clock = clock
    self.cards = cards
    self.onChange = onChange
  }

  /// What the layout of a card depends on at present.
  package var environment: LayoutEnvironment {
    var environment = LayoutEnvironment(
      now: clock.date,
      glyphs: glyphs,
      dates: dates,
      redactsPrivate: lock.isLocked
    )
    environment.takesTurns = animates
    return environment
  }

  /// Sets the capabilities of the screen.
  public func set(_ appearance: Appearance, glyphs: GlyphSet) {
    if appearance != self.appearance {
      self.appearance = appearance
      for card in cards() { card.tell(.appearance(appearance)) }
    }
    self.glyphs = glyphs
    layOutAgain()
  }

  /// Takes over how the page looks from settings that were read again.
  func apply(_ configuration: CenterConfiguration) {
    animates = configuration.animates
    set(configuration.appearance, glyphs: configuration.glyphs)
  }

  /// Lays all cards out again, because what they look like depends on something that has changed.
  func layOutAgain() {
    for card in cards() { card.send(.environmentChanged) }
    onChange()
  }

  /// Shows all times in the new zone; widgets are told their zone when they start, so those that run start anew.
  func zoneDidChange() {
    for card in cards() {
      card.send(.environmentChanged)
      guard card.session?.state.hasProcess == true else { continue }
      card.tell(.bundleChanged)
      card.send(.refresh(.event))
    }
    onChange()
  }
}
