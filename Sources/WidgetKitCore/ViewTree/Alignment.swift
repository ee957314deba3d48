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

extension Alignment {
  /// Returns the distance of something of `extent` from the start of `room`; 0 if it is too large.
  func offset(of extent: Int, in room: Int) -> Int {
    let free = max(0, room - extent)
    return switch self {
    case .leading: 0
    case .center: free / 2
    case .trailing: free
    }
  }
}
