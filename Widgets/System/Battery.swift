/// A battery of the machine.
struct Battery: Hashable, Sendable {
  /// More batteries are left out.
  static let limit = 4

  /// How full it is, 0 to 100.
  var percent: Int
  /// What it does, if there is something to say: `charging`, `not charging`, `full`.
  var state: String?

  /// The batteries in `/sys/class/power_supply`, without those of mice and other devices
  /// (Documentation/ABI/testing/sysfs-class-power of Linux).
  static func all(in sys: KernelFolder) -> [Battery] {
    let folders = sys.names(in: "class/power_supply").map { "class/power_supply/" + $0 }
    return Array(folders.lazy.compactMap { battery(at: $0, in: sys) }.prefix(limit))
  }

  private static func battery(at folder: String, in sys: KernelFolder) -> Battery? {
    guard sys.line(of: folder + "/type") == "Battery", sys.line(of: folder + "/scope") != "Device",
      sys.line(of: folder + "/present") != "0", let percent = percent(at: folder, in: sys)
    else { return nil }
    let state: String? =
      switch sys.line(of: folder + "/status") ?? "" {
      case "Charging": "charging"
      // One that is kept below its limit can call that full.
      case "Full" where percent >= 90: "full"
      case "Full", "Not charging": "not charging"
      default: nil
      }
    return Battery(percent: percent, state: state)
  }

  /// How full it is as it says, else counted in energy or in charge; nil if it does not say.
  private static func percent(at folder: String, in sys: KernelFolder) -> Int? {
    func number(_ name: String) -> Int? {
      sys.line(of: folder + "/" + name).flatMap { Int($0) }.flatMap { $0 >= 0 ? $0 : nil }
    }
    if let percent = number("capacity") { return min(percent, 100) }
    for kind in ["energy", "charge"] {
      let full = ["_full", "_full_design"].lazy.compactMap { number(kind + $0) }.first { $0 > 0 }
      if let now = number(kind + "_now"), let full {
        return Int(min(100 * Double(now) / Double(full), 100).rounded())
      }
    }
    return nil
  }
}
