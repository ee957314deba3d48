/// A button; a press calls `perform(action:value:)`.
public struct Button: View {
  /// What a button has: one element, and no body.
  public typealias Body = Never

  /// The button as one element.
  public let nodes: [ViewNode]

  /// Creates a button with words on it.
  ///
  /// - Parameters:
  ///   - title: The words.
  ///   - action: The name that a press sends to the widget.
  public init(_ title: String, action: String) {
    self.init(action: action) { Text(title) }
  }

  /// Creates a button with any view on it.
  ///
  /// - Parameters:
  ///   - action: The name that a press sends to the widget.
  ///   - label: What is on the button.
  public init(action: String, @ViewBuilder label: () -> Group) {
    var node = ViewNode(.button(ControlContent(label: label().node)))
    node.action = action
    nodes = [node]
  }
}

/// A toggle; a press calls `perform(action:value:)` with the new state.
public struct Toggle: View {
  /// What a toggle has: one element, and no body.
  public typealias Body = Never

  /// The toggle as one element.
  public let nodes: [ViewNode]

  /// Creates a toggle with words beside it.
  ///
  /// - Parameters:
  ///   - title: The words.
  ///   - isOn: Whether it is on.
  ///   - action: The name that a press sends to the widget.
  public init(_ title: String, isOn: Bool, action: String) {
    self.init(isOn: isOn, action: action) { Text(title) }
  }

  /// Creates a toggle with any view beside it.
  ///
  /// - Parameters:
  ///   - isOn: Whether it is on.
  ///   - action: The name that a press sends to the widget.
  ///   - label: What is beside the box.
  public init(isOn: Bool, action: String, @ViewBuilder label: () -> Group) {
    var node = ViewNode(.toggle(ToggleContent(label: label().node, isOn: isOn)))
    node.action = action
    nodes = [node]
  }
}

/// Something that opens a URL when it is pressed.
public struct Link: View {
  /// What a link has: one element, and no body.
  public typealias Body = Never

  /// The link as one element.
  public let nodes: [ViewNode]

  /// Creates a link of words.
  ///
  /// - Parameters:
  ///   - title: The words.
  ///   - destination: The URL.
  public init(_ title: String, destination: String) {
    self.init(destination: destination) { Text(title) }
  }

  /// Creates a link of any view.
  ///
  /// - Parameters:
  ///   - destination: The URL.
  ///   - label: What is pressed.
  public init(destination: String, @ViewBuilder label: () -> Group) {
    var node = label().node
    node.link = destination
    nodes = [node]
  }
}
