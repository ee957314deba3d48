/// The warmest sensor of a chip.
struct Temperature: Hashable, Sendable {
  /// More chips are left out.
  static let limit = 8

  /// The chip, and its sensor if that has a name: `coretemp Package id 0`.
  var name: String
  /// In thousandths of a degree Celsius.
  var thousandths: Int
  /// From where on it is too warm, if the chip says so.
  var critical: Int?

  /// Whole degrees.
  var degrees: Int { Int((Double(thousandths) / 1000).rounded()) }
  /// Whether it is as warm as it must not be.
  var isHigh: Bool { thousandths >= critical ?? 100_000 }

  /// Numbers of sensors that are connected to nothing are out of it.
  private static let range = -55_000...200_000

  /// The warmest chips, in `/sys/class/hwmon`; where that has none, in `/sys/class/thermal`
  /// (Documentation/hwmon/sysfs-interface.rst, Documentation/driver-api/thermal/sysfs-api.rst of Linux).
  static func all(in sys: KernelFolder) -> [Temperature] {
    let chips = sys.names(in: "class/hwmon", prefix: "hwmon").compactMap {
      chip(at: "class/hwmon/" + $0, in: sys)
    }
    let zones = sys.names(in: "class/thermal", prefix: "thermal_zone").compactMap {
      zone(at: "class/thermal/" + $0, in: sys)
    }
    let all = chips.isEmpty ? zones : chips
    return Array(all.sorted { ($1.thousandths, $0.name) < ($0.thousandths, $1.name) }.prefix(limit))
  }

  private static func chip(at folder: String, in sys: KernelFolder) -> Temperature? {
    let name = sys.line(of: folder + "/name") ?? "sensor"
    let sensors = sys.names(in: folder, prefix: "temp").filter { $0.hasSuffix("_input") }
    return sensors.compactMap { input -> Temperature? in
      let sensor = folder + "/" + input.dropLast("_input".utf8.count)
      // What is measured then is no temperature.
      if sys.line(of: sensor + "_fault") == "1" { return nil }
      guard let value = number(of: sensor + "_input", in: sys) else { return nil }
      let label = sys.line(of: sensor + "_label").map { " " + $0 } ?? ""
      // Some chips have 0 for “not known”.
      let critical = number(of: sensor + "_crit", in: sys).flatMap { $0 > 0 ? $0 : nil }
      return Temperature(name: name + label, thousandths: value, critical: critical)
    }
    .max { $0.thousandths < $1.thousandths }
  }

  private static func zone(at folder: String, in sys: KernelFolder) -> Temperature? {
    guard let value = number(of: folder + "/temp", in: sys) else { return nil }
    return Temperature(name: sys.line(of: folder + "/type") ?? "sensor", thousandths: value)
  }

  private static func number(of file: String, in sys: KernelFolder) -> Int? {
    sys.line(of: file).flatMap { Int($0) }.flatMap { range.contains($0) ? $0 : nil }
  }
}
