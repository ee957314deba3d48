import FoundationEssentials
import WidgetKitCore

/// A card's content laid out at its width; it is cached until the content, the width or the time
/// changes.
struct CardLayout {
  /// The view tree.
  private(set) var view: ViewNode?
  /// The height that the widget prefers; if it is nil, the view determines the height.
  private(set) var preferredHeight: Int?
  /// Whether a process that has ended set that height; the view of another process discards it.
  private var isHeightInherited = false
  /// What the process of this host has said about its height, while a picture of another host is shown; nil
  /// while its own content is.
  private var own: OwnHeight?
  /// The width of the body in columns.
  private(set) var width = 0

  private struct OwnHeight {
    var rows: Int?
    var isInherited: Bool

    mutating func take(_ size: Stated<PreferredContentSize>) {
      switch size {
      case .unstated: break
      case .null: (rows, isInherited) = (nil, false)
      case .value(let size): (rows, isInherited) = (size.height, false)
      }
    }
  }

  /// Toggles that are shown in the state that they will have when the widget has answered.
  var switched: [PressTarget] = [] {
    didSet { if switched != oldValue { cached = nil } }
  }

  /// The rows of the screen that the view has to itself, which it fills; nil on a page.
  var screenRows: Int? {
    didSet { if screenRows != oldValue { cached = nil } }
  }

  private var cached: LaidOutView?
  private var cachedRows: Int?
  /// The time in the layout.
  private var cachedTime = Date.distantPast

  /// Shows what another host's process has made in place of all that this one's has said, which holds again
  /// with its next view; returns whether anything changed.
  mutating func adopt(_ content: ContentUpdate) -> Bool {
    let own = own ?? OwnHeight(rows: preferredHeight, isInherited: isHeightInherited)
    self.own = nil
    let changed = apply(content)
    self.own = own
    return changed
  }

  /// Applies new content; returns whether anything changed.
  ///
  /// A height alone does not concern the picture of another host.
  mutating func apply(_ content: ContentUpdate) -> Bool {
    var changed = false
    if var own {
      guard content.view != nil else {
        own.take(content.preferredContentSize)
        self.own = own
        return false
      }
      self.own = nil
      changed = preferredHeight != own.rows
      (preferredHeight, isHeightInherited) = (own.rows, own.isInherited)
    }
    if content.view != nil, isHeightInherited {
      isHeightInherited = false
      changed = changed || preferredHeight != nil
      preferredHeight = nil
    }
    if let view = content.view, view != self.view {
      self.view = view
      changed = true
    }
    switch content.preferredContentSize {
    case .unstated: break
    case .null:
      changed = changed || preferredHeight != nil
      preferredHeight = nil
      isHeightInherited = false
    case .value(let size):
      isHeightInherited = false
      changed = changed || preferredHeight != size.height
      preferredHeight = size.height
    }
    if changed { cached = nil }
    return changed
  }

  /// Keeps the preferred height only until another view is shown, because its process has ended.
  mutating func inheritHeight() {
    if own != nil {
      own = OwnHeight(rows: nil, isInherited: false)
    } else {
      isHeightInherited = true
    }
  }

  /// Sets the width of the body.
  mutating func setWidth(_ width: Int) {
    guard width != self.width else { return }
    self.width = max(0, width)
    cached = nil
  }

  /// Discards the layout because the environment changed.
  mutating func invalidate() {
    cached = nil
  }

  /// Returns the rows that the content needs: the preferred height, or the height of the view.
  mutating func wantedRows(in environment: LayoutEnvironment) -> Int {
    preferredHeight ?? laidOut(rows: nil, in: environment).size.rows
  }

  /// Returns the content laid out with a height of `rows`, or with its own height.
  mutating func laidOut(rows: Int?, in environment: LayoutEnvironment) -> LaidOutView {
    if let cached, cachedRows == rows || cached.size.rows == rows,
      // A clock that was set back shows another time, long before the next change.
      cached.nextChange.map({ $0 > environment.now && cachedTime <= environment.now }) ?? true
    {
      return cached
    }
    let shown = switched.isEmpty ? view : view?.switching(switched)
    let result =
      fillsScreen
      ? layOutOnScreen(shown, rows: rows, in: environment)
      : Self.layOut(shown, width: width, rows: rows, in: environment)
    cached = result
    cachedRows = rows
    cachedTime = environment.now
    return result
  }

  /// Whether the view decides its height, and has a screen to itself.
  private var fillsScreen: Bool { screenRows != nil && preferredHeight == nil }

  /// Lays out a view on the screen; what it leaves free is below it, and not between its parts.
  private func layOutOnScreen(
    _ view: ViewNode?,
    rows: Int?,
    in environment: LayoutEnvironment
  ) -> LaidOutView {
    let filled = view.map { view in
      ZoomedView.fill(view, rows: screenRows ?? 0) {
        Self.layOut($0, width: width, rows: nil, in: environment).size.rows
      }
    }
    var result = Self.layOut(filled, width: width, rows: nil, in: environment)
    guard let rows, result.size.rows != rows else { return result }
    if result.size.rows > rows {
      return Self.layOut(filled, width: width, rows: rows, in: environment)
    }
    result.size.rows = rows
    return result
  }

  /// Returns how many rows of the view a height of `rows` cuts off.
  func rowsCut(at rows: Int, in environment: LayoutEnvironment) -> Int {
    max(0, Self.layOut(view, width: width, rows: nil, in: environment).size.rows - rows)
  }

  /// Returns the height of a view that is not shown.
  func rows(of view: ViewNode, in environment: LayoutEnvironment) -> Int {
    Self.layOut(view, width: width, rows: nil, in: environment).size.rows
  }

  /// Lays out a view that is not the card's own, such as an alongside one.
  func laidOut(_ view: ViewNode, rows: Int, in environment: LayoutEnvironment) -> LaidOutView {
    Self.layOut(view, width: width, rows: rows, in: environment)
  }

  private static func layOut(
    _ view: ViewNode?,
    width: Int,
    rows: Int?,
    in environment: LayoutEnvironment
  ) -> LaidOutView {
    guard let view else { return LaidOutView(size: Size(columns: width, rows: rows ?? 0)) }
    return ViewLayout.layOut(view, width: width, height: rows, in: environment)
  }
}
