public import FoundationEssentials
public import WidgetKitCore

/// Which card: a widget, and which one of it where it is on the page more than once.
public nonisolated struct CardID: Hashable, Sendable, CustomStringConvertible {
  /// The widget's identifier.
  public var bundleIdentifier: String
  /// Which one of it; nil where there is one.
  public var instance: String?

  /// Creates an identity.
  public init(_ bundleIdentifier: String, instance: String? = nil) {
    self.bundleIdentifier = bundleIdentifier
    self.instance = instance
  }

  /// The identity in one word: `com.example.Weather` or `com.example.Weather#2`.
  public var description: String {
    instance.map { "\(bundleIdentifier)#\($0)" } ?? bundleIdentifier
  }
}

/// What a card shows: the live view, the last one, or why there is none.
public nonisolated enum CardState: String, Hashable, Sendable, Codable {
  /// The widget runs and the view is its own.
  case live
  /// The view is the last one that was kept.
  case snapshot
  /// There is no view yet; the widget is being started.
  case starting
  /// Something is wrong; the last view stays and the heading says what.
  case failed
  /// The widget is not started again until somebody asks.
  case stopped
  /// The widget says that it has nothing to show.
  case hidden
}

/// All that a page needs to know of one widget to draw its card.
public nonisolated struct Card: Sendable {
  /// Which card it is.
  public var id: CardID
  /// The name in the heading.
  public var name: SafeText
  /// What the card shows.
  public var state: CardState
  /// The heading's words where something is wrong; nil otherwise.
  public var message: SafeText?
  /// When the content was made; nil where there is none.
  public var contentDate: Date?
  /// Whether the content is older than twice its interval.
  public var isStale: Bool
  /// Whether an update that was due has not come, or failed: the content is older than it should be.
  public var hasMissedUpdate = false
  /// Whether an update has been under way for longer than a moment.
  public var isUpdating = false
  /// The short or the tall form.
  public var displayMode: DisplayMode
  /// Whether the card offers show more and show less.
  public var offersExpanded: Bool
  /// The view that is shown at rest.
  public var view: ViewNode? {
    didSet { isKeptCurrent = view?.showsPresentMoment ?? false }
  }
  /// Whether the host keeps the content at the present moment, as it does a clock: it has no age.
  public private(set) var isKeptCurrent = false
  /// Empty cells between the border and the body.
  public var marginInsets: EdgeInsets
  /// The body at rest: the width that the page gives and the height that was granted.
  public var bodySize: Size
  /// Whether a press waits for the live view, or was just dropped.
  public var pressCue: SafeText?
  /// Elements that were pressed a moment ago, or whose press the widget has not answered.
  public var pressed: [PressTarget] = []
  /// How far it is on its way off the page, 0 to 1; nil for a card that stays.
  public var leaving: Double?

  /// Creates a card with nothing to show yet.
  public init(id: CardID, name: SafeText) {
    self.id = id
    self.name = name
    state = .starting
    isStale = false
    displayMode = .compact
    offersExpanded = false
    marginInsets = EdgeInsets(left: 1, right: 1)
    bodySize = .zero
  }
}

/// A card's body at one moment: at rest, or on its way from one view and height to another.
public nonisolated struct CardBody: Sendable {
  /// The body's width, and its height at this moment.
  public var size: Size
  /// What is on the screen, or what is being left while ``progress`` is below 1.
  public var from: LaidOutView
  /// Where a transition goes; nil at rest.
  public var to: LaidOutView?
  /// How far the transition is, curve applied: 0 at its start, 1 at rest.
  public var progress: Double

  /// Creates a body at rest.
  public init(_ view: LaidOutView) {
    size = view.size
    from = view
    to = nil
    progress = 1
  }

  /// Creates a body on its way.
  public init(size: Size, from: LaidOutView, to: LaidOutView, progress: Double) {
    self.size = size
    self.from = from
    self.to = to
    self.progress = progress
  }
}
