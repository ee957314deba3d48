/// The members of a `spacer`.
struct SpacerContent: NodeContent {
  var minLength: Int

  static let type = "spacer"
  var wrapped: ViewNode.Content { .spacer(minLength: minLength) }

  enum Member: Int, ViewMemberKey {
    case minLength
    static let names = listNames()
  }

  init(minLength: Int) { self.minLength = minLength }

  init(_ members: borrowing Reader) throws { minLength = try members.extent(.minLength) ?? 0 }

  func write(to members: inout Writer) throws {
    try members.encode(minLength, forKey: .minLength, unless: 0)
  }

  func box(_ origin: LayoutBox.Origin, _ builder: BoxBuilder) -> LayoutBox {
    SpacerBox(origin, minLength: minLength.boundedExtent)
  }
}

/// Flexible space along a stack.
final class SpacerBox: LayoutBox {
  private let minLength: Int

  init(_ origin: Origin, minLength: Int) {
    self.minLength = minLength
    super.init(origin)
  }

  override var isSpacer: Bool { true }

  override var wish: Wish {
    let columns = container == .row ? minLength : 0
    let (grows, growsRows) = (container != .column, container != .row)
    return Wish(minimum: columns, ideal: columns, grows: grows, growsRows: growsRows)
  }

  override func measureContent(_ width: Int) -> Size {
    Size(columns: container == .row ? width : 0, rows: container == .column ? minLength : 0)
  }
}

/// Flexible space along the stack.
public struct Spacer: ElementView {
  /// The spacer as one element.
  public let nodes: [ViewNode]

  /// Creates a spacer of at least `minLength` cells.
  public init(minLength: Int = 0) {
    nodes = [ViewNode(.spacer(minLength: minLength))]
  }
}
