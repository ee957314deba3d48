import Foundation
import Synchronization
import Testing
import WidgetTestSupport

@testable import WidgetKitCore

/// A folder with zone files, and time that a test moves.
private final class ZoneWorld: Sendable {
  let folder: String
  private let time = Mutex(ContinuousClock.now)

  init() throws {
    folder = NSTemporaryDirectory() + "zones-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(atPath: folder)
  }

  func database(_ zone: String?) -> ZoneDatabase {
    ZoneDatabase(
      environment: { [folder] in $0 == "TZ" ? zone : folder },
      localPath: folder + "/localtime",
      now: { self.time.withLock { $0 } }
    )
  }

  func advance(_ duration: Duration) {
    time.withLock { $0 += duration }
  }

  /// Makes a zone of the rule in a file without transitions.
  func write(_ rule: String, to name: String) throws {
    let header = Array("TZif2".utf8) + [UInt8](repeating: 0, count: 15)
    let counts: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1]
    let part = header + counts + [0, 0, 0, 0, 0, 0, 0]
    try Data(part + part + Array("\n\(rule)\n".utf8)).write(to: URL(filePath: folder + "/" + name))
  }
}

struct ZoneDatabaseTests {
  private let world: ZoneWorld

  init() throws {
    world = try ZoneWorld()
    try world.write("LOC-1", to: "localtime")
    try world.write("AAA-2", to: "Place")
  }

  private func hours(_ zone: String?) -> Int {
    world.database(zone).local.offset(at: 0) / 3600
  }

  @Test func `the zone of the process is that of TZ, else that of the system`() {
    #expect(hours(nil) == 1)
    #expect(hours("Place") == 2)
    #expect(hours(":Place") == 2)
    #expect(hours(world.folder + "/Place") == 2)
    #expect(hours(":" + world.folder + "/Place") == 2)
    #expect(hours("BBB-3") == 3)
    #expect(hours(":BBB-3") == 3)
    #expect(hours("CET-1CEST,J1/0,J365/25") == 2)
  }

  @Test(arguments: ["", ":", "Nowhere", "../Place", "/nowhere", "CET-1CEST,M3", "\u{FF}"])
  func `anything else is UTC`(zone: String) {
    #expect(hours(zone) == 0)
  }

  @Test(arguments: [
    "", ".", "..", "../Place", "/etc/localtime", "Pl\0ace", "a b", "AAA-2", ":Place",
  ])
  func `only names below the folder are looked up`(name: String) {
    #expect(world.database(nil).zone(named: name) == nil)
  }

  @Test(arguments: ["CCC-3CCD,M3.5.0,M10.5.0", ":CCC-3"])
  func `a rule in TZ is the name of the zone of the process`(zone: String) {
    let database = world.database(zone)
    let name = zone.hasPrefix(":") ? String(zone.dropFirst()) : zone
    #expect(database.zone(named: name)?.offset(at: 0) == 10_800)
    #expect(database.zone(named: "DDD-3,") == nil)
  }

  @Test func `links are followed, and other kinds of files are refused`() throws {
    let database = world.database(nil)
    let path = world.folder + "/"
    try FileManager.default.createSymbolicLink(
      atPath: path + "Link",
      withDestinationPath: "Place"
    )
    try FileManager.default.createSymbolicLink(
      atPath: path + "Zero",
      withDestinationPath: "/dev/zero"
    )
    try FileManager.default.createDirectory(
      atPath: path + "Folder",
      withIntermediateDirectories: false
    )
    #expect(mkfifo(path + "Pipe", 0o600) == 0)
    #expect(FileManager.default.createFile(atPath: path + "Empty", contents: Data()))
    let place = try Data(contentsOf: URL(filePath: path + "Place"))
    try (place + Data(count: ZoneFile.byteLimit)).write(to: URL(filePath: path + "Large"))
    #expect(database.zone(named: "Link")?.rule?.standardOffset == 7200)
    for name in ["Zero", "Folder", "Pipe", "Empty", "Large"] {
      #expect(database.zone(named: name) == nil, "\(name)")
    }
  }

  @Test func `a changed file is noticed after a second`() throws {
    let database = world.database(nil)
    #expect(database.local.offset(at: 0) == 3600)
    #expect(database.zone(named: "New") == nil)
    try world.write("LOC-10", to: "localtime")
    try world.write("NEW-5", to: "New")
    world.advance(.milliseconds(999))
    #expect(database.local.offset(at: 0) == 3600)
    #expect(database.zone(named: "New") == nil)
    world.advance(.milliseconds(1))
    #expect(database.local.offset(at: 0) == 36_000)
    #expect(database.zone(named: "New")?.offset(at: 0) == 18_000)
  }

  @Test func `UTC exists without a tz database, and a missing localtime is UTC`() throws {
    try FileManager.default.removeItem(atPath: world.folder + "/localtime")
    #expect(world.database(nil).zone(named: "UTC") == .utc)
    #expect(world.database(nil).zone(named: "GMT") == .utc)
    #expect(hours(nil) == 0)
  }

  @Test func `many names do not grow the memory without limit`() {
    let database = world.database(nil)
    for number in 0..<ZoneDatabase.zoneLimit * 3 {
      #expect(database.zone(named: "Name\(number)") == nil)
    }
    #expect(database.zone(named: "Place") != nil)
  }
}
