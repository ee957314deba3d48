import FoundationEssentials
import Glibc
import Testing
import WidgetTestSupport

/// Content that arguments name: a text, a card, and one content in several types.
@Suite(.enabled(if: BuiltProgram.isThere, "\(BuiltProgram.missing)"), .timeLimit(.minutes(5)))
struct NamedContentTests {
  private let world: TestWorld

  init() throws {
    world = try TestWorld(fixtures: ["Good"])
    for (name, type) in [("html", "public.html"), ("text", "public.plain-text")] {
      try world.script(
        "share-\(name).sh",
        "# today: share accepts=\(type) leaves=false\necho \"$TODAY_TYPE\"; cat"
      )
      try world.script(
        "act-\(name).sh",
        "# today: action accepts=\(type)\necho \"$TODAY_TYPE\"; cat"
      )
    }
  }

  /// Runs a command line of a shell; `$today` is the program with the widget and the scripts.
  private func shell(_ line: String) throws -> ProgramRun {
    var environment = world.environment(term: nil)
    environment["program"] = BuiltProgram.path
    let scripts = ["share-html", "share-text", "act-html", "act-text"].map {
      "--widgets '\(world.path)/config/today/scripts/\($0).sh'"
    }
    let function = """
      today() {
        "$program" --widgets '\(world.widgets)/Good.widget' \(scripts.joined(separator: " ")) "$@"
      }
      printf '<p>a</p>' >a.html; printf 'a' >a.txt

      """
    return try ProgramRun(
      ProgramDescription(
        "/bin/sh",
        ["-c", function + line],
        environment: environment,
        directory: world.path
      )
    )
  }

  private static let both = "--as public.html=a.html --as public.plain-text=a.txt"

  @Test(arguments: ["share --yes --with share-", "act --with act-"])
  func `an extension gets the content in the type that it accepts`(command: String) throws {
    let html = try shell("today \(command)html \(Self.both)")
    #expect(html.outputText == "public.html\n<p>a</p>", "\(html.errorText)")
    let text = try shell("today \(command)text \(Self.both)")
    #expect(text.outputText == "public.plain-text\na", "\(text.errorText)")
  }

  @Test(arguments: ["share --yes --with share-text", "act --with act-text"])
  func `the text of a card is content`(command: String) throws {
    let missing = try shell("today \(command) --card com.example.fixture.good")
    #expect(missing.status == .exited(code: 66) && missing.outputText.isEmpty)
    #expect(missing.errorText.contains("has no stored content"), "\(missing.errorText)")
    let run = try shell(
      "today snapshot >/dev/null; today \(command) --card com.example.fixture.good"
    )
    #expect(run.outputText.hasPrefix("public.plain-text\nAll is well\n"), "\(run.errorText)")
    let unknown = try shell("today \(command) --card nothing")
    #expect(unknown.status == .exited(code: 66) && unknown.errorText.contains("nothing"))
  }

  @Test func `the text of a card is whole where the card cuts it`() throws {
    let words =
      "See https://example.com/\(String(repeating: "long/", count: 40))?token=1 and the rest"
    try world.write("#!/bin/sh\necho '\(words)'\n", to: "\(world.path)/note.sh")
    let card = "--widgets note.sh"
    let run = try shell(
      "chmod +x note.sh; $program \(card) snapshot; today \(card) act --with act-text --card script.note"
    )
    #expect(run.outputText.contains("…"), "\(run.outputText) \(run.errorText)")
    #expect(run.outputText.hasSuffix("public.plain-text\n\(words)\n"), "\(run.outputText)")
  }

  @Test func `a text is content of an action`() throws {
    let run = try shell("today act --with act-text --text 'some words' </dev/null")
    #expect(run.outputText == "public.plain-text\nsome words", "\(run.errorText)")
  }

  @Test(arguments: [
    ("--as a.txt", "--as a.txt: expected TYPE=FILE, such as public.html=page.html"),
    ("--as public.html=a.html a.txt", "expected one content: files, --card, --as, or --text"),
    ("--text a --card b", "expected one content: files, --card, --as, or --text"),
    ("--as public.html=none.html", "none.html: No such file or directory"),
  ])
  func `what is no content is named`(arguments: String, words: String) throws {
    let run = try shell("today act --with act-text \(arguments) </dev/null")
    #expect(run.errorText == "today: \(words)\n")
    #expect(run.status != .exited(code: 0) && run.outputText.isEmpty)
  }
}
