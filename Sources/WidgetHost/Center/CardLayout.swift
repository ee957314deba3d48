import FoundationEssentials
import WidgetKitCore

/// A card's content laid out at its width, kept until the content, the width or the time changes.
struct CardLayout {
  /// The tree.
  private(set) var view: ViewNode?
  /// The height that the widget stated; nil goes by the view.
  private(set) var preferredHeight: Int?
  /// Whether that height was stated by a process that has ended: a view of another one drops it.
  private var isHeightInherited = false
  /// Columns of the body.
  private(set) var width = 0

  /// Toggles that are shown as they will be when the widget has done what it was asked to.
  var switched: [PressTarget] = [] {
    didSet { if switched != oldValue { cached = nil } }
  }

  private var cached: LaidOutView?
  private var cachedRows: Int?

  /// Takes new content; returns whether anything is different.
  mutating func apply(_ content: ContentUpdate) -> Bool {
    var changed = false
    if content.view != nil, isHeightInherited {
      isHeightInherited = false
      changed = preferredHeight != nil
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

  /// Keeps the stated height only as long as the view that is shown: its process has ended.
  mutating func inheritHeight() {
    isHeightInherited = true
  }

  /// Gives the body another width.
  mutating func setWidth(_ width: Int) {
    guard width != self.width else { return }
    self.width = max(0, width)
    cached = nil
  }

  /// Forgets what was laid out, because the environment changed.
  mutating func invalidate() {
    cached = nil
  }

  /// The rows that the content wants: as stated, or as high as the view is.
  mutating func wantedRows(in environment: LayoutEnvironment) -> Int {
    preferredHeight ?? laidOut(rows: nil, in: environment).size.rows
  }

  /// The content laid out, in so many rows or as high as it is.
  mutating func laidOut(rows: Int?, in environment: LayoutEnvironment) -> LaidOutView {
    if let cached, cachedRows == rows || cached.size.rows == rows,
      cached.nextChange.map({ $0 > environment.now }) ?? true
    {
      return cached
    }
    let shown = switched.isEmpty ? view : view?.switching(switched)
    let result = Self.layOut(shown, width: width, rows: rows, in: environment)
    cached = result
    cachedRows = rows
    return result
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
