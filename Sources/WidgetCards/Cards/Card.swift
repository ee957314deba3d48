public import FoundationEssentials
public import WidgetKitCore
public import WidgetPlatform
public import WidgetSessions

/// What a page needs to know about one widget to draw its card.
public nonisolated struct Card: Equatable, Sendable {
  /// The identity of the card.
  public var id: CardID
  /// The name in the heading.
  public var name: SafeText
  /// The sign before the name, and its colour.
  public var mark = CardMark()
  /// The page on which the card is.
  public var page = PageName.home
  /// What the card shows.
  public var state: CardStatus
  /// The heading's message if there is a problem, or nil.
  public var message: SafeText?
  /// What is said in place of content that was never made, which is not a problem; nil for the usual words.
  public var emptyWords: SafeText?
  /// When the content was made, or nil if there is none.
  public var contentDate: Date?
  /// When an update last brought the content or found it still correct; nil if that is unknown.
  public var confirmationDate: Date?
  /// When the content was last known to be correct, from which its age counts; nil if there is none, and for what a
  /// widget shows without ever having had a good update.
  public var ageDate: Date? {
    if let past { return past.made }
    return hasNoGoodUpdate ? nil : contentDate.map { max($0, confirmationDate ?? $0) }
  }
  /// Which earlier content is shown in place of the present one; nil if none is.
  public var past: CardPast?
  /// Whether the content is older than twice its interval.
  public var isStale: Bool
  /// Whether the content has an interval, and is not older than twice that.
  public var isWithinInterval = false
  /// Whether a due update has not come or has failed, so that the content is older than it should be.
  public var hasMissedUpdate = false
  /// Whether the last update has failed, here, in another host, or in an earlier run of the program.
  public var hasFailedUpdate = false
  /// Whether every update so far has failed.
  public var hasNoGoodUpdate = false
  /// Whether an update has been in progress for longer than a moment.
  public var isUpdating = false
  /// The compact or the expanded form.
  public var displayMode: DisplayMode
  /// The form that the user has chosen, which stays while the widget does not offer it; nil for none.
  package var chosenMode: DisplayMode?
  /// The rows of the body in the expanded form; nil if it is not offered, and while they are not known.
  package var expandedRows: Int?
  /// Whether the card offers to show more or less.
  public var offersExpanded: Bool
  /// The view that is shown without a transition.
  public var view: ViewNode? {
    didSet { isKeptCurrent = view?.showsPresentMoment ?? false }
  }
  /// Whether the host keeps the content up to date, as for a clock, so that it has no age.
  public private(set) var isKeptCurrent = false
  /// Empty cells between the border and the body.
  public var marginInsets: EdgeInsets
  /// The size of the body without a transition: the page's width and the height that the host has set.
  public var bodySize: Size
  /// How many rows of its content the card is too low to show.
  public var hiddenRows = 0
  /// The number of columns that the card takes up, as far as the page has as many.
  public var span = 1
  /// The message that a press is waiting for the live view, or was just dropped.
  public var pressCue: SafeText?
  /// Elements that were just pressed, or whose press the widget has not answered.
  public var pressed: [PressTarget] = []
  /// Elements whose presses have started a command, which still runs.
  public var pending: [PressTarget] = []
  /// Whether it shows a question what its widget may do, instead of content.
  public var asksForPermission = false
  /// Whether its widget runs in a sandbox that is not the full one.
  public var isInPartialSandbox = false
  /// The app that a press opens on a card without anything else to press; nil if there is none.
  public var appName: SafeText?
  /// Whether its widget has settings.
  public var hasSettings = false
  /// Whether its widget lets the user remove rows of lists.
  public var removesRows = false
  /// Whether its widget lets the user move rows of lists.
  public var movesRows = false
  /// Whether its widget lets the user add rows to lists.
  public var addsRows = false
  /// Whether its widget can be edited: its process allows it, and its view is on the screen.
  public var allowsEditing = false
  /// Whether the user edits its widget.
  public var isEdited = false
  /// Whether it is drawn for people who can do nothing with it, so that nothing is offered.
  package var isForReaders = false
  /// Whether it shows its name alone, because the page is locked.
  public private(set) var isConcealed = false
  /// The progress of the card's removal from the page, 0 to 1; nil for a card that stays.
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

  /// The card on a locked page: its name alone.
  package var concealed: Card {
    var card = Card(id: id, name: name)
    (card.page, card.span, card.leaving, card.mark) = (page, span, leaving, mark)
    card.state = state == .hidden ? .hidden : .live
    card.marginInsets = .zero
    card.isConcealed = true
    return card
  }
}

/// Which of the contents that a card has had is shown.
public nonisolated struct CardPast: Hashable, Sendable {
  /// When the widget sent it.
  public var made: Date
  /// Which one it is of all that are kept, the oldest being 1.
  public var number: Int
  /// How many are kept.
  public var count: Int

  /// Creates the present content of a card that is drawn with its time, as it is looked at later.
  public init(made: Date) {
    (self.made, number, count) = (made, 0, 0)
  }

  init(_ content: PastContent) {
    (made, number, count) = (content.made, content.number, content.count)
  }
}

/// A card's body at one moment: still, or in a transition between views and heights.
public nonisolated struct CardBody: Equatable, Sendable {
  /// The body's width, and its height at this moment.
  public var size: Size
  /// The view on the screen, or the transition's old view while ``progress`` is below 1.
  public var from: LaidOutView
  /// The transition's new view, or nil if there is no transition.
  public var to: LaidOutView?
  /// The progress of the transition after the curve is applied: 0 at its start, 1 at its end.
  public var progress: Double

  /// Creates a body without a transition.
  public init(_ view: LaidOutView) {
    size = view.size
    from = view
    to = nil
    progress = 1
  }

  /// Creates a body in a transition.
  public init(size: Size, from: LaidOutView, to: LaidOutView, progress: Double) {
    self.size = size
    self.from = from
    self.to = to
    self.progress = progress
  }

  /// The body with the bars whose colour rates nothing in the colours of a theme.
  package func coloringBars(_ gradient: [Color]) -> CardBody {
    guard !gradient.isEmpty else { return self }
    var body = self
    body.from = from.coloringBars(gradient)
    body.to = to?.coloringBars(gradient)
    return body
  }

  /// Whether both are drawn and pressed in the same way.
  public static func == (first: Self, second: Self) -> Bool {
    guard first.size == second.size, first.progress == second.progress else { return false }
    return switch (first.to, second.to) {
    case (nil, nil): first.from.isSame(as: second.from)
    case (let to?, let other?): first.from.isSame(as: second.from) && to.isSame(as: other)
    default: false
    }
  }
}

nonisolated extension LaidOutView {
  /// Whether another view is drawn and pressed in the same way, until the same moment.
  fileprivate func isSame(as other: LaidOutView) -> Bool {
    size == other.size && nextChange == other.nextChange && runs == other.runs
      && targets == other.targets && elements == other.elements
  }
}
