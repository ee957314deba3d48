import FoundationEssentials
import Testing
import WidgetTestSupport

/// What commands say that leave the page as it is.
@Suite(.enabled(if: BuiltProgram.isThere, "\(BuiltProgram.missing)"), .timeLimit(.minutes(5)))
struct UnchangedPageTests {
  private static let (good, counting) = ("com.example.fixture.good", "com.example.fixture.counting")

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
      (["move", "Counting", "2"], "“\(Self.counting)” is already at position 2 of the page “Home”"),
      (["move", "Counting", "1"], ""),
      (["move", "Counting", "--page", "Work"], ""),
      (["move", "Counting", "--page", "Work"], "“\(Self.counting)” is already at position 1"),
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
