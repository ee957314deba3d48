import FoundationEssentials
import Testing
import WidgetKitCore

@testable import PageRecords
@testable import WidgetCards
@testable import WidgetExtensions
@testable import WidgetPages
@testable import WidgetPlatform

/// Numbers in files that were not written by the program.
nonisolated struct StoredNumberTests {
  static let odd = ["1e300", "-1e300", "1e19", "-1", "9223372036854775808", "\"x\"", "null"]

  private static func history(_ member: String, _ value: String) -> [UInt8] {
    var members = [
      "lastUpdate": "790000000", "lastGood": "790000000", "failures": "0", "wish": "900",
      "reload": #"{"at":{"_0":790000000}}"#, "budgetSpentUntil": "790000000",
    ]
    members[member] = value
    return Array("{\(members.map { "\"\($0)\":\($1)" }.joined(separator: ","))}".utf8)
  }

  @Test(arguments: ["1e300", "-1e300", "1e19"])
  func `a history with an invalid date counts as missing`(number: String) {
    #expect(RefreshHistory.decode(Self.history("wish", "900")) != nil)
    for (member, value) in [
      ("lastUpdate", number), ("lastGood", number), ("reload", #"{"at":{"_0":\#(number)}}"#),
      ("budgetSpentUntil", number), ("wish", number), ("failures", number),
    ] {
      #expect(RefreshHistory.decode(Self.history(member, value)) == nil, "\(member)")
    }
  }

  @Test(arguments: ["-1", "-1e-300", "1000000001", "9223372036854775808"])
  func `an impossible interval counts as none`(number: String) {
    #expect(RefreshHistory.decode(Self.history("wish", number)) == nil)
    #expect(RefreshHistory.decode(Self.history("wish", "0")) != nil)
    #expect(RefreshHistory.decode(Self.history("wish", "1000000000")) != nil)
  }

  @Test(arguments: [-1e300, 1e300, -1e19, 1e19, .nan, .infinity, -.infinity, 0, -0.0, 1e-300])
  func `the schedule has a date for any history`(number: Double) {
    var history = RefreshHistory()
    history.wish = number
    history.failures = Int.max
    for date in [Date(timeIntervalSinceReferenceDate: number), .now] {
      history.lastUpdate = date
      history.reload = .at(Date(timeIntervalSinceReferenceDate: number))
      history.budgetSpentUntil = date
      for failures in [0, 1, Int.max] {
        history.failures = failures
        for isVisible in [true, false] {
          _ = RefreshPolicy().nextUpdate(history, of: "a.b", isVisible: isVisible, now: .now)
        }
      }
    }
  }

  @Test(arguments: ["milliseconds", "bytesReceived", "newData", "start"], odd)
  func `a run with an invalid number is skipped`(member: String, value: String) {
    guard (member, value) != ("start", "-1") else { return }
    var members = [
      "start": "790000000", "milliseconds": "1", "cpuMilliseconds": "1", "bytesReceived": "1",
      "bytesSent": "1", "newData": "1", "noData": "1", "failed": "1", "faults": "1",
      "reason": "\"appear\"",
    ]
    func run() -> RunRecord? {
      RunRecord.decode("{\(members.map { "\"\($0)\":\($1)" }.joined(separator: ","))}".utf8)
    }
    #expect(run() != nil)
    members[member] = value
    #expect(run() == nil)
  }

  @Test(arguments: ["..", ".", "", "../../x", "a/b", "today", "a\\u0000b", "com"])
  func `a page entry cannot name a folder outside the widgets' folders`(identifier: String) {
    let entry = #"{"bundleIdentifier":"\#(identifier)","name":"A"}"#
    #expect(PageRecord.decode(Array(#"{"cards":[\#(entry)]}"#.utf8)) == nil)
    let instance = #"{"bundleIdentifier":"com.example.A","instance":"\#(identifier)","name":"A"}"#
    let isName = InstanceName(rawValue: identifier) != nil
    #expect((PageRecord.decode(Array(#"{"cards":[\#(instance)]}"#.utf8)) != nil) == isName)
  }

  @Test(arguments: ["..", "../../x", "today", ".", String(repeating: "a.", count: 200)])
  func `no identifier is the folder of another one`(identifier: String) {
    let id = CardID(identifier)
    let folders = StateFolders(environment: ["HOME": "/h"])
    let data = folders.containers(of: id).data
    for name in [id.fileName, String(data.split(separator: "/").last ?? "")] {
      #expect(name != "today" && OwnPath.isPlain(name) && name.utf8.count < 256)
    }
    #expect(data.hasPrefix("/h/.local/share/today/containers/"))
    #expect(data.count { $0 == "/" } == 6)
  }

  @Test func `two long identifiers have two files`() {
    let long = "com.example." + String(repeating: "a", count: 220)
    #expect(CardID(long + "b").fileName != CardID(long + "c").fileName)
  }
}
