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

extension ToggleContent: NodeContent {
  static let type = "toggle"
  var wrapped: ViewNode.Content { .toggle(self) }

  enum Member: Int, ViewMemberKey {
    case label, isOn
    static let names = listNames()
  }

  init(_ members: borrowing Reader) throws {
    self.init(label: try members.label(.label), isOn: try members.flag(.isOn) ?? false)
  }

  func write(to members: inout Writer) throws {
    try members.encode(label, forKey: .label)
    try members.encode(isOn, forKey: .isOn, unless: false)
  }

  var nodes: [ViewNode] { [label] }
  mutating func changeNodes(_ change: (inout ViewNode) -> Void) { change(&label) }

  var newValue: Bool? { !isOn }

  func box(_ origin: LayoutBox.Origin, _ builder: BoxBuilder) -> LayoutBox {
    let isKnown = !origin.isRedacted
    let mark =
      if builder.isUnicode {
        isKnown ? (isOn ? "☑ " : "☐ ") : "\(builder.coverText) "
      } else {
        "[\(isKnown ? (isOn ? "x" : " ") : builder.coverText)] "
      }
    let color = isOn && isKnown && origin.style.background == nil ? Color.accent : nil
    return ControlBox(origin, label: builder.line(label, of: origin), (mark, color), end: "")
  }
}

/// A toggle; a press calls `perform(action:value:)` with the new state.
public struct Toggle: ElementView {
  /// The toggle as one element.
  public let nodes: [ViewNode]

  /// Creates a toggle with a text next to it.
  ///
  /// - Parameters:
  ///   - title: The text.
  ///   - isOn: Whether it is on.
  ///   - action: The name that a press sends to the widget.
  public init(_ title: String, isOn: Bool, action: String) {
    self.init(isOn: isOn, action: action) { Text(title) }
  }

  /// Creates a toggle with any view next to it.
  ///
  /// - Parameters:
  ///   - isOn: Whether it is on.
  ///   - action: The name that a press sends to the widget.
  ///   - label: The view next to the box.
  public init(isOn: Bool, action: String, @ViewBuilder label: () -> Group) {
    var node = ViewNode(.toggle(ToggleContent(label: label().node, isOn: isOn)))
    node.action = action
    nodes = [node]
  }
}
