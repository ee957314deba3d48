import FoundationEssentials
import WidgetCards
import WidgetKitCore
import WidgetRequests
import WidgetSessions

/// A view of an extension on the pane: what a person does with it, and the buttons of the host below it.
struct PaneView {
  /// What a key came to.
  enum Event: Hashable {
    /// An element was pressed, or the text of a field entered.
    case presses(PerformActionRequest)
    /// The text of a field is another one.
    case typed(FieldDidChangeNotification)
    case posts
    case cancels
    /// The view is to be removed from the sheet that it was pushed over.
    case goesBack
  }

  /// What has the keys.
  enum Focus: Hashable {
    case element(PageFocus.Element)
    case post
    /// Cancel; Back for a pushed view.
    case cancel
  }

  let title: SafeText
  /// What is said at the right of the title.
  let remark: SafeText
  /// Whether it was pushed over a sheet, to which Esc goes back.
  let isPushed: Bool
  /// The word of the button that goes on; nil for none.
  var postWord: SafeText?
  /// What is said beside the buttons.
  var note: SafeText?
  /// Whether that is what went wrong.
  var hasFailed = false
  /// What the person has changed.
  var input = PaneInput()
  private(set) var isPosting = false
  private(set) var focus = Focus.cancel
  /// The first row of the view that is shown.
  private(set) var firstRow = 0
  /// The view as it is drawn.
  private(set) var body = LaidOutView(size: .zero)
  private(set) var look: PaneLook

  private var shown = RequestView()
  /// Whether the person has moved the focus.
  private var hasMoved = false
  /// Where the view is in the picture.
  private var origin = Position.zero

  init(title: SafeText, remark: SafeText, isPushed: Bool = false, _ look: PaneLook) {
    (self.title, self.remark, self.isPushed) = (title, remark, isPushed)
    self.look = look
  }

  // MARK: - The extension

  /// Shows what the extension has sent.
  mutating func show(_ view: RequestView) {
    guard
      view.revision != shown.revision || view.preferredRows != shown.preferredRows
        || shown.node == nil
    else { return }
    if view.revision != shown.revision, let node = view.node {
      guard input.viewDidCome(node, view.source) else { return }
    }
    shown = view
    layOut()
    if !hasMoved, let first = targets.first { focus = .element(PageFocus.Element(first, at: 0)) }
    keepFocus()
  }

  /// The extension has not done what was pressed.
  mutating func pressDidFail() {
    input.pressDidFail()
    layOut()
  }

  /// It was posted; only Cancel is left, without the focus: a second Enter must not take back what the first has posted.
  mutating func didPost() {
    (isPosting, focus) = (true, .cancel)
  }

  // MARK: - Layout

  /// Draws with another look, or at another time.
  mutating func adopt(_ look: PaneLook, at now: Date = .now) {
    let isDue = body.nextChange.map { $0 <= now } ?? false
    guard look != self.look || isDue else { return }
    self.look = look
    layOut(at: now)
    scroll(by: 0)
  }

  /// Draws the view, and the buttons below it.
  mutating func picture(_ look: PaneLook) -> PanePicture {
    adopt(look)
    let drawn = PaneViewPicture(self, look)
    origin = drawn.origin
    return drawn.picture
  }

  private mutating func layOut(at now: Date = .now) {
    guard let node = shown.node else {
      body = LaidOutView(size: .zero)
      return
    }
    var environment = LayoutEnvironment(now: now, glyphs: look.glyphs)
    environment.state = input.state
    let view = input.drawn(node)
    let columns = insideColumns
    var rows = shown.preferredRows
    if look.fillsScreen {
      let own = rows ?? ViewLayout.height(of: view, width: columns, in: environment)
      rows = max(own, room)
    }
    body = ViewLayout.layOut(view, width: columns, height: rows, in: environment)
  }

  /// The columns of the view.
  var insideColumns: Int { Self.size(look).columns }

  /// The most rows of the view that are shown at once.
  var room: Int { Self.size(look).rows }

  /// The largest size of a view.
  static func size(_ look: PaneLook) -> Size {
    let hasBorder = look.size.columns >= 20 && look.size.rows >= 4
    let limit = look.fillsScreen ? look.size.columns : PanePicture.columnLimit
    let most = min(look.size.columns, limit)
    // The borders, the buttons, and an empty row above them.
    let others = (hasBorder ? 2 : 0) + 1 + (look.size.rows >= 8 ? 1 : 0)
    return Size(
      columns: max(0, hasBorder ? most - 4 : most),
      rows: max(0, look.size.rows - others)
    )
  }

  /// The rows of the view that are shown.
  var shownRows: Int { min(body.size.rows, room) }

  /// The elements that can be pressed: a link is not opened from a request.
  var targets: [PressTarget] {
    body.targets.filter { target in
      switch target.role {
      case .element, .row: target.action != nil
      case .fold, .more, .field: true
      case .add: false
      }
    }
  }

  // MARK: - Focus

  /// The element with the focus.
  var focusedTarget: PressTarget? {
    guard case .element(let element) = focus else { return nil }
    let targets = targets
    return element.index(in: targets).map { targets[$0] }
  }

  /// Moves the focus off an element that has gone.
  private mutating func keepFocus() {
    if case .element = focus, focusedTarget == nil {
      focus = targets.first.map { .element(PageFocus.Element($0, at: 0)) } ?? last
    }
    reveal()
  }

  /// The place behind the elements.
  private var last: Focus { postWord != nil && !isPosting ? .post : .cancel }

  private mutating func move(by count: Int) {
    let targets = targets
    var places = targets.enumerated().map { Focus.element(PageFocus.Element($1, at: $0)) }
    places += postWord == nil ? [.cancel] : [.post, .cancel]
    let present: Int?
    if case .element(let element) = focus {
      present = element.index(in: targets)
    } else {
      present = places.firstIndex(of: focus)
    }
    focus = places[((present ?? 0) + count + places.count) % places.count]
    hasMoved = true
    reveal()
  }

  /// Moves the focus up or down; before it leaves what is in sight, the view scrolls.
  private mutating func step(by count: Int) {
    let before = (focus, firstRow)
    move(by: count)
    let isBeyond = focusedTarget.map { target in
      count > 0
        ? target.frame.minRow > before.1 + room : target.frame.maxRow < before.1
    }
    let canScroll = count > 0 ? before.1 < lastFirstRow : before.1 > 0
    guard canScroll, isBeyond ?? true else { return }
    (focus, firstRow) = before
    scroll(by: count)
  }

  private var lastFirstRow: Int { max(0, body.size.rows - room) }

  private mutating func scroll(by rows: Int) {
    firstRow = min(max(0, firstRow + rows), lastFirstRow)
  }

  private mutating func reveal() {
    if let frame = focusedTarget?.frame {
      if frame.maxRow > firstRow + room { firstRow = frame.maxRow - room }
      if frame.minRow < firstRow { firstRow = frame.minRow }
    }
    scroll(by: 0)
  }

  // MARK: - Keys

  /// Takes a key, or what the mouse has pressed.
  mutating func take(_ key: Key, _ action: PaneAction?, at now: ContinuousClock.Instant) -> [Event]
  {
    if isPosting {
      return key.cancelsPost || action == .cancel ? [.cancels] : []
    }
    switch key {
    case .control("c"): return [.cancels]
    case .escape: return [isPushed ? .goesBack : .cancels]
    case .control("s"): return post(at: now)
    case .tab: move(by: 1)
    case .backTab: move(by: -1)
    case .pageDown: scroll(by: max(1, room - 1))
    case .pageUp: scroll(by: -max(1, room - 1))
    case .mouse(let event): return take(event, action, at: now)
    default:
      if let target = focusedTarget, case .field(let field) = target.role {
        return type(key, in: field, of: target, at: now)
      }
      return takeInFocus(key, at: now)
    }
    return []
  }

  private mutating func takeInFocus(_ key: Key, at now: ContinuousClock.Instant) -> [Event] {
    switch (key, focus) {
    case (.down, _): step(by: 1)
    case (.up, _): step(by: -1)
    case (.left, _) where isPushed: return [.goesBack]
    case (.left, .post): focus = .cancel
    case (.right, .cancel) where postWord != nil: focus = .post
    case (.left, _): move(by: -1)
    case (.right, _): move(by: 1)
    case (.home, _): firstRow = 0
    case (.end, _): firstRow = lastFirstRow
    case (.enter, .post), (.character(" "), .post): return post(at: now)
    case (.enter, .cancel), (.character(" "), .cancel): return [isPushed ? .goesBack : .cancels]
    case (.enter, _), (.character(" "), _):
      if let target = focusedTarget { return press(target, at: now) }
    default: break
    }
    return []
  }

  private mutating func take(
    _ event: MouseEvent,
    _ action: PaneAction?,
    at now: ContinuousClock.Instant
  ) -> [Event] {
    switch (event.action, action) {
    case (.wheelDown, _): scroll(by: 1)
    case (.wheelUp, _): scroll(by: -1)
    case (_, .element(let target)?):
      guard let index = targets.firstIndex(of: target) else { break }
      (focus, hasMoved) = (.element(PageFocus.Element(target, at: index)), true)
      guard case .field(let field) = target.role else { return press(target, at: now) }
      return edit(.cursor(column: event.column - origin.column - field.origin.column), field, now)
    case (_, .post?): return post(at: now)
    case (_, .cancel?): return [.cancels]
    case (_, .back?): return [.goesBack]
    default: break
    }
    return []
  }

  private mutating func post(at now: ContinuousClock.Instant) -> [Event] {
    guard postWord != nil else { return [] }
    return input.tellAll(at: now) + [.posts]
  }

  private mutating func press(_ target: PressTarget, at now: ContinuousClock.Instant) -> [Event] {
    let events = input.press(target, at: now)
    layOut()
    keepFocus()
    return events
  }

  // MARK: - Fields

  private mutating func type(
    _ key: Key,
    in field: FieldTarget,
    of target: PressTarget,
    at now: ContinuousClock.Instant
  ) -> [Event] {
    switch key {
    case .up: step(by: -1)
    case .down: step(by: 1)
    case .enter:
      guard let action = target.action else {
        move(by: 1)
        break
      }
      let told = edit(.enter, field, now)
      let text = input.text(of: field)
      return told + [.presses(PerformActionRequest(action: action, text: text))]
    default:
      if let change = LineEditor.Edit(key) { return edit(.key(change), field, now) }
    }
    return []
  }

  private mutating func edit(
    _ edit: CardFields.Edit,
    _ field: FieldTarget,
    _ now: ContinuousClock.Instant
  ) -> [Event] {
    let events = input.edit(edit, field, in: shown.node, at: now)
    layOut()
    reveal()
    return events
  }
}
