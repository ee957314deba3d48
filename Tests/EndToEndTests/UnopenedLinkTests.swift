import Foundation
import Testing
import WidgetTestSupport

/// A link that nothing opens, as over a connection to another machine: its address is shown and copied (OSC 52).
@Suite(.enabled(if: BuiltProgram.isThere, "\(BuiltProgram.missing)"), .timeLimit(.minutes(5)))
struct UnopenedLinkTests {
  /// A page with a script whose row has a link; `xdg-open` finds no browser.
  private func open(_ address: String, term: String = "xterm-256color") throws -> (
    TestWorld, PseudoTerminal
  ) {
    let world = try TestWorld()
    try world.script("news.sh", "echo News\necho ---\necho 'Read it | href=\(address)'")
    let tools = "\(world.path)/tools"
    try FileManager.default.createDirectory(atPath: tools, withIntermediateDirectories: true)
    // The machine may have a browser, which xdg-mime would name.
    for tool in ["xdg-open", "xdg-mime"] {
      try world.write("#!/bin/sh\nexit 3\n", to: "\(tools)/\(tool)")
      try FileManager.default.setAttributes(
        [.posixPermissions: 0o755],
        ofItemAtPath: "\(tools)/\(tool)"
      )
    }
    try world.saveConfiguration("{ pages: [{ name: 'Home', cards: ['script.news'] }] }")
    var environment = world.environment(term: term)
    environment["PATH"] = "\(tools):\(environment["PATH"] ?? "")"
    let terminal = try PseudoTerminal(
      ProgramDescription(
        BuiltProgram.path ?? "",
        [],
        environment: environment,
        directory: world.path
      ),
      columns: 120,
      rows: 20
    )
    try terminal.waitForText("Read it")
    try terminal.settle()
    return (world, terminal)
  }

  /// All sequences that set the clipboard, of the bytes that the terminal has got.
  private func copies(_ bytes: ArraySlice<UInt8>) -> [String] {
    let text = String(decoding: bytes, as: UTF8.self)
    return text.ranges(of: "\u{1B}]52;").map { range in
      let rest = text[range.lowerBound...]
      let end = rest.firstRange(of: "\u{1B}\\") ?? rest.firstRange(of: "\u{7}")
      return String(end.map { rest[..<$0.upperBound] } ?? rest)
    }
  }

  @Test(arguments: [
    ("https://example.com/builds", "https://example.com/builds"),
    (
      "https://example.com/a?b=c;d&e=%1B%5D52;c;eA==%07#f",
      "https://example.com/a?b=c;d&e=%1B%5D52;c;eA==%07#f"
    ),
    // As it is sent to a server.
    ("https://example.com/ä/日", "https://example.com/%C3%A4/%E6%97%A5"),
  ])
  func `the terminal gets one sequence with the address and nothing else`(
    link: String,
    address: String
  ) throws {
    let (world, terminal) = try open(link)
    let count = terminal.screen.bytes.count
    try terminal.type("\r")
    try terminal.waitForText("nothing opens https: links here")
    try terminal.settle()
    let sent = copies(terminal.screen.bytes[count...])
    let text = Data(address.utf8).base64EncodedString()
    #expect(sent == ["\u{1B}]52;c;\(text)\u{1B}\\"])
    #expect(terminal.screen.contains("copied to the terminal (OSC 52)"))
    #expect(terminal.screen.contains(String(address.prefix(24))))
    #expect(terminal.screen.contains("Read it"))
    // Without a press nothing is copied again.
    try terminal.type("jkr")
    try terminal.settle()
    #expect(copies(terminal.screen.bytes[count...]).count == 1)
    try terminal.type("q")
    #expect(try terminal.waitForEnd() == .exited(code: 0))
    try expectShellTerminal(terminal)
    #expect(world.processesLeft() == [])
  }

  @Test func `the console of Linux, which has no clipboard, gets none, and the address is shown`()
    throws
  {
    let (world, terminal) = try open("https://example.com/builds", term: "linux")
    try terminal.type("\r")
    try terminal.waitForText("nothing opens https: links here")
    #expect(copies(terminal.screen.bytes[...]).isEmpty)
    #expect(terminal.screen.contains("https://example.com/builds"))
    #expect(!terminal.screen.contains("copied"))
    try terminal.type("q")
    #expect(try terminal.waitForEnd() == .exited(code: 0))
    #expect(world.processesLeft() == [])
  }
}
