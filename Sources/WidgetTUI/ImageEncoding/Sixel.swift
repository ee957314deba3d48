/// Sixel graphics (DEC STD 070, chapter 9): bands of six rows, one colour after another.
nonisolated enum Sixel {
  /// The sequence that draws pixels at the cursor; transparent ones stay as they are.
  ///
  /// - Parameters:
  ///   - width: Columns of pixels.
  ///   - height: Rows of pixels.
  ///   - color: The colour of a pixel by its column and row; nil if it is transparent.
  /// - Returns: The bytes.
  static func sequence(width: Int, height: Int, color: (Int, Int) -> RGB?) -> [UInt8] {
    // An aspect ratio of 1 : 1, transparent where nothing is drawn.
    var bytes = Array("\u{1B}P0;1;0q\"1;1;\(width);\(height)".utf8)
    var isDefined = Array(repeating: false, count: levelCount)
    for top in stride(from: 0, to: height, by: 6) {
      let band = band(top..<min(top + 6, height), width: width, color: color)
      for (index, (number, columns)) in band.enumerated() {
        if !isDefined[number] {
          isDefined[number] = true
          bytes += Array(definition(number).utf8)
        }
        bytes += Array("#\(number)".utf8)
        append(columns, to: &bytes)
        // Back to the left for the next colour, or on to the next band.
        bytes.append(UInt8(ascii: index == band.count - 1 ? "-" : "$"))
      }
      if band.isEmpty { bytes.append(UInt8(ascii: "-")) }
    }
    return bytes + Array("\u{1B}\\".utf8)
  }

  /// Red, green and blue in 6, 7 and 6 steps, as the eye sees green best: 252 of 256 colours.
  private static let steps = (red: 6, green: 7, blue: 6)
  private static let levelCount = steps.red * steps.green * steps.blue

  /// The six bits of each column, by colour.
  private static func band(
    _ rows: Range<Int>,
    width: Int,
    color: (Int, Int) -> RGB?
  ) -> [(Int, [UInt8])] {
    var columns: [Int: [UInt8]] = [:]
    for row in rows {
      let bit = UInt8(1) << UInt8(row - rows.lowerBound)
      for column in 0..<width {
        guard let color = color(column, row) else { continue }
        let number = number(of: color, column, row)
        columns[number, default: Array(repeating: 0, count: width)][column] |= bit
      }
    }
    return columns.sorted { $0.key < $1.key }
  }

  /// The number of the nearest colour, rounded up or down by a pattern so that areas have the mean.
  private static func number(of color: RGB, _ column: Int, _ row: Int) -> Int {
    let threshold = pattern[(row & 3) * 4 + (column & 3)]
    let level = { (part: UInt8, steps: Int) in
      min(steps - 1, (Int(part) * (steps - 1) * 16 + threshold * 255) / (255 * 16))
    }
    return (level(color.red, steps.red) * steps.green + level(color.green, steps.green))
      * steps.blue + level(color.blue, steps.blue)
  }

  /// A threshold of ordered dithering for each of 4 × 4 pixels (Bayer).
  private static let pattern = [0, 8, 2, 10, 12, 4, 14, 6, 3, 11, 1, 9, 15, 7, 13, 5]

  /// The definition of a colour, in parts of a hundred.
  private static func definition(_ number: Int) -> String {
    let parts = [
      number / steps.blue / steps.green * 100 / (steps.red - 1),
      number / steps.blue % steps.green * 100 / (steps.green - 1),
      number % steps.blue * 100 / (steps.blue - 1),
    ]
    return "#\(number);2;\(parts[0]);\(parts[1]);\(parts[2])"
  }

  /// Appends the columns of a colour, repeated ones with their count.
  private static func append(_ columns: [UInt8], to bytes: inout [UInt8]) {
    var index = 0
    let end = (columns.lastIndex { $0 != 0 } ?? -1) + 1
    while index < end {
      var next = index + 1
      while next < end, columns[next] == columns[index] { next += 1 }
      let count = next - index
      let character = columns[index] + 0x3F
      if count > 3 {
        bytes += Array("!\(count)".utf8) + [character]
      } else {
        bytes += Array(repeating: character, count: count)
      }
      index = next
    }
  }
}
