/// The edges of a frame.
public struct EdgeSet: OptionSet, Sendable {
  /// A bit for each edge.
  public let rawValue: Int

  /// Creates a set from its bits.
  public init(rawValue: Int) {
    self.rawValue = rawValue
  }

  /// Above.
  public static let top = EdgeSet(rawValue: 1)
  /// On the left.
  public static let leading = EdgeSet(rawValue: 2)
  /// Below.
  public static let bottom = EdgeSet(rawValue: 4)
  /// On the right.
  public static let trailing = EdgeSet(rawValue: 8)
  /// On both sides.
  public static let horizontal: EdgeSet = [.leading, .trailing]
  /// Above and below.
  public static let vertical: EdgeSet = [.top, .bottom]
  /// All around.
  public static let all: EdgeSet = [.horizontal, .vertical]
}

extension View {
  /// Makes the text of the view bold.
  public func bold() -> Group { styled { $0.bold = true } }

  /// Makes the text of the view dim.
  public func dim() -> Group { styled { $0.dim = true } }

  /// Slanted text in the whole view, if the terminal supports it.
  public func italic() -> Group { styled { $0.italic = true } }

  /// A line below the text of the whole view.
  public func underline() -> Group { styled { $0.underline = true } }

  /// A line through the text of the whole view, if the terminal supports it.
  public func strikethrough() -> Group { styled { $0.strikethrough = true } }

  /// Foreground and background exchanged in the whole view.
  public func reverse() -> Group { styled { $0.reverse = true } }

  /// The colour of the view's text, bars and lines.
  public func foregroundStyle(_ color: Color) -> Group { styled { $0.foreground = color } }

  /// The colour behind the view, padding included.
  public func background(_ color: Color) -> Group { styled { $0.background = color } }

  /// Adds empty cells around the view, on all edges; one by default.
  public func padding(_ cells: Int = 1) -> Group { padding(.all, cells) }

  /// Empty cells around the view, on some edges.
  public func padding(_ edges: EdgeSet, _ cells: Int = 1) -> Group {
    padding(
      EdgeInsets(
        top: edges.contains(.top) ? cells : 0,
        left: edges.contains(.leading) ? cells : 0,
        bottom: edges.contains(.bottom) ? cells : 0,
        right: edges.contains(.trailing) ? cells : 0
      )
    )
  }

  /// Adds empty cells around the view, a separate number on each edge.
  public func padding(_ insets: EdgeInsets) -> Group {
    changed { node in
      // Padding lies inside a node's frame and background, but this modifier adds it around them.
      if node.frame != .open || node.style.background != nil { node.wrap() }
      node.padding.top += insets.top
      node.padding.left += insets.left
      node.padding.bottom += insets.bottom
      node.padding.right += insets.right
    }
  }

  /// Exactly this many columns and rows; nil for the size of the content.
  public func frame(width: Int? = nil, height: Int? = nil) -> Group {
    changed { node in
      node.frame.width = width ?? node.frame.width
      node.frame.height = height ?? node.frame.height
    }
  }

  /// At least and at most this many columns and rows; nil leaves the bound open.
  public func frame(
    minWidth: Int? = nil,
    maxWidth: Int? = nil,
    minHeight: Int? = nil,
    maxHeight: Int? = nil
  ) -> Group {
    changed { node in
      node.frame.minWidth = minWidth ?? node.frame.minWidth
      node.frame.maxWidth = maxWidth ?? node.frame.maxWidth
      node.frame.minHeight = minHeight ?? node.frame.minHeight
      node.frame.maxHeight = maxHeight ?? node.frame.maxHeight
    }
  }

  /// The priority of the view for width if there is too little room; 0 by default.
  public func layoutPriority(_ priority: Double) -> Group {
    changed { $0.layoutPriority = priority }
  }

  /// The identity of the element, for animations and for presses that wait for the live view.
  public func id(_ id: String) -> Group { changed { $0.id = id } }

  /// A URL that a press on the view opens.
  public func link(_ url: String) -> Group { changed { $0.link = url } }

  /// A name that a press on the view sends to the widget.
  public func action(_ name: String) -> Group { changed { $0.action = name } }

  /// How the view appears and disappears in a transition.
  public func transition(_ transition: NodeTransition) -> Group {
    changed { $0.transition = transition }
  }

  /// Marks the view as sensitive, so that it can be redacted.
  public func privacySensitive(_ sensitive: Bool = true) -> Group {
    changed { $0.privacySensitive = sensitive }
  }

  /// A description for screen readers.
  public func accessibilityLabel(_ words: String) -> Group {
    changed { $0.accessibilityLabel = SafeText(words) }
  }

  /// A sentence about the view, shown in the last line of the page while the view has the focus.
  public func help(_ words: String) -> Group {
    changed { $0.help = SafeText(words) }
  }

  /// At most `rows` rows in each text of the view; nil for as many as it needs.
  public func lineLimit(_ rows: Int?) -> Group {
    changed { $0.changeTexts { $0.lineLimit = rows } }
  }

  /// Which part of a line is omitted if it is too long, in each text of the view.
  public func truncationMode(_ mode: Truncation) -> Group {
    changed { $0.changeTexts { $0.truncation = mode } }
  }

  /// The alignment of lines in their frame, in each text of the view.
  public func multilineTextAlignment(_ alignment: Alignment) -> Group {
    changed { $0.changeTexts { $0.alignment = alignment } }
  }

  private func styled(_ change: (inout TextStyle) -> Void) -> Group {
    changed { change(&$0.style) }
  }

  private func changed(_ change: (inout ViewNode) -> Void) -> Group {
    var nodes = nodes
    for index in nodes.indices { change(&nodes[index]) }
    return Group(nodes: nodes)
  }
}

extension ViewNode {
  /// Puts the node into a stack of its own, which takes the node's place in the enclosing stack.
  fileprivate mutating func wrap() {
    var outer = ViewNode(.vstack(StackContent(children: [self])))
    outer.layoutPriority = layoutPriority
    self = outer
  }

  /// Changes every text in a container and leaves other content alone.
  fileprivate mutating func changeTexts(_ change: (inout TextContent) -> Void) {
    switch content {
    case .text(var text):
      change(&text)
      content = .text(text)
    case .button, .toggle, .list, .fold: break
    default: content.changeChildren { $0.changeTexts(change) }
    }
  }
}
