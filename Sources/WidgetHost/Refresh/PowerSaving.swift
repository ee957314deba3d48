import FoundationEssentials
import Glibc

/// Whether the machine runs on a battery, as Linux says below /sys/class/power_supply.
nonisolated struct PowerSupply {
  /// The folder with one folder for each supply.
  var folder = "/sys/class/power_supply"

  /// How many supplies are read.
  private static let limit = 32

  /// Whether a battery of the machine discharges and no supply from outside is connected.
  ///
  /// Batteries of other devices, such as a mouse, have the scope `Device`. Without the folder, as on most
  /// servers, the machine is not on a battery.
  var isOnBattery: Bool {
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
  var hasBattery: Bool {
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

/// Whether updates that nobody sees should be rarer: the machine runs on a battery, or the user has done
/// nothing for half an hour.
///
/// It has no timer, so that an idle page sleeps: whoever plans an update asks. A class because all cards
/// of a page share it.
final class PowerSaving {
  /// Called in a later turn when the machine has got on a battery or off it, or the user is back.
  var onChange: () -> Void = {}

  private let clock: any HostClock
  private let supply: PowerSupply
  private lazy var change = TurnSignal(clock: clock) { [weak self] in self?.onChange() }
  private var lastInput: ContinuousClock.Instant
  /// What the supply said last, and when.
  private var found: (isOnBattery: Bool, at: ContinuousClock.Instant)?

  /// The time without input after which the user counts as absent.
  static let absence: Duration = .seconds(30 * 60)
  /// How long the state of the supply is not read again.
  private static let validity: Duration = .seconds(60)

  /// Creates it at a moment at which the user is there.
  init(clock: any HostClock, supply: PowerSupply) {
    self.clock = clock
    self.supply = supply
    lastInput = clock.now
  }

  /// Whether updates that nobody sees should be rarer.
  var isWanted: Bool { isAbsent || isOnBattery }

  private var isAbsent: Bool { lastInput.duration(to: clock.now) >= Self.absence }

  private var isOnBattery: Bool {
    let now = clock.now
    if let found, found.at.duration(to: now) < Self.validity { return found.isOnBattery }
    let isOnBattery = supply.isOnBattery
    if let found, found.isOnBattery != isOnBattery { change.raise() }
    found = (isOnBattery, now)
    return isOnBattery
  }

  /// The user has done something.
  func noteInput() {
    if isAbsent { change.raise() }
    lastInput = clock.now
  }
}
