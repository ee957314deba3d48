import Testing
import WidgetKitCore

@testable import WidgetExtensions

/// What the user sees of a command before it runs.
@Suite struct ShownCommandTests {
  @Test(arguments: [
    ("a\u{202E}b", "a\\u{202E}b"), ("a\u{200B}b", "a\\u{200B}b"), ("a\u{2028}b", "a\\u{2028}b"),
    ("a\u{85}b", "a\\u{85}b"), ("a\u{1B}]0;x\u{7}", "a\\u{1B}]0;x\\u{7}"), ("a\nb", "a\\u{A}b"),
    ("a\tb", "a\\u{9}b"), ("a\rb", "a\\u{D}b"), ("a\r\nb", "a\\u{D}\\u{A}b"),
    ("a\u{A0}b", "a\\u{A0}b"), ("a\u{2800}b", "a\\u{2800}b"), ("a\u{3164}b", "a\\u{3164}b"),
    ("a\u{200D}b", "a\\u{200D}b"), ("\u{FEFF}a", "\\u{FEFF}a"), ("a\u{E0041}", "a\\u{E0041}"),
    ("a\u{FE0F}", "a\\u{FE0F}"), ("a\u{2066}b", "a\\u{2066}b"), ("a\u{E000}", "a\\u{E000}"),
    ("a\u{7F}", "a\\u{7F}"), ("a\u{10EEEE}", "a\\u{10EEEE}"), ("a\0", "a\\u{0}"),
  ])
  func `a character that cannot be seen is written with its number`(raw: String, shown: String) {
    let command = ShownCommand(raw)
    #expect(command.text.string == shown)
    #expect(!command.isPlain)
  }

  @Test(arguments: [
    "rm -r '/tmp/x y'", "notify \u{E9} \u{65}\u{301} \u{4E2D}\u{6587} \u{1F600}", "",
  ])
  func `other characters are shown as they are`(raw: String) {
    #expect(ShownCommand(raw).text.string == raw)
    #expect(ShownCommand(raw).isPlain)
  }

  @Test func `marks beyond those that are drawn are written with their numbers`() {
    let command = ShownCommand("a" + String(repeating: "\u{301}", count: 6))
    #expect(command.text.string.hasSuffix("\\u{301}\\u{301}"))
    #expect(!command.isPlain)
  }
}
