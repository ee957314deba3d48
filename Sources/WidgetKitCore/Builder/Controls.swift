/// A button; a press calls `perform(action:value:)`.
public struct Button: View {
  /// A button is one element and has no body.
  public typealias Body = Never

  /// The button as one element.
  public let nodes: [ViewNode]

  /// Creates a button with a text.
  ///
  /// - Parameters:
  ///   - title: The text.
  ///   - action: The name that a press sends to the widget.
  public init(_ title: String, action: String) {
    self.init(action: action) { Text(title) }
  }

  /// Creates a button with any view as its label.
  ///
  /// - Parameters:
  ///   - action: The name that a press sends to the widget.
  ///   - label: The label.
  public init(action: String, @ViewBuilder label: () -> Group) {
    var node = ViewNode(.button(ControlContent(label: label().node)))
    node.action = action
    nodes = [node]
  }
}

/// A toggle; a press calls `perform(action:value:)` with the new state.
public struct Toggle: View {
  /// A toggle is one element and has no body.
  public typealias Body = Never

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

/// A view that opens a URL when it is pressed.
public struct Link: View {
  /// A link is one element and has no body.
  public typealias Body = Never

  /// The link as one element.
  public let nodes: [ViewNode]

  /// Creates a link with a text.
  ///
  /// - Parameters:
  ///   - title: The text.
  ///   - destination: The URL.
  public init(_ title: String, destination: String) {
    self.init(destination: destination) { Text(title) }
  }

  /// Creates a link from any view.
  ///
  /// - Parameters:
  ///   - destination: The URL.
  ///   - label: The view that is pressed.
  public init(destination: String, @ViewBuilder label: () -> Group) {
    var node = label().node
    node.link = destination
    nodes = [node]
  }
}
