import Testing

@testable import WidgetKitCore

/// The variables of plugins, which become settings.
@Suite struct ScriptVariableTests {
  private func setting(_ text: String) -> SettingDeclaration? {
    ScriptVariable.settings([text], values: [:]).first
  }

  @Test func `signs count also where a mark is behind them`() throws {
    let name = try #require(setting("string(VAR_NAME=\"\u{301}Ida\"): \u{308}Who"))
    #expect(name.name == "VAR_NAME" && name.kind == .string)
    #expect(name.defaultValue == .string("\u{301}Ida"))
    #expect(name.title.string.hasSuffix("Who"))
    let unit = try #require(setting("select(VAR_UNIT=\"km\"):\u{301} Unit [\u{301}a,\u{301}b, km]"))
    #expect(unit.kind == .choice)
    #expect(unit.choices == ["\u{301}a", "\u{301}b", "km"])
    #expect(unit.defaultValue == .string("km"))
    #expect(setting("number\u{301}(VAR_COUNT=3): How many") == nil)
  }

  @Test func `a secret has no default, neither in the tag nor in the file of the other program`() {
    let text = "secret(VAR_TOKEN=\"x\"): A token"
    let settings = ScriptVariable.settings([text], values: ["VAR_TOKEN": .string("y")])
    #expect(settings.map(\.kind) == [.secret])
    #expect(settings.map(\.defaultValue) == [nil])
    #expect(settings.map(\.title.string) == ["A token"])
  }

  @Test func `line ends of Windows are blanks`() throws {
    let text = "\r\nselect(\r\nVAR_UNIT=\"km\"\r\n): Unit [km,\r\nmi]\r\n"
    let unit = try #require(setting(text))
    #expect(unit.name == "VAR_UNIT" && unit.choices == ["km", "mi"])
    #expect(unit.defaultValue == .string("km"))
  }

  @Test(arguments: [
    "", "(", ")", "string", "string()", "string)VAR(", "select(A): ]", "select(A): [", "\u{301}",
  ])
  func `what is no variable is left out`(text: String) {
    #expect(setting(text) == nil)
  }
}
