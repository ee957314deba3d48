import Foundation
import Testing
import WidgetTestSupport

@testable import WidgetKitCore

/// All zones of this system, compared with the C library in another process.
@Suite(.timeLimit(.minutes(5)))
struct SystemZonesTests {
  /// Prints the local time of moments by localtime(3), for lines with a zone and numbers.
  private static let localTimes = """
    import os, sys, time
    for line in sys.stdin:
        zone, *moments = line.split()
        os.environ["TZ"] = zone
        time.tzset()
        answers = []
        for moment in moments:
            t = time.localtime(int(moment))
            answers.append(f"{t.tm_year}/{t.tm_mon}/{t.tm_mday}/{t.tm_hour}/{t.tm_min}/{t.tm_sec}/{t.tm_gmtoff}")
        print(" ".join(answers))
    """

  /// Prints the moments of local times by mktime(3), for lines with a zone and local seconds.
  private static let moments = """
    import os, sys, time
    for line in sys.stdin:
        zone, *locals = line.split()
        os.environ["TZ"] = zone
        time.tzset()
        print(" ".join(str(int(time.mktime(time.gmtime(int(local))[:8] + (-1,)))) for local in locals))
    """

  private func run(_ script: String, _ input: [(zone: String, numbers: [Int])]) throws -> [[String]]
  {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["python3", "-c", script]
    let lines = input.map { "\($0.zone) \($0.numbers.map(String.init).joined(separator: " "))\n" }
    let path = NSTemporaryDirectory() + "zones-\(UUID().uuidString)"
    try lines.joined().write(toFile: path, atomically: false, encoding: .utf8)
    defer { try? FileManager.default.removeItem(atPath: path) }
    process.standardInput = FileHandle(forReadingAtPath: path)
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    return String(decoding: data, as: UTF8.self).split(separator: "\n").map { line in
      line.split(separator: " ").map(String.init)
    }
  }

  /// The names of all zones that differ.
  private func zones() throws -> [String] {
    let root = "/usr/share/zoneinfo"
    var seen: Set<ZoneTable> = []
    // Many names have the same changes, and below posix/ are all of them again.
    return try FileManager.default.subpathsOfDirectory(atPath: root).sorted().filter { name in
      guard let table = ZoneDatabase.system.zone(named: name) else { return false }
      return seen.insert(table).inserted
    }
  }

  private func table(_ zone: String) throws -> ZoneTable {
    try #require(ZoneDatabase.system.zone(named: zone))
  }

  /// Moments from 1900 to 2400, half of them close to a change.
  private func moments(
    _ count: Int,
    _ table: ZoneTable,
    _ random: inout SeededGenerator
  ) -> [Int] {
    (0..<count).map { index in
      let any = random.number(-2_208_988_800...13_569_465_599)
      guard index.isMultiple(of: 2),
        let transition = table.transitions.randomElement(using: &random)
      else { return any }
      let near = transition.moment + random.number(-2...2)
      return near < -2_208_988_800 ? any : near
    }
  }

  @Test func `moments from 1900 to 2400 have the local time of the C library`() throws {
    var random = SeededGenerator(seed: 31)
    let zones = try zones()
    #expect(zones.count > 300)
    let input = try zones.map { (zone: $0, numbers: try moments(200, table($0), &random)) }
    let answers = try run(Self.localTimes, input)
    #expect(answers.count == input.count)
    for (line, answers) in zip(input, answers) {
      let table = try table(line.zone)
      for (moment, answer) in zip(line.numbers, answers) {
        let time = table.time(at: moment)
        let ours =
          "\(time.date.year)/\(time.date.month)/\(time.date.day)/\(time.hour)/\(time.minute)/"
          + "\(time.second)/\(table.offset(at: moment))"
        if ours != answer { Issue.record("\(line.zone) at \(moment): \(ours), not \(answer)") }
      }
    }
  }

  @Test func `local times from 1900 to 2400 are the moments of the C library`() throws {
    var random = SeededGenerator(seed: 37)
    // Clocks that count leap seconds have local times that Python cannot write as a number.
    let zones = try zones().filter { !$0.hasPrefix("right/") }
    // Times that occur twice or not at all are left out: the C library chooses by its last question.
    let input = try zones.map { zone in
      let table = try table(zone)
      let locals = moments(25, table, &random).compactMap { moment -> Int? in
        let local = moment + table.offset(at: moment)
        let isUnique = stride(from: -100_000, through: 100_000, by: 900).allSatisfy { shift in
          let other = local - table.offset(at: moment + shift)
          return other == moment || other + table.offset(at: other) != local
        }
        return isUnique ? local : nil
      }
      return (zone: zone, numbers: locals)
    }
    let answers = try run(Self.moments, input)
    #expect(answers.count == input.count)
    for (line, answers) in zip(input, answers) {
      let table = try table(line.zone)
      for (local, answer) in zip(line.numbers, answers) {
        let ours = table.moment(ofLocalSeconds: local)
        if String(ours) != answer { Issue.record("\(line.zone) \(local): \(ours), not \(answer)") }
      }
    }
  }

  @Test(arguments: [
    "CET-1CEST,M3.5.0,M10.5.0/3", "AEST-10AEDT,M10.1.0,M4.1.0/3", "IST-1GMT0,M10.5.0,M3.5.0/1",
    "<-02>2<-01>,M3.5.0/-1,M10.5.0/0", "EET-2EEST,M3.4.4/50,M10.4.4/50", "AAA3BBB,J60/0,J300/1",
    "AAA-12:45BBB-13:45,59/2:30,300/3:45:10", "XXX8",
  ])
  func `rules have the local time of the C library`(rule: String) throws {
    var random = SeededGenerator(seed: 41)
    // Before 1971 the C library computes the changes of 1970.
    let moments = (0..<2000).map { _ in random.number(31_536_000...13_569_465_599) }
    let answers = try #require(try run(Self.localTimes, [(rule, moments)]).first)
    let parsed = try #require(ZoneRule(parsing: rule.utf8))
    for (moment, answer) in zip(moments, answers) {
      #expect(answer.hasSuffix("/\(parsed.offset(at: moment))"), "\(moment)")
    }
  }
}
