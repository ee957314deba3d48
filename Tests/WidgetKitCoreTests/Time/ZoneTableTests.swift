import Testing
import WidgetTestSupport

@testable import WidgetKitCore

struct ZoneTableTests {
  /// A zone with daylight saving time from second 10,000,000 to 28,000,000, and then a rule.
  private let table = ZoneTable(
    initialOffset: 0,
    transitions: [
      ZoneTable.Transition(moment: 10_000_000, offset: 3600),
      ZoneTable.Transition(moment: 28_000_000, offset: 0),
    ],
    rule: ZoneRule(parsing: "WET0WEST,M3.5.0/1,M10.5.0".utf8)
  )

  @Test func `the offset changes at each transition, and then by the rule`() {
    #expect(
      [.min / 1000, 9_999_999, 10_000_000, 27_999_999, 28_000_000].map(table.offset)
        == [0, 0, 3600, 3600, 0]
    )
    // 2026-07-01
    #expect(table.offset(at: 1_782_864_000) == 3600)
  }

  @Test func `without a rule the last offset continues`() {
    var table = table
    table.rule = nil
    #expect(table.offset(at: 1_782_864_000) == 0)
  }

  @Test func `a time that is skipped is the same distance after the gap`() {
    #expect(table.moment(ofLocalSeconds: 9_999_999) == 9_999_999)
    #expect(table.moment(ofLocalSeconds: 10_000_000) == 10_000_000)
    #expect(table.moment(ofLocalSeconds: 10_001_800) == 10_001_800)
    #expect(table.time(at: 10_001_800) == CivilTime(secondsSince1970: 10_005_400))
    #expect(table.moment(ofLocalSeconds: 10_003_600) == 10_000_000)
  }

  @Test func `a time that occurs twice is the first one`() {
    #expect(table.moment(ofLocalSeconds: 28_000_000) == 27_996_400)
    #expect(table.moment(ofLocalSeconds: 28_003_599) == 27_999_999)
    #expect(table.moment(ofLocalSeconds: 28_003_600) == 28_003_600)
  }

  @Test func `leap seconds are counted in the zones that have them`() {
    var table = ZoneTable.utc
    table.leapSeconds = [
      ZoneTable.LeapSecond(moment: 78_796_800, correction: 1),
      ZoneTable.LeapSecond(moment: 94_694_401, correction: 2),
    ]
    #expect(table.time(at: 78_796_799).second == 59)
    let leap = table.time(at: 78_796_800)
    #expect([leap.date.day, leap.hour, leap.minute, leap.second] == [30, 23, 59, 60])
    #expect(table.time(at: 78_796_801).date.day == 1)
    #expect(table.moment(ofLocalSeconds: 78_796_800) == 78_796_801)
    #expect(table.moment(ofLocalSeconds: 94_694_400) == 94_694_402)
  }

  // MARK: - Files

  @Test(arguments: [UInt8(0), UInt8(ascii: "2"), UInt8(ascii: "3"), UInt8(ascii: "4")])
  func `files of each version are read`(version: UInt8) throws {
    let file = ZoneFileBytes(version: version)
    let table = try #require(ZoneTable(parsing: file.bytes))
    #expect(table.initialOffset == -600)
    #expect(table.transitions.map(\.moment) == [-1_000_000, 1_000_000])
    #expect(table.transitions.map(\.offset) == [3600, -600])
    #expect(table.rule?.standardOffset == (version == 0 ? nil : 600))
  }

  @Test func `a truncated file is refused at every length`() {
    let bytes = ZoneFileBytes().bytes
    for length in bytes.indices {
      #expect(ZoneTable(parsing: bytes[..<length]) == nil)
    }
  }

  @Test func `files with impossible values are refused`() {
    let broken: [(inout ZoneFileBytes) -> Void] = [
      { $0.moments = [5, 5] },
      { $0.moments = [5, 4] },
      { $0.types = [0, 2] },
      { $0.offsets = [93_600, 0] },
      { $0.offsets = [0, -90_000] },
      { $0.offsets = [] },
      { $0.offsets = [Int](repeating: 0, count: 257) },
      { $0.footer = "hello" },
      { $0.footer = "CET-1CEST,M3.5.0" },
      { $0.leapSeconds = [(1, 1), (1, 2)] },
      { $0.leapSeconds = [(1, 1 << 30)] },
      { $0.leapSeconds = (0...1000).map { ($0, $0) } },
    ]
    for change in broken {
      var file = ZoneFileBytes()
      change(&file)
      #expect(ZoneTable(parsing: file.bytes) == nil)
    }
  }

  @Test(arguments: 0..<6)
  func `a huge count is refused`(index: Int) {
    let original = ZoneFileBytes().bytes
    for header in [0, original.count / 2] {
      guard let start = original[header...].firstRange(of: Array("TZif".utf8))?.lowerBound else {
        continue
      }
      for count in [[0x7F, 0xFF, 0xFF, 0xFF], [0xFF, 0xFF, 0xFF, 0xFF], [0, 0x10, 0, 0]] {
        var bytes = original
        let field = start + 20 + index * 4
        bytes.replaceSubrange(field..<field + 4, with: count.map(UInt8.init))
        #expect(ZoneTable(parsing: bytes) == nil)
      }
    }
  }

  @Test func `transitions at the ends of time are no problem`() throws {
    var file = ZoneFileBytes()
    file.moments = [.min, .max]
    let table = try #require(ZoneTable(parsing: file.bytes))
    #expect(table.offset(at: 0) == 3600)
    #expect(table.moment(ofLocalSeconds: 3600) == 0)
  }

  @Test func `random bytes give a zone or none`() {
    let seed: UInt64 = 23
    var random = SeededGenerator(seed: seed)
    let original = ZoneFileBytes().bytes
    var accepted = 0
    for _ in 0..<20_000 {
      var bytes = original
      for _ in 0..<random.number(1...8) {
        bytes[random.number(0...bytes.count - 1)] = UInt8(random.number(0...255))
      }
      guard let table = ZoneTable(parsing: bytes) else { continue }
      accepted += 1
      let seconds = random.number(-67_767_976_233_532_799...67_767_976_233_532_799)
      for moment in [seconds, seconds % 10_000_000_000, -1_000_000, 1_000_000] {
        _ = table.time(at: moment)
        _ = table.moment(ofLocalSeconds: moment)
      }
    }
    #expect(accepted > 1000, "seed \(seed)")
  }
}

/// The bytes of a TZif file; every part can be wrong.
private struct ZoneFileBytes {
  var version = UInt8(ascii: "2")
  var moments = [-1_000_000, 1_000_000]
  var types = [1, 0]
  var offsets = [-600, 3600]
  var leapSeconds: [(moment: Int, correction: Int)] = []
  var footer = "ABC-0:10"

  var bytes: [UInt8] {
    guard version != 0 else { return part(bytesPerTime: 4) }
    return part(bytesPerTime: 4) + part(bytesPerTime: 8) + Array("\n\(footer)\n".utf8)
  }

  private func part(bytesPerTime: Int) -> [UInt8] {
    var bytes = Array("TZif".utf8) + [version] + [UInt8](repeating: 0, count: 15)
    for count in [0, 0, leapSeconds.count, moments.count, offsets.count, 4] {
      bytes += big(count, 4)
    }
    bytes += moments.flatMap { big($0, bytesPerTime) }
    bytes += types.map { UInt8($0) }
    bytes += offsets.flatMap { big($0, 4) + [0, 0] }
    bytes += Array("ABC\0".utf8)
    bytes += leapSeconds.flatMap { big($0.moment, bytesPerTime) + big($0.correction, 4) }
    return bytes
  }

  private func big(_ number: Int, _ count: Int) -> [UInt8] {
    (0..<count).reversed().map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
  }
}
