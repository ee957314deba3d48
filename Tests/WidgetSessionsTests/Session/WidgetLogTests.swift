import FoundationEssentials
import Testing
import WidgetKitCore
import WidgetTesting

@testable import EngineTestSupport
@testable import WidgetExtensions
@testable import WidgetPlatform

@Suite struct WidgetLogTests {
  @Test("the last lines before an exit are logged, however many there were")
  func ending() throws {
    let folder = try BundleFolder()
    let path = "\(folder.path)/log"
    let log = WidgetLog(path: path, clock: VirtualClock())
    for number in 1...100 { log.write(SafeText("line \(number)")) }
    log.writeEnd("ended: exit 3")
    let bytes = try #require(DurableFile.read(path, byteLimit: 1 << 20))
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
      .map { $0.drop { $0 != " " }.dropFirst() }
    #expect(lines.count == 32)
    #expect(lines[19] == "line 20")
    #expect(lines[20] == "70 lines dropped")
    #expect(lines.suffix(2) == ["line 100", "ended: exit 3"])
    #expect(lines[21] == "line 91")
  }
}
