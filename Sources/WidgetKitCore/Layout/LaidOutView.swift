public import FoundationEssentials

/// Cells in one row that belong to one element.
public struct CellRun: Hashable, Sendable {
  /// The position of the first cell in the view.
  public var position: Position
  /// The cells from left to right; a wide glyph is followed by ``Glyph/continuation``.
  public var cells: [Cell]
  /// The index in ``LaidOutView/elements`` of the nearest element with an `id`, or nil.
  public var element: Int?

  /// Creates a run.
  public init(position: Position, cells: [Cell], element: Int?) {
    self.position = position
    self.cells = cells
    self.element = element
  }
}

/// A node with an `id`, and its frame.
public struct LaidOutElement: Hashable, Sendable {
  /// The node's `id`.
  public var id: String
  /// Its frame in the view.
  public var frame: Rect
  /// The index of the nearest enclosing element with an `id`.
  public var parent: Int?
  /// How it appears and disappears in a transition.
  public var transition: NodeTransition
  /// Whether it is a row of a list.
  package var isRow = false

  /// Creates an element.
  public init(id: String, frame: Rect, parent: Int?, transition: NodeTransition) {
    self.id = id
    self.frame = frame
    self.parent = parent
    self.transition = transition
  }
}

/// A pressable element of a view.
public struct PressTarget: Hashable, Sendable {
  /// The area in which it can be clicked.
  public var frame: Rect
  /// The node's `id`, or the nearest one around it.
  public var elementID: String?
  /// The name to send back to the widget.
  public var action: String?
  /// The URL to open through the router.
  public var link: String?
  /// The new state of a toggle after a press; otherwise nil.
  public var newValue: Bool?
  /// Its text, for screen readers.
  public var label: SafeText
  /// A sentence about it.
  public var help: SafeText?
  /// What a press on it is for.
  package var role = PressRole.element

  /// Creates a target.
  public init(
    frame: Rect,
    elementID: String?,
    action: String?,
    link: String?,
    newValue: Bool?,
    label: SafeText
  ) {
    self.frame = frame
    self.elementID = elementID
    self.action = action
    self.link = link
    self.newValue = newValue
    self.label = label
  }
}

/// A view tree laid out at a width: everything that is needed for drawing, hit testing and motion.
public struct LaidOutView: Sendable {
  /// The given width and the resulting height.
  public var size: Size
  /// The cells to draw, in order: later runs are in front.
  public var runs: [CellRun]
  /// Nodes with an `id`, parents before children.
  public var elements: [LaidOutElement]
  /// The elements that can be pressed, in reading order.
  ///
  /// A target inside another one comes after it, so a click belongs to the last target that it hits. A
  /// span that runs over several lines has a target on each of them.
  public var targets: [PressTarget]
  /// When a `date` node next changes its text, or another layer is shown; nil if there is no such node.
  public var nextChange: Date?
  /// The columns without which a part of the view is cut off; more than its width if one is.
  public var neededColumns: Int
  /// The drawings of its pictures, also those that are not ready.
  package var images: [ImageDrawing] = []
  /// Its bars and large numbers, which can glide to other values.
  package var figures: [ShownFigure] = []
  /// When the first of its countdowns comes to nought; nil if none does.
  package var countdownEnd: Date?

  /// Creates a laid-out view.
  public init(
    size: Size,
    runs: [CellRun] = [],
    elements: [LaidOutElement] = [],
    targets: [PressTarget] = [],
    nextChange: Date? = nil,
    neededColumns: Int = 0
  ) {
    self.size = size
    self.runs = runs
    self.elements = elements
    self.targets = targets
    self.nextChange = nextChange
    self.neededColumns = neededColumns
  }
}
