import FoundationEssentials
import WidgetExtensions
import WidgetKitCore
import WidgetPlatform
import WidgetSessions

/// What holds around a card while it handles one event.
struct CardContext {
  var moment: Moment
  /// How the page lays out views, without what belongs to one card.
  var environment: LayoutEnvironment
  /// The pictures of all cards that are drawn.
  var readyImages: Set<ImageDrawing> = []
  var animates = true
}

/// What a card looks up while it handles an event; looking changes nothing.
struct CardQueries {
  /// The stored snapshot, if there is one that is newer than the date.
  var snapshot: (_ key: Snapshot.Key, _ newerThan: Date?) -> Snapshot? = { _, _ in nil }
  /// The results of updates that all hosts have written.
  var history: () -> RefreshHistory = { RefreshHistory() }
  /// Whether first contents are being collected, so that none of them is on the screen yet.
  var isGatheringFirstContent: () -> Bool = { false }
  /// When updates are due.
  var policy: () -> RefreshPolicy = { RefreshPolicy() }
  /// The file of a picture of the widget, whose bundle is known or not.
  var image: (ImageSource, WidgetBundle?) throws(ImageFault) -> FoundImage = {
    _,
    _ throws(ImageFault) in throw .absent
  }
  /// How long files that are written again and again are not looked for.
  var imagePause: () -> Duration = { .zero }
  /// What the user has opened in earlier runs.
  var folds: () -> FoldRecord = { FoldRecord() }
  /// Whether the widget was last started in a sandbox that is not the full one.
  var isInPartialSandbox: () -> Bool = { false }
}

/// The handling of one event by the parts of a card: what they know, and what is to be done.
struct CardTurn {
  let context: CardContext
  let queries: CardQueries
  /// The widget, which parts of the card ask, and change when the event does.
  var widget: CardWidget
  /// What the content is laid out in.
  var environment: LayoutEnvironment
  /// When the user last acted on the card; nil before that.
  var lastPress: ContinuousClock.Instant?
  /// What is to be done, in order.
  var effects: [CardEffect] = []
  /// Whether the card must be drawn again.
  private(set) var isDrawn = false

  init(_ context: CardContext, _ queries: CardQueries, _ widget: CardWidget) {
    self.context = context
    self.queries = queries
    self.widget = widget
    environment = context.environment
  }

  var moment: Moment { context.moment }
  var now: ContinuousClock.Instant { context.moment.now }

  /// Draws the card again.
  mutating func draw() { isDrawn = true }

  /// Passes an event to the session.
  mutating func send(_ event: SessionEvent) { effects.append(.session(event)) }

  /// Writes a line to the log of the widget.
  mutating func log(_ words: SafeText) { effects.append(.log(words)) }
}
