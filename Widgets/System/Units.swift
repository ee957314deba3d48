/// Formats numbers with two or three digits and one unit.
enum Units {
  static let binary = Scale(base: 1024, names: ["B", "KiB", "MiB", "GiB", "TiB", "PiB"])
  static let decimal = Scale(base: 1000, names: ["B", "kB", "MB", "GB", "TB", "PB"])

  /// Steps of a unit.
  struct Scale {
    let base: Double
    let names: [String]

    /// The unit in which `value` has one to three digits before the point, and its size.
    func unit(for value: Double) -> (name: String, size: Double) {
      var size = 1.0
      var index = 0
      // 999.5 would be written as 1000.
      while value / size >= 999.5, index + 1 < names.count {
        size *= base
        index += 1
      }
      return (names[index], size)
    }
  }

  /// `7.1 of 24 GiB`: both in the unit of the total.
  static func share(_ part: UInt64, of whole: UInt64, _ scale: Scale) -> String {
    let unit = scale.unit(for: Double(whole))
    return
      "\(number(Double(part) / unit.size)) of \(number(Double(whole) / unit.size)) \(unit.name)"
  }

  /// A size such as `7.1 GiB`.
  static func size(_ bytes: UInt64, _ scale: Scale) -> String {
    let unit = scale.unit(for: Double(bytes))
    let words = unit.size == 1 ? "\(bytes)" : number(Double(bytes) / unit.size)
    return "\(words) \(unit.name)"
  }

  /// A rate such as `1.2 MB/s`.
  static func rate(_ bytesPerSecond: Double) -> String {
    let unit = decimal.unit(for: bytesPerSecond)
    let isWhole = unit.size == 1
    let words = isWhole ? "\(Int(bytesPerSecond.rounded()))" : number(bytesPerSecond / unit.size)
    return "\(words) \(unit.name)/s"
  }

  /// A share such as `23 %`.
  static func percent(_ share: Double) -> String {
    "\(Int((share * 100).rounded())) %"
  }

  /// One decimal below ten, none above.
  static func number(_ value: Double) -> String {
    guard value < 9.95 else { return "\(Int(value.rounded()))" }
    let tenths = Int((value * 10).rounded())
    return "\(tenths / 10).\(tenths % 10)"
  }
}
