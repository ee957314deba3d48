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

  @Test(arguments: ["", "nas:", "-oProxyCommand=x:www", "a b:www", "nas:a\nb", "me@:x"])
  func `what is neither a folder nor a machine is refused`(_ text: String) {
    #expect(throws: CommandError.self) { try PublishDestination(text, folder: "/home/a") }
  }

  @Test func `words of a service keep their letters`() {
    let text = PublishUnit.text("100 % \"x\"", ["publish", "50 % $HOME", "--to", "/a \"b\"\\c\nd"])
    #expect(text.contains("Description=100 %% \"x\"\n"))
    #expect(text.contains(#"" "publish" "50 %% $$HOME" "--to" "/a \"b\"\\c d""#), "\(text)")
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
    let files = [(name: "a", bytes: Array("1".utf8)), (name: "b", bytes: Array("2".utf8))]
    let first = PublishStep(files, of: "Home", nil)
    #expect(first.written.map(\.name) == ["a", "b"] && first.before?.files == ["a": "", "b": ""])
    #expect(PublishStep(files, of: "Home", first.after).isNothing(first.after))
    // After a broken end both are written again.
    #expect(PublishStep(files, of: "Home", first.before).written.count == 2)
    let fewer = PublishStep(Array(files.prefix(1)), of: "Home", first.after)
    #expect(fewer.removed == ["b"] && fewer.written.isEmpty && !fewer.isNothing(first.after))
    #expect(PublishMarker(first.after.bytes) == first.after)
  }
}
