import FoundationEssentials
import Testing

@testable import WidgetTUI

@Suite struct TerminfoEntryTests {
  nonisolated private static let names = [
    "x/xterm-256color", "s/screen-256color", "t/tmux-256color", "x/xterm", "l/linux",
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

  @Test(arguments: ["t/tmux-256color", "s/screen-256color"])
  func `reports of the mouse without a limit are added, with colours of 24 bits too`(
    name: String
  ) throws {
    let entry = try #require(TerminfoEntry(bytes(name)))
    for before in [entry, try #require(entry.withDirectColors())] {
      let wide = try #require(before.withWideMouse())
      let read = try #require(TerminfoEntry(wide.bytes))
      let text = String(decoding: read.bytes, as: UTF8.self)
      #expect(text.contains("\u{1B}[<\0") && text.contains("\u{1B}[?1006;1000%?"))
      #expect(read.colors == before.colors && read.claimsDirectColors == before.claimsDirectColors)
      #expect(read.withWideMouse() == nil, "it has them already")
    }
    let xterm = try #require(TerminfoEntry(bytes("x/xterm-256color")))
    _ = xterm.withWideMouse()?.bytes
  }

  @Test(arguments: ["x/xterm-256color", "x/xterm-direct", "t/tmux-256color"])
  func `rows are moved and characters repeated by what every terminal knows`(name: String) throws {
    let entry = try #require(TerminfoEntry(bytes(name)))
    let common = try #require(entry.withCommonSequences())
    let read = try #require(TerminfoEntry(common.bytes))
    #expect(read.colors == entry.colors)
    #expect(read.withCommonSequences() == nil, "they are gone already")
    #expect(read.withDirectColors() != nil)
  }

  @Test func `a terminal that knows nothing else keeps its way of moving rows`() throws {
    let entry = try #require(TerminfoEntry(bytes("v/vt100")))
    #expect(entry.withCommonSequences() == nil)
  }

  @Test(arguments: [
    (["TERM": "tmux-256color"], true), (["TERM": "screen-256color", "TMUX": "/tmp/x,1,0"], true),
    (["TERM": "screen-256color"], false), (["TERM": "xterm-256color", "TMUX": "/tmp/x"], false),
    (["TERM": "screen", "TMUX": "/tmp/x", "STY": "1.tty"], false), ([:], false),
  ])
  func `only a tmux has a mouse that is not described`(
    environment: [String: String],
    isWide: Bool
  ) {
    #expect(TerminalDescription.reportsWideMouse(environment) == isWide)
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
      _ = TerminfoEntry(odd)?.withWideMouse()?.bytes
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
    #expect(TerminalDescription.isClaimed(environment) == isClaimed)
  }
}
