internal import CTestPlatform

/// One cell of a `TestScreen`.
package struct ScreenCell: Equatable, Sendable {
  /// An attribute of a cell.
  package struct Attributes: OptionSet, Sendable {
    package let rawValue: UInt32
    package init(rawValue: UInt32) { self.rawValue = rawValue }

    package static let bold = Self(rawValue: TEST_CELL_BOLD.rawValue)
    package static let underline = Self(rawValue: TEST_CELL_UNDERLINE.rawValue)
    package static let italic = Self(rawValue: TEST_CELL_ITALIC.rawValue)
    package static let blink = Self(rawValue: TEST_CELL_BLINK.rawValue)
    package static let reverse = Self(rawValue: TEST_CELL_REVERSE.rawValue)
    package static let strike = Self(rawValue: TEST_CELL_STRIKE.rawValue)
  }

  package enum Color: Equatable, Sendable {
    case standard
    case index(Int)
    case rgb(Int)

    init(_ value: Int32) {
      switch value {
      case ..<0: self = .standard
      case ..<0x100: self = .index(Int(value))
      default: self = .rgb(Int(value) & 0xff_ffff)
      }
    }
  }

  /// The character with its combining marks; a space where nothing was written.
  package var text: String
  package var width: Int
  package var attributes: Attributes
  package var foreground: Color
  package var background: Color
  /// Whether this is the second cell of a wide character.
  package var isRightHalf: Bool

  init(_ cell: test_cell) {
    var scalars = String.UnicodeScalarView()
    let codes = cell.characters
    for code in [codes.0, codes.1, codes.2, codes.3, codes.4, codes.5]
      .prefix(Int(max(0, cell.character_count)))
    {
      scalars.append(Unicode.Scalar(code) ?? "\u{fffd}")
    }
    text = scalars.isEmpty ? " " : String(scalars)
    width = Int(cell.width)
    attributes = Attributes(rawValue: cell.flags)
    foreground = Color(cell.foreground)
    background = Color(cell.background)
    isRightHalf = cell.character_count < 0
  }
}
