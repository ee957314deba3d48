import CNcurses
import WidgetKitCore

/// The colour pairs of ncurses, allocated as they are needed.
struct ColorPairs {
  private struct Pair: Hashable {
    var foreground: Int16
    var background: Int16
  }

  private var numbers: [Pair: Int32] = [:]
  private let limit: Int
  private let hasDefaults: Bool
  /// How many colours the screen has.
  let depth: ColorDepth

  /// The limit of pairs; further ones are drawn in the default colours of the terminal.
  private static let bound = 4_096

  /// Starts colours if they are wanted and supported.
  init(isWanted: Bool) {
    guard isWanted, has_colors(), start_color() == OK else {
      limit = 0
      hasDefaults = false
      depth = .none
      return
    }
    hasDefaults = use_default_colors() == OK
    limit = min(Int(cn_color_pairs()) - 1, Self.bound)
    depth = min(ColorDepth(colors: Int(cn_colors())), .palette)
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
    guard init_pair(Int16(number), pair.foreground, pair.background) == OK else { return 0 }
    numbers[pair] = number
    return number
  }

  private func index(_ color: TerminalColor?, default other: Int16) -> Int16 {
    switch color {
    case .indexed(let index)?: Int16(index)
    case .rgb(let rgb)?: Int16(rgb.nearest(of: 0..<max(1, min(256, depth.rawValue))))
    case nil: hasDefaults ? -1 : other
    }
  }
}
