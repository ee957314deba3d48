import CNcurses
import WidgetKitCore

/// The colour pairs of ncurses, allocated as they are needed.
struct ColorPairs {
  private struct Pair: Hashable {
    var foreground: Int32
    var background: Int32
  }

  private var numbers: [Pair: Int32] = [:]
  private let limit: Int
  private let hasDefaults: Bool
  /// How many colours the screen has.
  let depth: ColorDepth

  /// The limit of pairs; further ones are drawn in the default colours of the terminal.
  ///
  /// A cell of ncurses has the number of its pair in 16 bits with a sign.
  private static let bound = 32_000

  /// Starts colours if they are wanted and supported.
  ///
  /// - Parameters:
  ///   - isWanted: Whether the user wants colours.
  ///   - isDirect: Whether the description of the terminal has the colours of ``TerminalDescription``.
  init(isWanted: Bool, isDirect: Bool) {
    guard isWanted, has_colors(), start_color() == OK else {
      limit = 0
      hasDefaults = false
      depth = .none
      return
    }
    hasDefaults = use_default_colors() == OK
    limit = min(Int(cn_color_pairs()) - 1, Self.bound)
    let supported = ColorDepth(colors: Int(cn_colors()))
    depth = isDirect ? supported : min(supported, .palette)
  }

  /// The number of the pair for a style; 0 for the default colours.
  mutating func number(for style: TerminalStyle) -> Int32 {
    guard style.foreground != nil || style.background != nil else { return 0 }
    let pair = Pair(
      foreground: index(style.foreground, default: 7),
      background: index(style.background, default: 0)
    )
    if let number = numbers[pair] { return number }
    guard numbers.count < limit else { return 0 }
    let number = Int32(numbers.count + 1)
    guard init_extended_pair(number, pair.foreground, pair.background) == OK else { return 0 }
    numbers[pair] = number
    return number
  }

  private func index(_ color: TerminalColor?, default other: Int32) -> Int32 {
    switch color {
    case .indexed(let index)?: return Int32(index)
    case .rgb(let rgb)? where depth == .full:
      let number = Int32(rgb.red) << 16 | Int32(rgb.green) << 8 | Int32(rgb.blue)
      // Smaller numbers are those of the palette: the darkest blues get a trace of green.
      return number < 256 ? number + 256 : number
    case .rgb(let rgb)?: return Int32(rgb.nearest(of: 0..<max(1, min(256, depth.rawValue))))
    case nil: return hasDefaults ? -1 : other
    }
  }
}
