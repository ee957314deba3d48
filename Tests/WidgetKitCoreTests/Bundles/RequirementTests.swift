import Testing

@testable import WidgetKitCore

/// What an extension needs before content is offered to it.
@Suite struct RequirementTests {
  @Test func `a list has what is needed, each with the things of which one is enough`() {
    let list = Requirement.list("git, gh |glab|option:token-file,~/.netrc")
    #expect(
      list?.map(\.alternatives) == [
        [.program("git")], [.program("gh"), .program("glab"), .option("token-file")],
        [.path("~/.netrc")],
      ]
    )
    #expect(
      list?.map(\.words) == ["git", "gh, glab or a value of its option token-file", "~/.netrc"]
    )
  }

  @Test(arguments: [
    "", "git,", "gh||glab", "two words", "option:", "option:a b", "bin/gh", "~root/x", "gh;glab",
    Array(repeating: "a", count: 17).joined(separator: ","),
    Array(repeating: "a", count: 17).joined(separator: "|"), String(repeating: "a", count: 65),
  ])
  func `what is no list is none`(text: String) {
    #expect(Requirement.list(text) == nil)
  }

  @Test func `a script says what it needs, and a mistake in it is an error`() throws {
    let line = "# today: share accepts=public.text requires="
    let script = try #require(try ScriptExtension(in: line + "\"gh|glab, option:key\""))
    #expect(script.attributes["TodayRequires"] == .string("gh|glab, option:key"))
    #expect {
      try ScriptExtension(in: line + "'two words'")
    } throws: { error in
      (error as? BundleFault)?.key == "today: share requires"
    }
  }
}
