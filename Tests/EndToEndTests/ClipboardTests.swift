import FoundationEssentials
import Testing
import WidgetTestSupport

/// Copying with `y`, with programs that stand in for those of a desktop.
@Suite(.enabled(if: BuiltProgram.isThere, "\(BuiltProgram.missing)"), .timeLimit(.minutes(5)))
struct ClipboardTests {
  /// Makes a program that keeps its arguments and what it reads.
  private func makeTool(_ name: String, in world: TestWorld) throws {
    let folder = "\(world.path)/tools"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let script = """
      #!/bin/sh
      { echo "$@"; cat; } > \(world.path)/\(name).tmp
      mv \(world.path)/\(name).tmp \(world.path)/\(name).copied
      """
    try world.write(script, to: "\(folder)/\(name)")
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o755],
      ofItemAtPath: "\(folder)/\(name)"
    )
  }

  private func copied(_ name: String, _ world: TestWorld) -> String {
    FileManager.default.contents(atPath: "\(world.path)/\(name).copied").map {
      String(decoding: $0, as: UTF8.self)
    } ?? ""
  }

  @Test(arguments: [
    ("wl-copy", "WAYLAND_DISPLAY", "--type text/plain"),
    ("xclip", "DISPLAY", "-selection clipboard"),
  ])
  func `y gives the text to the clipboard of the desktop, and the footer says to which`(
    tool: String,
    variable: String,
    arguments: String
  ) throws {
    let world = try TestWorld(fixtures: ["Good"])
    try makeTool("wl-copy", in: world)
    try makeTool("xclip", in: world)
    let terminal = try world.openDashboard(
      columns: 100,
      variables: [variable: ":7", "PATH": "\(world.path)/tools:/usr/bin:/bin"]
    )
    try terminal.waitForText("updates: 1")
    try terminal.type("y")
    try terminal.waitForText("Copied 3 lines to the terminal (OSC 52) and \(tool).")
    try terminal.wait(for: "the program") { (_: TestScreen) in !copied(tool, world).isEmpty }
    #expect(copied(tool, world) == "\(arguments)\nAll is well\nupdates: 1\n[ More ]")
    let other = tool == "xclip" ? "wl-copy" : "xclip"
    #expect(copied(other, world).isEmpty)
    try terminal.type("q")
    #expect(try terminal.waitForEnd() == .exited(code: 0))
    let bytes = String(decoding: terminal.screen.bytes, as: UTF8.self)
    #expect(bytes.contains("\u{1B}]52;c;"))
  }
}
