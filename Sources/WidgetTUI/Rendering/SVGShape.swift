import WidgetKitCore

/// A character that is drawn as a shape of its cell: fonts do not make these join.
nonisolated enum SVGShape: Hashable, Sendable {
  /// A part of the upper half of a cell.
  enum UpperPart: Hashable, Sendable {
    case whole
    case left
    case right
  }

  case horizontal
  case vertical
  /// A thick line over the cell, or a thick one over its left half and a thin one over the other.
  case thick(isHalf: Bool)
  /// A corner whose lines go to the sides named.
  case corner(toRight: Bool, toBottom: Bool, isRound: Bool)
  /// So many eighths from the bottom.
  case lower(Int)
  /// The right half.
  case right
  /// The upper half, or one half of that.
  case upper(UpperPart)
  /// So many eighths from the left.
  case left(Int)
  /// A whole block with some of its colour, in quarters.
  case shade(Int)
  /// A cell of a bar of blocks that is full to so many eighths from the left.
  case bar(Int)
  /// A cell of a bar of blocks that is empty.
  case emptyBar
  /// The dots of a braille character, as its bits.
  case braille(UInt32)

  /// The shape of `glyph`; nil if a font draws it.
  init?(_ glyph: Glyph) {
    guard let scalar = glyph.text.unicodeScalars.first, glyph.text.unicodeScalars.count == 1 else {
      return nil
    }
    switch scalar.value {
    case 0x2500: self = .horizontal
    case 0x2501: self = .thick(isHalf: false)
    case 0x257E: self = .thick(isHalf: true)
    case 0x2502: self = .vertical
    case 0x250C, 0x256D:
      self = .corner(toRight: true, toBottom: true, isRound: scalar.value == 0x256D)
    case 0x2510, 0x256E:
      self = .corner(toRight: false, toBottom: true, isRound: scalar.value == 0x256E)
    case 0x2514, 0x2570:
      self = .corner(toRight: true, toBottom: false, isRound: scalar.value == 0x2570)
    case 0x2518, 0x256F:
      self = .corner(toRight: false, toBottom: false, isRound: scalar.value == 0x256F)
    case 0x2580: self = .upper(.whole)
    case 0x2590: self = .right
    case 0x2598: self = .upper(.left)
    case 0x259D: self = .upper(.right)
    case 0x2581...0x2588: self = .lower(Int(scalar.value) - 0x2580)
    case 0x2589...0x258F: self = .left(0x2590 - Int(scalar.value))
    case 0x2591...0x2593: self = .shade(Int(scalar.value) - 0x2590)
    case 0x2801...0x28FF: self = .braille(scalar.value - 0x2800)
    default: return nil
    }
  }

  /// The same block as a part of a bar.
  var inBar: SVGShape {
    switch self {
    case .lower(8): .bar(8)
    case .left(let eighths): .bar(eighths)
    case .shade: .emptyBar
    default: self
    }
  }

  /// Whether several of them beside each other are one longer one.
  var joins: Bool {
    switch self {
    case .horizontal, .thick(isHalf: false), .upper(.whole), .bar(8), .emptyBar: true
    default: false
    }
  }

  /// The element that draws it.
  func markup(
    origin: (x: Double, y: Double),
    width: Double,
    height: Double,
    color: String
  ) -> String {
    let (x, y) = origin
    let (centerX, centerY) = (x + width / 2, y + height / 2)
    func line(_ path: String) -> String {
      "<path d=\"\(path)\" fill=\"none\" stroke=\"\(color)\" stroke-width=\"1.1\"/>\n"
    }
    func block(_ x: Double, _ y: Double, _ width: Double, _ height: Double) -> String {
      "<rect x=\"\(n(x))\" y=\"\(n(y))\" width=\"\(n(width))\" height=\"\(n(height))\" "
        + "fill=\"\(color)\" shape-rendering=\"crispEdges\""
    }
    switch self {
    case .horizontal: return line("M\(n(x)) \(n(centerY))h\(n(width))")
    case .thick(let isHalf):
      let thick = block(x, centerY - 1.5, isHalf ? width / 2 : width, 3) + "/>\n"
      return isHalf ? thick + line("M\(n(centerX)) \(n(centerY))h\(n(width / 2))") : thick
    case .vertical: return line("M\(n(centerX)) \(n(y))v\(n(height))")
    case .corner(let toRight, let toBottom, let isRound):
      let sideX = toRight ? x + width : x
      let endY = toBottom ? y + height : y
      let radius = isRound ? width / 2 : 0
      let bendX = toRight ? centerX + radius : centerX - radius
      let bendY = toBottom ? centerY + radius : centerY - radius
      return line(
        "M\(n(sideX)) \(n(centerY))L\(n(bendX)) \(n(centerY))"
          + "Q\(n(centerX)) \(n(centerY)) \(n(centerX)) \(n(bendY))L\(n(centerX)) \(n(endY))"
      )
    case .lower(let eighths):
      let part = height * Double(eighths) / 8
      return block(x, y + height - part, width, part) + "/>\n"
    case .right: return block(x + width / 2, y, width / 2, height) + "/>\n"
    case .upper(let part):
      let start = part == .right ? x + width / 2 : x
      return block(start, y, part == .whole ? width : width / 2, height / 2) + "/>\n"
    case .left(let eighths): return block(x, y, width * Double(eighths) / 8, height) + "/>\n"
    case .bar(let eighths):
      return block(x, y + 4, width * Double(eighths) / 8, height - 8) + "/>\n"
    case .emptyBar: return block(x, y + 4, width, height - 8) + " fill-opacity=\"0.6\"/>\n"
    case .shade(let quarters):
      return block(x, y, width, height) + " fill-opacity=\"\(n(Double(quarters) / 4))\"/>\n"
    case .braille(let dots):
      // Unicode numbers the dots 1 2 3 7 down the left side and 4 5 6 8 down the right.
      let places = [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2), (0, 3), (1, 3)]
      return places.enumerated().filter { dots & (1 << UInt32($0.offset)) != 0 }.map { dot in
        let dotX = x + width * (dot.element.0 == 0 ? 0.27 : 0.73)
        let dotY = y + height * (Double(dot.element.1) + 0.5) / 4
        return "<circle cx=\"\(n(dotX))\" cy=\"\(n(dotY))\" r=\"1.2\" fill=\"\(color)\"/>\n"
      }.joined()
    }
  }

  /// A length with at most two digits after the point.
  static func number(_ value: Double) -> String {
    let hundredths = Int((value * 100).rounded())
    let (whole, rest) = (abs(hundredths) / 100, abs(hundredths) % 100)
    let sign = hundredths < 0 ? "-" : ""
    if rest == 0 { return "\(sign)\(whole)" }
    let digits = rest % 10 == 0 ? "\(rest / 10)" : (rest < 10 ? "0\(rest)" : "\(rest)")
    return "\(sign)\(whole).\(digits)"
  }

  private func n(_ value: Double) -> String { Self.number(value) }
}
