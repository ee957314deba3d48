public import FoundationEssentials

/// A run of text with one style and one press target.
public struct TextSpan: Hashable, Sendable {
  /// The text.
  public var text: SafeText
  /// The style, on top of the node's style.
  public var style: TextStyle
  /// A URL that a press on the span opens.
  public var link: String?
  /// A name that a press on the span sends back.
  public var action: String?

  /// Creates a span.
  public init(
    _ text: SafeText,
    style: TextStyle = .inherited,
    link: String? = nil,
    action: String? = nil
  ) {
    self.text = text
    self.style = style
    self.link = link
    self.action = action
  }
}

/// Which part of a line is omitted if it is too long.
public enum Truncation: String, Hashable, Sendable, Codable, CaseIterable {
  /// The end: `Multicolour…`.
  case tail
  /// The middle: `Multi…enders`.
  case middle
  /// The beginning: `…suspenders`.
  case head
}

/// The alignment of something narrower than its space, across a stack or in a column.
public enum Alignment: String, Hashable, Sendable, Codable, CaseIterable {
  /// Left, or at the top.
  case leading
  /// In the middle.
  case center
  /// Right, or at the bottom.
  case trailing
}

/// The members of a `text` node.
public struct TextContent: Hashable, Sendable {
  /// The text, in order.
  public var spans: [TextSpan]
  /// At most this many rows; nil for as many as it needs.
  public var lineLimit: Int?
  /// Which part of the last line is omitted if it is too long.
  public var truncation: Truncation
  /// The alignment of lines in the frame.
  public var alignment: Alignment

  /// Creates the content of a text node.
  public init(
    spans: [TextSpan],
    lineLimit: Int? = nil,
    truncation: Truncation = .tail,
    alignment: Alignment = .leading
  ) {
    self.spans = spans
    self.lineLimit = lineLimit
    self.truncation = truncation
    self.alignment = alignment
  }
}

/// How a `date` node writes its date.
public enum DateDisplay: String, Hashable, Sendable, Codable, CaseIterable {
  /// `14:32:07`
  case time
  /// `Friday 20 November`
  case date
  /// `4 min ago`, `in 2 h`
  case relative
  /// `0:42`: down to the date, then up.
  case timer
  /// `+4 min`, `-2 h`
  case offset
}

/// The members of a `date` node; the host keeps it up to date while the widget is suspended.
public struct DateContent: Hashable, Sendable {
  /// The time that is shown; nil is the current one, which the host keeps up to date.
  public var date: Date?
  /// Seconds east of Greenwich in the text of the date; nil if it ended in `Z`, which means that the
  /// local offset is not known (RFC 9557), and if `date` is nil.
  public var offsetFromGMT: Int?
  /// The form in which it is written.
  public var display: DateDisplay
  /// The tz database name (`Europe/Copenhagen`) of the zone to write it in; if nil, the date's own
  /// offset is used, or else the user's zone.
  public var timeZone: String?

  /// Creates the content of a date node.
  public init(
    date: Date?,
    offsetFromGMT: Int? = nil,
    display: DateDisplay,
    timeZone: String? = nil
  ) {
    self.date = date
    self.offsetFromGMT = offsetFromGMT
    self.display = display
    self.timeZone = timeZone
  }
}

/// The members of a `vstack` or an `hstack`.
public struct StackContent: Hashable, Sendable {
  /// The children, from top to bottom or from left to right.
  public var children: [ViewNode]
  /// Cells between two children: 0 by default in a vstack, 1 in an hstack.
  public var spacing: Int?
  /// The alignment of children across the stack: by default leading (in an hstack: at the top).
  public var alignment: Alignment

  /// Creates the content of a stack.
  public init(children: [ViewNode], spacing: Int? = nil, alignment: Alignment = .leading) {
    self.children = children
    self.spacing = spacing
    self.alignment = alignment
  }
}

/// The members of a `zstack`.
public struct LayeredContent: Hashable, Sendable {
  /// The children, from back to front.
  public var children: [ViewNode]
  /// The alignment of smaller children on both axes: by default in the middle.
  public var alignment: Alignment
  /// The seconds for which each child is shown, one after another; nil if all are shown at once.
  public var interval: Int?

  /// Creates the content of a zstack.
  public init(children: [ViewNode], alignment: Alignment = .center, interval: Int? = nil) {
    self.children = children
    self.alignment = alignment
    self.interval = interval
  }
}

/// One column of a grid.
public struct GridColumn: Hashable, Sendable {
  /// The alignment of cells in the column.
  public var alignment: Alignment
  /// The exact width in cells; nil for the size of the content.
  public var width: Int?
  /// The smallest width in cells.
  public var minWidth: Int?
  /// The priority for its width if there is too little room; 0 by default.
  public var priority: Double

  /// Creates a column.
  public init(
    alignment: Alignment = .leading,
    width: Int? = nil,
    minWidth: Int? = nil,
    priority: Double = 0
  ) {
    self.alignment = alignment
    self.width = width
    self.minWidth = minWidth
    self.priority = priority
  }
}

/// The members of a `grid`.
public struct GridContent: Hashable, Sendable {
  /// Rows of cells; a short row has empty cells at its end.
  public var rows: [[ViewNode]]
  /// The columns; those not described have the size of their content.
  public var columns: [GridColumn]
  /// Cells between two columns; 1 by default.
  public var columnSpacing: Int
  /// Rows between two rows; 0 by default.
  public var rowSpacing: Int

  /// Creates the content of a grid.
  public init(
    rows: [[ViewNode]],
    columns: [GridColumn] = [],
    columnSpacing: Int = 1,
    rowSpacing: Int = 0
  ) {
    self.rows = rows
    self.columns = columns
    self.columnSpacing = columnSpacing
    self.rowSpacing = rowSpacing
  }
}

/// The members of a `button`; its `action` is the node's.
public struct ControlContent: Hashable, Sendable {
  /// The label of the button.
  public var label: ViewNode

  /// Creates the content of a button.
  public init(label: ViewNode) {
    self.label = label
  }
}

/// The members of a `toggle`; its `action` is the node's.
public struct ToggleContent: Hashable, Sendable {
  /// The label next to the toggle.
  public var label: ViewNode
  /// Whether it is on.
  public var isOn: Bool

  /// Creates the content of a toggle.
  public init(label: ViewNode, isOn: Bool) {
    self.label = label
    self.isOn = isOn
  }
}

/// The members of an `ansi` node; its sequences are already converted to styles.
public struct AnsiContent: Hashable, Sendable {
  /// The text as spans; the only node in which line breaks separate rows without wrapping.
  public var spans: [TextSpan]

  /// Creates the content of an ansi node.
  public init(spans: [TextSpan]) {
    self.spans = spans
  }
}

/// The content of an element of an unknown type.
public struct UnknownContent: Hashable, Sendable {
  /// The type's name.
  public var type: String
  /// The text to show instead.
  public var alt: SafeText?
  /// The children, shown as a vstack if there is no `alt`.
  public var children: [ViewNode]

  /// Creates the content of an unknown node.
  public init(type: String, alt: SafeText? = nil, children: [ViewNode] = []) {
    self.type = type
    self.alt = alt
    self.children = children
  }
}
