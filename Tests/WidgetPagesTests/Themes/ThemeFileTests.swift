import FoundationEssentials
import ShippedThemes
import Testing
import WidgetKitCore

@testable import WidgetExtensions
@testable import WidgetPages

@Suite struct ThemeFileTests {
  private func read(_ text: String) -> ThemeFile {
    ThemeFile(Array(text.utf8), id: "mine", path: "mine.json")
  }

  @Test func `a file gives a theme its name, its kind, its background and its colours`() throws {
    let file = read(
      """
      { // Comments are allowed.
        name: "Mine", appearance: "light", background: "#FAFAFA",
        colors: { label: "#102030", accent: 4, red: 0 },
      }
      """
    )
    #expect(file.problems.isEmpty)
    let theme = try #require(file.theme)
    #expect(theme.name == "Mine" && theme.id == "mine" && !theme.isDark)
    #expect(theme.background == .rgb(red: 0xFA, green: 0xFA, blue: 0xFA))
    #expect(
      theme.colors == [
        .label: .rgb(red: 0x10, green: 0x20, blue: 0x30), .accent: .indexed(4), .red: .indexed(0),
      ]
    )
  }

  @Test func `a theme without a background leaves the terminal's, and a name is optional`() {
    let theme = read("{ appearance: 'dark' }").theme
    #expect(theme?.background == nil && theme?.name == "mine" && theme?.isDark == true)
  }

  @Test func `a surface needs a background beside it`() {
    let both = read("{ appearance: 'dark', background: '#101010', surface: '#202020' }")
    #expect(both.theme?.surface == .rgb(red: 0x20, green: 0x20, blue: 0x20))
    let alone = read("{ appearance: 'dark', surface: '#202020' }")
    #expect(alone.theme == nil)
    #expect(alone.problems.map(\.string).joined().contains("needs “background”"))
  }

  @Test func `the colours of gauges are a list, also of names`() {
    let theme = read("{ appearance: 'dark', gauge: ['green', 3, '#ff0000'] }").theme
    #expect(theme?.gauge == [.green, .indexed(3), .rgb(red: 255, green: 0, blue: 0)])
    #expect(read("{ appearance: 'dark' }").theme?.gauge == [])
  }

  nonisolated private static let stop =
    "expected a colour such as \"#5aa9ff\", a name such as \"green\", or a number of the palette from 0 to 255"
  nonisolated private static let color =
    "expected a colour such as \"#5aa9ff\", or a number of the palette from 0 to 255"

  @Test(arguments: [
    ("{}", "1:1: “appearance” is missing: expected \"dark\" or \"light\""),
    ("[]", "1:1: expected an object"),
    ("{ appearance: 'drak' }", "1:15: appearance: expected \"dark\" or \"light\", found 'drak'"),
    (
      "{ appearance: 'dark', name: 7 }",
      "1:29: name: expected a text of 1 to 40 characters, found 7"
    ),
    ("{ appearance: 'dark',\n  nmae: 'a' }", "2:3: nmae: unknown; did you mean “name”?"),
    ("{ appearance: 'dark', colors: 5 }", "1:31: colors: expected an object, found 5"),
    (
      "{ appearance: 'dark', colors: { acent: 5 } }",
      "1:33: colors.acent: unknown; did you mean “accent”?"
    ),
    (
      "{ appearance: 'dark', background: 'black' }", "1:35: background: \(color), found 'black'"
    ),
    (
      "{ appearance: 'dark', colors: { red: '#ff00' } }",
      "1:38: colors.red: \(color), found '#ff00'"
    ),
    (
      "{ appearance: 'dark', colors: { red: '#+f0000' } }",
      "1:38: colors.red: \(color), found '#+f0000'"
    ),
    (
      "{ appearance: 'dark', gauge: 'red' }",
      "1:30: gauge: expected a list of 2 to 16 colours, found 'red'"
    ),
    (
      "{ appearance: 'dark', gauge: [1] }",
      "1:30: gauge: expected a list of 2 to 16 colours, found a list"
    ),
    (
      "{ appearance: 'dark', gauge: ['red', 'grene'] }",
      "1:38: gauge[1]: \(stop), found 'grene'"
    ),
    ("{ appearance: 'dark', gaug: ['red', 1] }", "1:23: gaug: unknown; did you mean “gauge”?"),
    ("{ appearance: 'dark', colors: { red: 256 } }", "1:38: colors.red: \(color), found 256"),
    ("{ appearance: 'dark', colors: { red: -1 } }", "1:38: colors.red: \(color), found -1"),
    ("{ appearance: 'dark', colors: { red: 1e300 } }", "1:38: colors.red: \(color), found 1e300"),
    ("{ appearance: 'dark', colors: { red: NaN } }", "1:38: colors.red: \(color), found NaN"),
    ("{ appearance: 'dark', colors: { red: 1.5 } }", "1:38: colors.red: \(color), found 1.5"),
    (
      "{ appearance: 'dark', appearance: 'dark' }",
      "1:23: appearance: given twice; remove one of them"
    ),
    ("{ appearance: 'dark' name }", "1:22: expected a comma or }"),
  ])
  func `what is wrong is named with its place, and there is no theme`(text: String, words: String) {
    let file = read(text)
    #expect(file.problems.map(\.string) == ["mine.json:\(words)"])
    #expect(file.theme == nil)
  }

  @Test func `every theme of the program can be read, and its file has all colours or a standard`()
    throws
  {
    #expect(ShippedThemes.files.count == 8)
    for shipped in ShippedThemes.files {
      let file = ThemeFile(shipped.bytes, id: shipped.id, path: shipped.id)
      #expect(file.problems.isEmpty, "\(file.problems)")
      let theme = try #require(file.theme)
      let missing = Set(SemanticColor.allCases).subtracting(theme.colors.keys)
      #expect(theme.background == nil ? missing == [.label] : missing.isEmpty, "\(shipped.id)")
    }
  }

  @Test(arguments: [true, false])
  func `the standard themes need no file, and are the same as theirs`(isDark: Bool) {
    let id = isDark ? "dark" : "light"
    let bytes = ShippedThemes.files.first { $0.id == id }?.bytes ?? []
    #expect(ThemeFile(bytes, id: id, path: id).theme == .standard(isDark: isDark))
  }
}

@Suite struct ThemeCatalogTests {
  private final class Home {
    let path = "/tmp/today-themes-\(UInt64.random(in: 0 ... .max))"
    var environment: [String: String] { ["HOME": path] }

    func save(_ text: String, as name: String) throws {
      let file = URL(filePath: "\(path)/.config/today/\(name)")
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(),
        withIntermediateDirectories: true
      )
      try Data(text.utf8).write(to: file)
    }

    isolated deinit {
      try? FileManager.default.removeItem(atPath: path)
    }
  }

  @Test func `the user's themes are listed after those of the program, and come before them`()
    throws
  {
    let home = Home()
    try home.save("{ appearance: 'light', name: 'My own' }", as: "themes/mine.json")
    try home.save("{ appearance: 'light' }", as: "themes/ember.json")
    try home.save("{}", as: "themes/not a name.json")
    let themes = ThemeCatalog(environment: home.environment)
    #expect(themes.ids == ShippedThemes.files.map(\.id) + ["mine"])
    guard case .found(let mine) = themes.theme("mine"),
      case .found(let ember) = themes.theme("ember"), case .found(let paper) = themes.theme("paper")
    else {
      Issue.record("a theme is missing")
      return
    }
    #expect(mine.name == "My own" && !ember.isDark && paper.name == "Paper")
  }

  @Test func `themes of the program are there where the user's folder cannot be read`() throws {
    let home = Home()
    try home.save("{}", as: "config.json")
    let folder = "\(home.path)/.config/today/themes"
    try FileManager.default.createSymbolicLink(atPath: folder, withDestinationPath: folder)
    let themes = ThemeCatalog(environment: home.environment)
    for id in themes.ids {
      guard case .found = themes.theme(id) else {
        Issue.record("\(id) is missing")
        continue
      }
    }
    guard case .broken = themes.theme("mine") else {
      Issue.record("the folder was read")
      return
    }
  }

  @Test func `config.json selects a theme by its name; a wrong one is reported where it is`() throws
  {
    let home = Home()
    let config = "\(home.path)/.config/today/config.json"
    try home.save("{ theme: 'midnight' }", as: "config.json")
    let good = UserConfiguration(environment: home.environment)
    #expect(good.settings.screen.definition?.name == "Midnight" && good.setsTheme)

    try home.save("{ theme: 'midnigth' }", as: "config.json")
    let wrong = UserConfiguration(environment: home.environment, keeping: good.settings)
    #expect(
      wrong.problems == [
        "\(SafeText(config)):1:10: theme: no theme “midnigth”; did you mean “midnight”?"
      ]
    )
    #expect(wrong.settings.screen.definition?.name == "Midnight")

    try home.save("{ appearance: 'dark',\n  colors: { red: 'x' } }", as: "themes/mine.json")
    try home.save("{ theme: 'mine' }", as: "config.json")
    let broken = UserConfiguration(environment: home.environment, keeping: good.settings)
    #expect(broken.problems.count == 1)
    #expect(broken.problems.first?.string.contains("themes/mine.json:2:18: colors.red:") == true)
    #expect(broken.settings.screen.definition?.name == "Midnight")

    try home.save("{ theme: '../config' }", as: "config.json")
    #expect(UserConfiguration(environment: home.environment).problems.count == 1)
  }

  @Test func `a theme that was chosen in the program applies where config.json selects none`()
    throws
  {
    let home = Home()
    try ChosenTheme.write("paper", home.environment)
    #expect(UserConfiguration(environment: home.environment).settings.screen.theme == "paper")
    try home.save("{ motion: false }", as: "config.json")
    let chosen = UserConfiguration(environment: home.environment)
    #expect(chosen.settings.screen.definition?.name == "Paper" && !chosen.setsTheme)
    try home.save("{ theme: 'auto' }", as: "config.json")
    let fixed = UserConfiguration(environment: home.environment)
    #expect(fixed.settings.screen.definition == nil && fixed.setsTheme)
  }
}
