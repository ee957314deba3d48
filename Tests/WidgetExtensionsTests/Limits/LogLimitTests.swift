import FoundationEssentials
import Testing
import WidgetKitCore
import WidgetTesting

@testable import EngineTestSupport
@testable import WidgetExtensions
@testable import WidgetPlatform

/// Limits on logs: one below, at, and one above each.
@Suite struct LogLimitTests {
  @Test("twenty lines per second are logged", arguments: [19, 20, 21])
  func linesPerSecond(count: Int) throws {
    let folder = try BundleFolder()
    let clock = VirtualClock()
    let log = WidgetLog(path: "\(folder.path)/log", clock: clock)
    for number in 0..<count { log.write(SafeText("line \(number)")) }
    clock.advance(by: .seconds(2))
    log.write("later")
    let bytes = try #require(DurableFile.read("\(folder.path)/log", byteLimit: 1 << 20))
    let text = String(decoding: bytes, as: UTF8.self)
    #expect(text.contains("line \(min(count, 20) - 1)"))
    #expect(text.contains("1 lines dropped") == (count > 20))
    #expect(text.contains("line 20") == false)
  }

  @Test(
    "a log above its size is rotated once",
    arguments: [-1, 0, 1]
  )
  func size(offset: Int) throws {
    let folder = try BundleFolder()
    let path = "\(folder.path)/log"
    var limits = HostLimits()
    limits.logBytes = 4_096
    let log = WidgetLog(path: path, clock: VirtualClock(), limits: limits)
    log.write("x")
    let first = try #require(DurableFile.read(path, byteLimit: 4_096)).count
    // A second line of exactly what is left.
    log.write(SafeText(String(repeating: "y", count: 4_096 - 2 * first + 1 + offset)))
    let size = try #require(DurableFile.read(path, byteLimit: 1 << 20)).count
    let old = DurableFile.read(path + ".1", byteLimit: 1 << 20)?.count
    #expect(size == (offset > 0 ? 4_097 - first : 4_096 + offset))
    #expect(old == (offset > 0 ? first : nil))
  }
}
