package import WidgetKitCore

/// What takes the place of the programs that a page starts beside its widgets: in a test nothing is opened,
/// shown on the desktop or transferred, and everything is noted.
///
/// A class because the page and the test share it.
@MainActor package final class StandIns {
  /// The answer to `openURL`.
  package var opensURLs = true
  /// The URLs that the widget asked to open, and that may be opened.
  package private(set) var openedURLs: [String] = []
  /// What the widget told the user.
  package private(set) var alerts: [SafeText] = []
  /// The names of the transfers that were begun.
  package private(set) var transfers: [String] = []

  /// Creates stand-ins that open every URL.
  package init() {}

  func open(_ url: CheckedURL) -> Bool {
    openedURLs.append(url.text)
    return opensURLs
  }

  package func tell(_ text: SafeText) {
    alerts.append(text)
  }

  package func beginTransfer(_ task: String) {
    transfers.append(task)
  }
}
