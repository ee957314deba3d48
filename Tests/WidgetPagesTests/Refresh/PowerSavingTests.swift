import FoundationEssentials
import Glibc
import Testing
import WidgetKitCore
import WidgetTesting

@testable import WidgetCards
@testable import WidgetExtensions
@testable import WidgetPages
@testable import WidgetPlatform

@Suite struct PowerSavingTests {
  /// A folder as the kernel's, with one folder for each supply.
  private final class Supplies {
    let path = "/tmp/today-power-\(UInt64.random(in: 0 ... .max))"

    init(_ supplies: [String: [String: String]] = [:]) throws {
      for (name, files) in supplies { try set(name, files) }
    }

    func set(_ name: String, _ files: [String: String]) throws {
      let folder = "\(path)/\(name)"
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      for (file, text) in files {
        try Data("\(text)\n".utf8).write(to: URL(filePath: "\(folder)/\(file)"))
      }
    }

    var isOnBattery: Bool { PowerSupply(folder: path).isOnBattery }

    deinit {
      try? FileManager.default.removeItem(atPath: path)
    }
  }

  private static let discharging = ["type": "Battery", "status": "Discharging"]
  private static let charging = ["type": "Battery", "status": "Charging"]

  @Test func `a discharging battery without a supply from outside is a battery`() throws {
    #expect(!PowerSupply(folder: "/nowhere").isOnBattery)
    #expect(try Supplies(["BAT0": Self.discharging]).isOnBattery)
    #expect(try !Supplies(["BAT0": Self.charging]).isOnBattery)
    let off = ["type": "Mains", "online": "0"]
    let on = ["type": "Mains", "online": "1"]
    #expect(try Supplies(["BAT0": Self.discharging, "AC": off]).isOnBattery)
    #expect(try !Supplies(["BAT0": Self.discharging, "AC": on]).isOnBattery)
    #expect(
      try !Supplies(["mouse": Self.discharging.merging(["scope": "Device"]) { $1 }]).isOnBattery
    )
  }

  @Test func `what is no supply is ignored`() throws {
    let long = String(repeating: "x", count: 9_999)
    let supplies = try Supplies(["odd": ["type": "\u{0}", "status": long]])
    try FileManager.default.createDirectory(
      atPath: "\(supplies.path)/BAT0/status",
      withIntermediateDirectories: true
    )
    mkfifo("\(supplies.path)/BAT0/type", 0o600)
    #expect(!supplies.isOnBattery)
  }

  @Test func `intervals of hidden cards double while power is saved`() {
    var policy = RefreshPolicy()
    policy.isSavingPower = true
    #expect(policy.interval(wish: .seconds(600), isVisible: false) == .seconds(1_200))
    #expect(policy.interval(wish: .seconds(10), isVisible: false) == .seconds(600))
    #expect(policy.interval(wish: nil, isVisible: false) == .seconds(1_800))
    #expect(policy.interval(wish: .seconds(80_000), isVisible: false) == policy.longestInterval)
    #expect(policy.interval(wish: .seconds(600)) == .seconds(600))
    policy.isDeveloper = true
    #expect(policy.interval(wish: .seconds(600), isVisible: false) == .seconds(600))
  }

  /// A page with one card off the screen that asks for an update every ten minutes.
  private func world(_ supplies: Supplies, savesPower: Bool = true) throws -> EngineWorld {
    let world = try EngineWorld(
      ["widgetPerformUpdate": #"{"result":"noData","refreshAfter":600}"#],
      first: #","view":"a""#
    ) {
      $0.powerSupplies = supplies.path
      $0.schedule.savesPower = savesPower
      $0.schedule.hiddenBudget = 10_000
    }
    try world.open()
    world.center.screen.setVisible([])
    world.pass(.seconds(6))
    return world
  }

  /// How many updates a card gets in three hours, a user who is there or not.
  private func updates(_ world: EngineWorld, isThere: Bool) -> Int {
    let before = world.updates.count
    for _ in 0..<180 {
      if isThere { world.center.updates.noteInput() }
      world.pass(.seconds(60), step: .seconds(10))
    }
    return world.updates.count - before
  }

  @Test func `on a battery a hidden card is updated half as often`() throws {
    #expect(try updates(world(Supplies()), isThere: true) >= 15)
    let battery = try Supplies(["BAT0": Self.discharging])
    #expect(try 7...9 ~= updates(world(battery), isThere: true))
    #expect(try updates(world(battery, savesPower: false), isThere: true) >= 15)
  }

  @Test func `without input for half an hour too, and input ends that`() throws {
    let world = try world(Supplies())
    #expect(8...11 ~= updates(world, isThere: false))
    let due = try #require(world.center.page.controllers.first?.nextUpdate)
    world.center.updates.noteInput()
    world.settle()
    let now = try #require(world.center.page.controllers.first?.nextUpdate)
    #expect(now < due)
  }

  @Test func `the supply is read once a minute at most, and a change plans anew`() throws {
    let supplies = try Supplies(["BAT0": Self.charging])
    let clock = VirtualClock()
    var changes = 0
    let saving = PowerSaving(clock: clock, supply: PowerSupply(folder: supplies.path))
    saving.onChange = { changes += 1 }
    #expect(!saving.isWanted)
    try supplies.set("BAT0", Self.discharging)
    clock.advance(by: .seconds(59))
    #expect(!saving.isWanted)
    clock.advance(by: .seconds(1))
    #expect(saving.isWanted)
    clock.advance(by: .zero)
    #expect(changes == 1)
    #expect(clock.timeToNextTimer == nil)
  }
}
