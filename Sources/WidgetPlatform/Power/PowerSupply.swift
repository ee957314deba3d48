import FoundationEssentials
import Glibc

/// Whether the machine runs on a battery, as Linux says below /sys/class/power_supply.
package struct PowerSupply {
  /// The folder with one folder for each supply.
  package var folder = "/sys/class/power_supply"

  /// Creates it with its values.
  package init(folder: String = "/sys/class/power_supply") {
    self.folder = folder
  }

  /// How many supplies are read.
  private static let limit = 32

  /// Whether a battery of the machine discharges and no supply from outside is connected.
  ///
  /// Batteries of other devices, such as a mouse, have the scope `Device`. Without the folder, as on most
  /// servers, the machine is not on a battery.
  package var isOnBattery: Bool {
    var discharges = false
    for name in names.prefix(Self.limit) {
      let value = { (file: String) in Self.word("\(folder)/\(name)/\(file)") }
      guard value("scope") != "Device" else { continue }
      if value("type") == "Battery" {
        discharges = discharges || value("status") == "Discharging"
      } else if value("online") == "1" {
        return false
      }
    }
    return discharges
  }

  /// Whether the machine has a battery of its own.
  package var hasBattery: Bool {
    names.prefix(Self.limit).contains { name in
      Self.word("\(folder)/\(name)/type") == "Battery"
        && Self.word("\(folder)/\(name)/scope") != "Device"
    }
  }

  private var names: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
  }

  /// The first line of a small file; nil for anything that is not a file.
  private static func word(_ path: String) -> String? {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var buffer = [UInt8](repeating: 0, count: 64)
    let count = unsafe read(descriptor, &buffer, buffer.count)
    guard count > 0 else { return nil }
    return String(decoding: buffer.prefix(count).prefix { $0 > 0x20 }, as: UTF8.self)
  }
}
