public import FoundationEssentials
public import WidgetKitCore

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
