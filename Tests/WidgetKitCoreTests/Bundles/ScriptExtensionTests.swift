import Testing

@testable import WidgetKitCore

/// What scripts that are extensions say of themselves.
@Suite struct ScriptExtensionTests {
  @Test func `an action says what it accepts, its title and its options`() throws {
    let text = """
      #!/bin/sh
      # today: action accepts="public.json, public.plain-text" role=viewer title="Indent JSON" description="two columns"
      # today: option name=indent title="Indent" choices="2, 4" default=4
      # today: option name=key-name
      """
    let found = try #require(try ScriptExtension(in: text))
    #expect(found.point == .filter && found.isViewer && found.title == "Indent JSON")
    #expect(found.purpose == "two columns")
    #expect(found.accepts == ["public.json", "public.plain-text"])
    #expect(found.options.map(\.variable) == ["TODAY_OPTION_INDENT", "TODAY_OPTION_KEY_NAME"])
    #expect(found.options.map(\.value) == ["4", ""])
    #expect(found.options[0].choices == ["2", "4"])
  }

  @Test func `a share extension leaves the machine unless it says that it does not`() throws {
    let first = try #require(try ScriptExtension(in: "// today: share accepts=public.url"))
    #expect(first.point == .share && first.leaves)
    let second = try #require(
      try ScriptExtension(in: "// today: share accepts=public.url leaves=false")
    )
    #expect(!second.leaves)
  }

  @Test(arguments: [
    "", "# today: title=Load", "# today: share the load of the machine", "# today: action",
    "# today: option name=x",
    "echo share accepts=x",
  ])
  func `other scripts are no extensions`(text: String) throws {
    #expect(try ScriptExtension(in: text) == nil)
  }

  @Test(arguments: [
    (
      "action title=x",
      "accepts is missing; expected types such as \"public.plain-text, public.json\""
    ),
    (
      "action accepts=\"a\\\"b\"",
      "accepts is \"a\"b\"; expected types such as \"public.plain-text, public.json\""
    ),
    ("action accepts=x role=boss", "role is \"boss\"; expected editor or viewer"),
    (
      "action accepts=x leaves=false",
      "leaves is unknown; expected accepts, title, description, requires, role"
    ),
    (
      "share accepts=x role=editor",
      "role is unknown; expected accepts, title, description, requires, leaves"
    ),
    ("share accepts=\"x", "accepts is \"\"\"; expected \" at its end"),
    ("option name=1x", "name is \"1x\"; expected ASCII letters, digits, - and _"),
    ("option name=x choices=\"1, 2\" default=3", "default is \"3\"; expected 1, 2"),
  ])
  func `a wrong value is named`(line: String, words: String) {
    let before = line.hasPrefix("option") ? "# today: action accepts=y\n" : ""
    let fault = #expect(throws: BundleFault.self) {
      try ScriptExtension(in: "\(before)# today: \(line)")
    }
    #expect(
      fault.map { "\($0.key ?? "") is \($0.found); expected \($0.expected)" }
        == "today: \(line.prefix { $0 != " " }) \(words)"
    )
  }

  @Test(arguments: [
    ("today: option name", (3, 3)), ("today: action role", (2, 3)),
    ("today: option choices", (3, 3)), ("today: share accepts", (1, 6)), ("else", nil), ("", nil),
  ])
  func `an error has the place of its line, also for what is in none`(
    key: String,
    place: (line: Int, column: Int)?
  ) {
    let text = """
      #ä; today: it is a script\r
      # today: action accepts=x role=boss
      # today: option name=1x
      """
    #expect(
      ScriptExtension.place(of: key, in: Array(text.utf8))
        == place.map { TextPlace(line: $0.line, column: $0.column) }
    )
  }
}
