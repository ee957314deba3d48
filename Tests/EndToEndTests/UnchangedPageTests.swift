import FoundationEssentials
import Testing
import WidgetTestSupport

/// What commands say that leave the page as it is.
@Suite(.enabled(if: BuiltProgram.isThere, "\(BuiltProgram.missing)"), .timeLimit(.minutes(5)))
struct UnchangedPageTests {
  private static let (good, counting) = ("com.example.fixture.good", "com.example.fixture.counting")

  @Test func `other commands say so, too, and a log that is not there is not an unknown widget`()
    throws
  {
    let world = try TestWorld(fixtures: ["Settable", "Good"])
    let commands: [(arguments: [String], code: Int32, words: String)] = [
      (["rename", "Home", "Home"], 0, "the page is already called “Home”"),
      (["settings", "Settable", "words", "--unset"], 0, "words was not set in the program"),
      (["settings", "Settable", "words", "a"], 0, ""),
      (["settings", "Settable", "words", "--unset"], 0, ""),
      (["log", "Good"], 66, "“Good” has no log yet"),
      (["log", "Goood"], 66, "no widget “Goood”; did you mean “Good”?"),
    ]
    for (arguments, code, words) in commands {
      let run = try world.run(arguments)
      #expect(run.status == .exited(code: code) && run.outputText == "", "\(arguments)")
      #expect(
        words.isEmpty ? run.errorText == "" : run.errorText.contains(words),
        "\(arguments): \(run.errorText)"
      )
    }
  }

  @Test func `a command that changes nothing says so, and one that does is silent`() throws {
    let world = try TestWorld(fixtures: ["Good", "Counting"])
    let commands: [(arguments: [String], words: String)] = [
      (["add", "Good"], "“\(Self.good)” is already on the page “Home”"),
      (["add", "Good", "Counting"], "“\(Self.counting)” is already on the page “Home”"),
      (["add", "Good", "--page", "Home"], "“\(Self.good)” is already on the page “Home”"),
      (["remove", "Counting"], ""),
      (["remove", "Counting"], "“\(Self.counting)” is not on a page"),
      (["add", "Counting"], ""),
      (["add", "Counting", "--span", "2"], ""),
      (
        ["move", "Counting", "2"],
        "“\(Self.counting)” is already at position 2 of the page “Home”"
      ),
      (["move", "Counting", "1"], ""),
    ]
    for (arguments, words) in commands {
      let run = try world.run(arguments)
      #expect(run.status == .exited(code: 0) && run.outputText == "", "\(arguments)")
      #expect(
        words.isEmpty ? run.errorText == "" : run.errorText.contains(words),
        "\(arguments): \(run.errorText)"
      )
    }
  }
}
