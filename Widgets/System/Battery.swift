/// A battery of the machine.
struct Battery: Hashable, Sendable {
  /// More batteries are left out.
  static let limit = 4

  /// How full it is, 0 to 100.
  var percent: Int
  /// What it does, if there is something to say: `charging`.
  var state: String?

  /// The batteries in `/sys/class/power_supply`, without those of mice and other devices
  /// (Documentation/ABI/testing/sysfs-class-power of Linux).
  static func all(in sys: KernelFolder) -> [Battery] {
    let folders = sys.names(in: "class/power_supply").map { "class/power_supply/" + $0 }
    return Array(folders.lazy.compactMap { battery(at: $0, in: sys) }.prefix(limit))
  }

  private static func battery(at folder: String, in sys: KernelFolder) -> Battery? {
    guard sys.line(of: folder + "/type") == "Battery", sys.line(of: folder + "/scope") != "Device",
      sys.line(of: folder + "/present") != "0",
      let percent = sys.line(of: folder + "/capacity").flatMap({ Int($0) }), percent >= 0
    else { return nil }
    let state: String? =
      switch sys.line(of: folder + "/status") ?? "" {
      case "Charging": "charging"
      case "Full", "Not charging": "full"
      default: nil
      }
    return Battery(percent: min(percent, 100), state: state)
  }
}
