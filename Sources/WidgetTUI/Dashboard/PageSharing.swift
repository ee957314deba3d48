import WidgetKitCore
import WidgetPlatform

/// Gives content of the page to a share extension or an action, and asks on a pane.
protocol PageSharing: AnyObject {
  /// Begins; only one content is on its way at a time.
  ///
  /// - Parameters:
  ///   - content: What is shared.
  ///   - verb: What is to be done with it.
  ///   - surface: Where the person is asked.
  ///   - completion: Called once with what became of it, and the keys that were typed for the page meanwhile.
  func begin(
    _ content: PageShareContent,
    _ verb: PageShareVerb,
    on surface: any PaneSurface,
    completion: @escaping (PageShareOutcome, [Key]) -> Void
  )
  /// Ends what is on its way; the completion is still called.
  func cancel()
}

/// What is done with content of the page.
enum PageShareVerb {
  case share
  case act
}

/// Content of the page.
struct PageShareContent {
  enum Origin {
    case text(String)
    /// A file, by its whole path.
    case file(String)
  }

  var origin: Origin
  /// The name of its card.
  var cardName: SafeText
}

/// What became of content of the page.
enum PageShareOutcome {
  /// The person has cancelled, or there is nothing to say.
  case over
  /// It failed, or was done, which is said.
  case says(SafeText)
  /// The person wants the result in the clipboard.
  case copies(String)
  /// The result is a card of the page.
  case pinned(ExtensionIdentity)
  /// A program uses the terminal with what the content names.
  case runs(LaunchDescription)
}
