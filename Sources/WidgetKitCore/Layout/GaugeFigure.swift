/// A gauge ready to be drawn at any width.
///
/// ```
/// Memory ███████▌············  7.1 of 24 GB
/// ```
struct GaugeFigure {
  let label: TextFlow?
  let value: TextFlow?
  /// How full the bar is, 0 to 1.
  let fraction: Double
  /// The colour of the highest threshold reached; nil for the node's own.
  let color: Color?

  private static let leastBar = 4

  init(_ content: GaugeContent, label: TextFlow?, value: TextFlow?, isRedacted: Bool) {
    self.label = label
    self.value = value
    fraction =
      isRedacted
      ? 0 : Self.fraction(of: content.value, from: content.minimum, to: content.maximum)
    let reached = content.thresholds.filter { content.value >= $0.at }
    color = isRedacted ? nil : reached.max { $0.at < $1.at }?.foreground
  }

  /// Returns the position of `value` between two bounds, 0 to 1, for any three numbers.
  static func fraction(of value: Double, from lower: Double, to upper: Double) -> Double {
    guard lower < upper else { return value >= upper && value > 0 ? 1 : 0 }
    // Halves are used because the difference of two finite numbers may be infinite.
    let part = (value / 2 - lower / 2) / (upper / 2 - lower / 2)
    return part.isNaN ? 0 : min(max(part, 0), 1)
  }

  var minColumns: Int { Self.leastBar }

  var idealColumns: Int {
    words(label) + 12 + words(value)
  }

  /// Returns the columns of a text and of the space next to it.
  private func words(_ flow: TextFlow?) -> Int {
    guard let flow, flow.idealColumns > 0 else { return 0 }
    return flow.idealColumns + 1
  }

  /// Returns how many columns of `width` the label, the bar and the value get; each text includes its
  /// space.
  ///
  /// The bar keeps at least four columns. If it cannot, it is left out, provided that the label and the
  /// value then fit; otherwise the value is left out, and the label last.
  func parts(_ width: Int) -> (label: Int, bar: Int, value: Int) {
    let label = words(label)
    let value = words(value)
    let room = width - Self.leastBar
    if label + value <= room { return (label, width - label - value, value) }
    if label > 0 && value > 0 && label + value - 1 <= width { return (width - value, 0, value) }
    let shortened = min(label, room)
    return shortened < 4 ? (0, max(0, width), 0) : (shortened, width - shortened, 0)
  }

  /// Returns the glyphs of a bar; those before `filled` are filled.
  func bar(_ columns: Int, _ glyphs: GlyphSet) -> (glyphs: [Glyph], filled: Int) {
    let ramp = Ramp.rightward(glyphs)
    let steps = ramp.level(fraction, cells: columns)
    let whole = steps / ramp.steps
    var result = Array(repeating: ramp.full, count: min(whole, columns))
    if steps % ramp.steps > 0 && result.count < columns {
      result.append(ramp.glyphs[steps % ramp.steps - 1])
    }
    let filled = result.count
    result += Array(repeating: Ramp.track(glyphs), count: columns - filled)
    return (result, filled)
  }
}
