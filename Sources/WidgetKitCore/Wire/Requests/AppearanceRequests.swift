/// Sent before the live view replaces the snapshot.
///
/// `{"jsonrpc":"2.0","id":2,"method":"viewWillAppear","params":{"size":{"width":36,"height":4},
/// "animated":false}}`. The widget shows its cached state by the time it answers; after 1 s the
/// host continues without an answer.
public struct ViewWillAppearRequest: RequestMessage, Hashable {
  /// The method is `viewWillAppear`.
  public static let method = "viewWillAppear"
  /// The content with which it appears.
  public typealias Reply = ContentUpdate

  /// The current size of the card's body.
  public var size: Size
  /// Whether the card appears with an animation.
  public var animated: Bool

  /// Creates the request.
  public init(size: Size, animated: Bool) {
    self.size = size
    self.animated = animated
  }
}

/// Time to save state: 2 s, more under an expiring activity.
///
/// `{"jsonrpc":"2.0","id":9,"method":"viewWillDisappear","params":{}}`
public struct ViewWillDisappearRequest: RequestMessage, Hashable {
  /// The method is `viewWillDisappear`.
  public static let method = "viewWillDisappear"
  /// The content to store as the last one.
  public typealias Reply = ContentUpdate

  /// Creates the request.
  public init() {}
}

/// Asks for the margins before the first layout.
///
/// `{"jsonrpc":"2.0","id":2,"method":"widgetMarginInsets","params":{"proposed":{"top":0,"left":1,
/// "bottom":0,"right":1}}}`, answered with the same four members.
public struct WidgetMarginInsetsRequest: RequestMessage, Hashable {
  /// The method is `widgetMarginInsets`.
  public static let method = "widgetMarginInsets"
  /// The margins that the widget prefers; the host limits them.
  public typealias Reply = EdgeInsets

  /// The margins that the host proposes.
  public var proposed: EdgeInsets

  /// Creates the request.
  public init(proposed: EdgeInsets) {
    self.proposed = proposed
  }
}
