import Foundation
import Testing
import WidgetKitCore

@testable import WidgetTUI

@Suite struct PublishDestinationTests {
  @Test(arguments: [
    ("www", "/home/a/www"), ("/srv/www/", "/srv/www"), ("./x//y", "/home/a/x/y"),
    ("a/b:c", "/home/a/a/b:c"), ("me@nas:www", "me@nas:www"), ("nas:/srv/www", "nas:/srv/www"),
    ("me@nas:~/public html", "me@nas:~/public html"),
  ])
  func `a colon before the first slash follows a machine`(_ text: String, _ name: String) throws {
    #expect(try PublishDestination(text, folder: "/home/a").name == name)
  }

  @Test(arguments: [
    "", "a\nb", "a\u{1B}b", "nas:", "-oProxyCommand=x:www", "a b:www", "nas:a\nb", "me@:x",
  ])
  func `what is neither a folder nor a machine is refused`(_ text: String) {
    #expect(throws: CommandError.self) { try PublishDestination(text, folder: "/home/a") }
  }

  @Test func `words of a service keep their letters`() {
    let text = PublishUnit.text("100 % \"x\"", ["publish", "50 % $HOME", "--to", "/a \"b\"\\c\nd"])
    #expect(text.contains("Description=100 %% \"x\"\n"))
    #expect(text.contains(#"" "publish" "50 %% $$HOME" "--to" "/a \"b\"\\c d""#), "\(text)")
    // A combining mark makes another character of what it follows.
    let marked = PublishUnit.text("x", ["a\"\u{301}b", "c%\u{301}", "$\u{301}"], program: "/x")
    #expect(
      marked.contains(
        "ExecStart=\"/x\" \"a\\\"\u{301}b\" \"c%%\u{301}\" \"$$\u{301}\"\n"
      ),
      "\(marked)"
    )
  }

  @Test func `a service is not started again where that is useless`() {
    #expect(PublishUnit.text("x", []).contains("RestartPreventExitStatus=64 66 69 77\n"))
  }

  @Test func `the program of a unit keeps its path`() throws {
    let folder = "/tmp/today-units-\(UInt64.random(in: 0 ... .max))"
    let units = "\(folder)/systemd/user"
    try FileManager.default.createDirectory(atPath: units, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let environment = ["HOME": folder, "XDG_CONFIG_HOME": folder]
    let unit = PublishUnit(key: "x", environment: environment)
    for path in ["/usr/bin/today", "/opt/50 %n/a \"b\"\\c/$HOME/today", "/opt/\"\u{301}%/today"] {
      let text = PublishUnit.text("x", ["publish"], program: path)
      try text.write(toFile: "\(units)/\(unit.name)", atomically: false, encoding: .utf8)
      #expect(unit.installedProgram == path)
      #expect(!text.contains("$$HOME"))
    }
  }

  @Test func `a service that does not run, or cannot, is wrong, and one that runs is right`() {
    let name = "today-publish-x.service"
    #expect(PublishDiagnosis.finding(name, .on, program: "/bin/sh").level == .ok)
    let stopped = PublishDiagnosis.finding(name, .off, program: "/bin/sh")
    #expect(stopped.level == .wrong && stopped.advice?.string.contains("journalctl") == true)
    #expect(PublishDiagnosis.finding(name, .on, program: "/nowhere/today").level == .wrong)
  }

  @Test func `a step says what it writes before it begins, so that a broken end is noticed`() throws
  {
    let files = [
      (name: "index.html", bytes: Array("1".utf8)), (name: "page.svg", bytes: Array("2".utf8)),
    ]
    let first = PublishStep(files, of: "Home", nil)
    #expect(
      first.written.map(\.name) == ["index.html", "page.svg"]
        && first.before?.files == ["index.html": "", "page.svg": ""]
    )
    #expect(PublishStep(files, of: "Home", first.after).isNothing(first.after))
    // After a broken end both are written again.
    #expect(PublishStep(files, of: "Home", first.before).written.count == 2)
    let fewer = PublishStep(Array(files.prefix(1)), of: "Home", first.after)
    #expect(fewer.removed == ["page.svg"] && fewer.written.isEmpty && !fewer.isNothing(first.after))
    #expect(PublishMarker(first.after.bytes) == first.after)
  }
}
