import Glibc

/// A colour in 24 bits.
nonisolated struct RGB: Hashable, Sendable {
  var red: UInt8
  var green: UInt8
  var blue: UInt8

  /// Creates a colour from its parts.
  init(red: UInt8, green: UInt8, blue: UInt8) {
    self.red = red
    self.green = green
    self.blue = blue
  }

  /// Creates a colour from `0xRRGGBB`.
  init(hex: UInt32) {
    self.init(
      red: UInt8(truncatingIfNeeded: hex >> 16),
      green: UInt8(truncatingIfNeeded: hex >> 8),
      blue: UInt8(truncatingIfNeeded: hex)
    )
  }

  /// Creates the colour of an entry of xterm's palette of 256.
  init(index: UInt8) {
    switch index {
    case 0..<16: self.init(hex: Self.first16[Int(index)])
    case 16..<232:
      let cube = Int(index) - 16
      self.init(
        red: Self.steps[cube / 36],
        green: Self.steps[cube / 6 % 6],
        blue: Self.steps[cube % 6]
      )
    default:
      let level = UInt8(8 + 10 * (Int(index) - 232))
      self.init(red: level, green: level, blue: level)
    }
  }

  private static let steps: [UInt8] = [0, 95, 135, 175, 215, 255]
  private static let first16: [UInt32] = [
    0x000000, 0xCD0000, 0x00CD00, 0xCDCD00, 0x0000EE, 0xCD00CD, 0x00CDCD, 0xE5E5E5,
    0x7F7F7F, 0xFF0000, 0x00FF00, 0xFFFF00, 0x5C5CFF, 0xFF00FF, 0x00FFFF, 0xFFFFFF,
  ]

  /// The nearest entry among `indices` of the palette, in 0…255; of all of them if none `isGood`.
  func nearest(of indices: Range<Int>, where isGood: (RGB) -> Bool = { _ in true }) -> UInt8 {
    var (nearest, nearestGood): ((index: Int, distance: Int)?, (index: Int, distance: Int)?)
    for index in indices {
      let distance = distance(toIndex: index)
      if distance < nearest?.distance ?? .max { nearest = (index, distance) }
      // Whether one is good takes longer to find out than how near it is.
      guard distance < nearestGood?.distance ?? .max else { continue }
      if isGood(RGB(index: UInt8(truncatingIfNeeded: index))) { nearestGood = (index, distance) }
    }
    return UInt8(truncatingIfNeeded: (nearestGood ?? nearest)?.index ?? 0)
  }

  /// The contrast that text needs (WCAG 2.2, success criterion 1.4.3).
  static let textContrast = 4.5

  /// The contrast of two colours, from 1 to 21, as WCAG 2.2 defines it.
  func contrast(with other: RGB) -> Double {
    let (light, dark) = (max(luminance, other.luminance), min(luminance, other.luminance))
    return (light + 0.05) / (dark + 0.05)
  }

  /// The relative luminance from 0 to 1, as WCAG 2.2 defines it.
  var luminance: Double {
    let linear = Self.linear
    return 0.2126 * linear[Int(red)] + 0.7152 * linear[Int(green)] + 0.0722 * linear[Int(blue)]
  }

  /// The light of each value of a part, from 0 to 1.
  ///
  /// A table, as a palette is searched for each colour of a theme before the first picture.
  private static let linear: [Double] = (0...255).map { part in
    let value = Double(part) / 255
    return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
  }

  /// The visual difference of two colours: a weighted distance in RGB, after Thiadmer Riemersma's
  /// “Colour metric”.
  private func distance(toIndex index: Int) -> Int {
    let other = RGB(index: UInt8(truncatingIfNeeded: index))
    let mean = (Int(red) + Int(other.red)) / 2
    let (r, g, b) = (
      Int(red) - Int(other.red), Int(green) - Int(other.green), Int(blue) - Int(other.blue)
    )
    return ((512 + mean) * r * r) >> 8 + 4 * g * g + ((767 - mean) * b * b) >> 8
  }

  /// The colour as `#rrggbb`.
  var hexText: String {
    "#" + [red, green, blue].map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  /// The colour mixed with another one: 0 is itself, 1 the other.
  func mixed(with other: RGB, _ share: Double) -> RGB {
    func mix(_ a: UInt8, _ b: UInt8) -> UInt8 {
      UInt8(clamping: Int((Double(a) + (Double(b) - Double(a)) * share).rounded()))
    }
    return RGB(
      red: mix(red, other.red),
      green: mix(green, other.green),
      blue: mix(blue, other.blue)
    )
  }
}
