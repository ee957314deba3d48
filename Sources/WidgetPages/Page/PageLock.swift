public import WidgetKitCore

/// Whether a page is locked, and what is said of what it does not do then.
///
/// A class because the parts of the page share it; ``WidgetCenter/setLocked(_:)`` changes it.
public final class PageLock {
  /// Whether the page is locked.
  public internal(set) var isLocked: Bool
  /// What is said of what a locked page does not do.
  public var words: SafeText = "The page is locked."

  init(_ isLocked: Bool) {
    self.isLocked = isLocked
  }
}
