import FoundationEssentials
import Testing

@testable import WidgetTUI

@Suite struct TerminfoEntryTests {
  nonisolated private static let names = [
    "x/xterm-256color", "s/screen-256color", "x/xterm", "l/linux",
  ]

  private func bytes(_ name: String) throws -> [UInt8] {
    let folders = ["/etc/terminfo", "/lib/terminfo", "/usr/share/terminfo"]
    let data = folders.lazy.compactMap { try? Data(contentsOf: URL(filePath: "\($0)/\(name)")) }
      .first
    return Array(try #require(data))
  }

  @Test(arguments: names)
  func `a description that is written again is the same`(name: String) throws {
    let entry = try #require(TerminfoEntry(bytes(name)))
    let again = try #require(TerminfoEntry(entry.bytes))
    #expect(again.bytes == entry.bytes && again.colors == entry.colors)
  }

  @Test func `colours of 24 bits are added to a description, once`() throws {
    let entry = try #require(TerminfoEntry(bytes("x/xterm-256color")))
    #expect(entry.colors == 256 && !entry.claimsDirectColors)
    let direct = try #require(entry.withDirectColors())
    let read = try #require(TerminfoEntry(direct.bytes))
    #expect(read.colors == 0x100_0000 && read.claimsDirectColors)
    #expect(String(decoding: direct.bytes, as: UTF8.self).contains("48;%?%p1%{256}%<%t5;%p1%d"))
    let twice = try #require(read.withDirectColors())
    #expect(twice.claimsDirectColors)
  }

  @Test func `bytes that are no description, or only a part of one, give none`() throws {
    let whole = try bytes("x/xterm-256color")
    #expect(TerminfoEntry([]) == nil)
    #expect(TerminfoEntry(Array(repeating: 0xFF, count: 5_000)) == nil)
    for count in 0..<400 { #expect(TerminfoEntry(Array(whole.prefix(count))) == nil) }
    // What is cut off behind the predefined capabilities is missing, and nothing traps.
    for count in 400..<whole.count { _ = TerminfoEntry(Array(whole.prefix(count)))?.bytes }
    var generator = SystemRandomNumberGenerator()
    for _ in 0..<300 {
      var odd = whole
      for _ in 0..<8 {
        odd[Int.random(in: 2..<odd.count, using: &generator)] = .random(in: 0...255)
      }
      _ = TerminfoEntry(odd)?.withDirectColors()?.bytes
    }
  }

  @Test(arguments: [
    (["COLORTERM": "truecolor"], true), (["COLORTERM": "24bit"], true), ([:], false),
    (["COLORTERM": "yes"], false), (["COLORTERM": "truecolor", "STY": "1.tty"], false),
  ])
  func `the environment says whether a terminal has colours of 24 bits`(
    environment: [String: String],
    isClaimed: Bool
  ) {
    #expect(DirectColors.isClaimed(environment) == isClaimed)
  }
}
