import FoundationEssentials
import Testing
import WidgetExtensions
import WidgetKitCore
import WidgetPages
import WidgetSessions
import WidgetTesting

@testable import WidgetTUI

/// The dashboard on a screen without a terminal, with a clock that the test advances.
@Suite struct DashboardTests {
  @Test func `keys open and close the list of keys`() throws {
    let world = try DashboardWorld()
    #expect(world.screen.shows("Today"))
    world.screen.type(.character("?"))
    world.clock.advance(by: .seconds(1))
    #expect(world.screen.shows("Keys"))
    world.screen.type(.escape)
    world.clock.advance(by: .seconds(1))
    #expect(!world.screen.shows("╭ Keys"))
  }

  @Test func `a key that changes nothing on the page draws nothing`() throws {
    let world = try DashboardWorld()
    let count = world.screen.pictures.count
    // There is no card that could be refreshed.
    world.screen.type(.character("r"))
    world.clock.advance(by: .seconds(1))
    #expect(world.screen.pictures.count == count)
    world.screen.type(.character("?"))
    #expect(world.screen.pictures.count == count + 1)
  }

  @Test(
    arguments: [
      ("]", "There is no other page."), ("[", "There is no other page."),
      ("3", "There is no page 3."),
    ] as [(Unicode.Scalar, String)]
  )
  func `a key for a page that is not there says so`(key: Unicode.Scalar, words: String) throws {
    let world = try DashboardWorld()
    world.type(.character(key))
    #expect(world.screen.shows(words))
  }

  @Test(arguments: [Size(columns: 40, rows: 12), Size(columns: 60, rows: 20)])
  func `a long list of keys is scrolled, and other keys close it`(size: Size) throws {
    let world = try DashboardWorld()
    world.screen.resize(to: size)
    func type(_ keys: Key...) {
      for key in keys { world.screen.type(key) }
      world.clock.advance(by: .seconds(1))
    }
    type(.character("?"))
    #expect(world.screen.shows(" more ") && world.screen.shows("Esc close"))
    #expect(!world.screen.shows("q  Ctrl-C"))
    type(.end)
    #expect(world.screen.shows("q  Ctrl-C") && world.screen.shows("↑"))
    type(.end, .down, .pageDown)
    #expect(world.screen.shows("q  Ctrl-C"))
    type(.up)
    #expect(!world.screen.shows("q  Ctrl-C") && world.screen.shows("↓ 1 more"))
    type(.home, .up, .pageUp)
    #expect(world.screen.shows("next, previous card"))
    type(.character("m"))
    #expect(!world.screen.shows("╭ Keys"))
    type(.end)
    type(.character("?"))
    #expect(world.screen.shows("next, previous card"))
  }

  @Test func `the list of keys is that of the mode, which is there again afterwards`() throws {
    let world = try DashboardWorld()
    let type = { (key: Key) in
      world.screen.type(key)
      world.clock.advance(by: .seconds(1))
    }
    type(.character("e"))
    type(.character("?"))
    #expect(world.screen.shows("Keys of edit mode") && world.screen.shows("add a widget"))
    #expect(!world.screen.shows("find cards by name and text"))
    type(.escape)
    #expect(world.screen.shows("[ Done ]") && !world.screen.shows("Keys of edit mode"))
    type(.escape)
    type(.character("?"))
    #expect(world.screen.shows("find cards by name and text"))
    #expect(!world.screen.shows("Keys of edit mode"))
    // Hidden with the list of edit mode open, the page has its own list later.
    type(.escape)
    type(.character("e"))
    type(.character("?"))
    type(.character("H"))
    type(.escape)
    type(.character("?"))
    #expect(world.screen.shows("find cards by name and text"))
  }

  @Test(
    arguments: [
      ("?", "Keys"), ("H", "is hidden"), (":", "Commands"),
    ] as [(Unicode.Scalar, String)]
  )
  func `a pasted text is no key of what is over the page`(key: Unicode.Scalar, words: String) throws
  {
    let world = try DashboardWorld()
    let before = world.screen.shows(words)
    world.screen.type(.character(key))
    world.clock.advance(by: .seconds(1))
    #expect(!before && world.screen.shows(words))
    world.screen.type(.paste("zzz"))
    world.clock.advance(by: .seconds(1))
    #expect(world.screen.shows(words))
    #expect(world.screen.shows("zzz") == (key == ":"), "typed where a line is typed")
  }

  @Test func `the screen is redrawn with the palette and the letters as they are`() throws {
    let world = try DashboardWorld()
    for key in [Key.character(":"), .character("q"), .control("l")] {
      world.screen.type(key)
      world.clock.advance(by: .seconds(1))
    }
    #expect(world.screen.shows(": q") && world.screen.shows("Quit"))
    // Home and End are in the text that is typed.
    for key in [Key.home, .character("x")] { world.screen.type(key) }
    world.clock.advance(by: .seconds(1))
    #expect(world.screen.shows(": xq"))
  }

  @Test func `a press on a line of the palette chooses it, and one beside it leaves`() throws {
    let world = try DashboardWorld()
    for key in [Key.character(":")] + "all keys".unicodeScalars.map({ Key.character($0) }) {
      world.screen.type(key)
    }
    world.clock.advance(by: .seconds(1))
    let place = try #require(world.screen.place(of: "Help: all keys"))
    world.screen.type(.mouse(MouseEvent(action: .press, column: place.column, row: place.row)))
    world.clock.advance(by: .seconds(1))
    #expect(world.screen.shows("find cards by name and text"))
    world.screen.type(.escape)
    world.screen.type(.character(":"))
    world.screen.type(.mouse(MouseEvent(action: .press, column: 0, row: 0)))
    world.clock.advance(by: .seconds(1))
    #expect(!world.screen.shows("Commands"))
  }

  @Test func `the palette opens in edit mode too, which it ends`() throws {
    let world = try DashboardWorld()
    world.screen.type(.character("e"))
    world.screen.type(.character(":"))
    world.clock.advance(by: .seconds(1))
    #expect(world.screen.shows("Commands"))
    #expect(!world.screen.shows("[ Done ]"))
    world.screen.type(.escape)
    world.clock.advance(by: .seconds(1))
    #expect(!world.screen.shows("[ Done ]"))
  }

  @Test(arguments: ["/", "z", "f", "r", "b"] as [Unicode.Scalar])
  func `a key that does nothing in edit mode says so`(key: Unicode.Scalar) throws {
    let world = try DashboardWorld()
    world.screen.type(.character("e"))
    world.screen.type(.character(key))
    world.clock.advance(by: .seconds(1))
    #expect(world.screen.shows("“\(Character(key))” does nothing in edit mode; ? lists the keys."))
    #expect(world.screen.shows("[ Done ]"))
  }

  @Test func `the page looks as the user set it, and says what is wrong with the settings`() throws
  {
    let world = try DashboardWorld(settings: "{ glyphs: 'ascii', theme: 'light', motion: 1 }")
    #expect(!world.screen.theme.isDark)
    #expect(world.screen.shows("config.json:1:44: motion: expected"))
  }

  @Test func `nothing is drawn for a terminal that does not read, and the newest page afterwards`()
    throws
  {
    let world = try DashboardWorld()
    world.screen.isReady = false
    let count = world.screen.pictures.count
    world.screen.type(.character("?"))
    world.clock.advance(by: .seconds(1))
    #expect(world.screen.pictures.count == count)
    world.screen.isReady = true
    world.clock.advance(by: .seconds(1))
    #expect(world.screen.shows("Keys"))
  }

  @Test func `another size of the terminal is taken over with the next picture`() throws {
    let world = try DashboardWorld()
    world.screen.resize(to: Size(columns: 33, rows: 9))
    world.clock.advance(by: .seconds(1))
    #expect(world.screen.pictures.last?.size == Size(columns: 33, rows: 9))
  }

  @Test func `on Ctrl-Z the terminal is given back before the program stops, and taken after it`()
    throws
  {
    let world = try DashboardWorld()
    world.screen.onSuspend()
    world.clock.advance(by: .seconds(1))
    #expect(world.screen.calls == ["pause", "release", "stop program", "reclaim", "read"])
    #expect(world.screen.shows("Today"))
  }

  @Test func `q gives the terminal back and ends the page`() throws {
    let world = try DashboardWorld()
    world.screen.type(.character("q"))
    world.clock.advance(by: .seconds(3))
    #expect(world.screen.calls == ["stop reading", "release"])
    #expect(world.hasEnded)
  }

  @Test func `a terminal that has gone ends the page`() throws {
    let world = try DashboardWorld()
    world.screen.isClosed = true
    world.screen.onInput()
    world.clock.advance(by: .seconds(3))
    #expect(world.hasEnded)
  }

  @Test func `slash finds cards, and Esc shows all again`() throws {
    let world = try DashboardWorld()
    world.screen.type(.character("/"), .character("n"), .character("o"))
    world.clock.advance(by: .seconds(1))
    #expect(world.screen.shows("No card has “no”."))
    #expect(world.screen.rows.last?.contains("/ no") == true)
    world.screen.type(.enter)
    world.clock.advance(by: .seconds(1))
    #expect(world.screen.rows.last?.contains("/no Esc shows all") == true)
    world.screen.type(.escape)
    world.clock.advance(by: .seconds(1))
    #expect(!world.screen.shows("No card has"))
  }

  @Test func `the palette draws with a theme while it is selected, and remembers a chosen one`()
    throws
  {
    let world = try DashboardWorld()
    #expect(world.screen.theme.definition.id == "dark")
    world.screen.type(.character(":"))
    for scalar in "paper".unicodeScalars { world.screen.type(.character(scalar)) }
    world.clock.advance(by: .seconds(1))
    #expect(world.screen.shows("Theme: Paper") && world.screen.theme.definition.id == "paper")
    world.screen.type(.escape)
    #expect(world.screen.theme.definition.id == "dark")
    world.screen.type(.character(":"))
    for scalar in "paper".unicodeScalars { world.screen.type(.character(scalar)) }
    world.screen.type(.enter)
    world.clock.advance(by: .seconds(1))
    #expect(world.screen.theme.definition.id == "paper" && !world.screen.shows("Commands"))
    let state = "\(world.folder)/home/.local/state/today/theme"
    #expect(try String(contentsOfFile: state, encoding: .utf8) == "paper\n")
  }

  @Test func `a theme that is chosen is undone, and what is said ends with the mode`() throws {
    let world = try DashboardWorld()
    for theme in ["paper", "midnight"] {
      world.screen.type(.character(":"))
      for scalar in theme.unicodeScalars { world.screen.type(.character(scalar)) }
      world.screen.type(.enter)
      world.clock.advance(by: .seconds(1))
      #expect(world.screen.theme.definition.id == theme)
    }
    for theme in ["paper", "dark"] {
      world.screen.type(.character("u"))
      world.clock.advance(by: .seconds(1))
      #expect(world.screen.theme.definition.id == theme)
    }
    world.screen.type(.character("u"))
    world.clock.advance(by: .seconds(1))
    #expect(world.screen.shows("There is nothing to undo. u takes back"))
    world.screen.type(.character("e"))
    world.clock.advance(by: .seconds(1))
    #expect(!world.screen.shows("There is nothing to undo.") && world.screen.shows("Done"))
    world.screen.type(.character("u"), .escape)
    world.clock.advance(by: .seconds(1))
    #expect(!world.screen.shows("There is nothing to undo."))
    world.screen.type(.character("L"), .character("u"))
    world.clock.advance(by: .seconds(1))
    #expect(world.screen.shows("The page is locked."))
  }

  @Test func `what a key has come to is said until the next key, and not until the pointer moves`()
    throws
  {
    let world = try DashboardWorld()
    func type(_ keys: Key...) {
      for key in keys { world.screen.type(key) }
      world.clock.advance(by: .seconds(1))
    }
    let words = "There is nothing to undo."
    type(.character("u"))
    #expect(world.screen.shows(words))
    for action: MouseEvent.Action in [.wheelDown, .release, .press] {
      type(.mouse(MouseEvent(action: action, column: 3, row: 10)))
      #expect(world.screen.shows(words))
    }
    // The same key says it again.
    type(.character("u"))
    #expect(world.screen.shows(words))
    type(.down)
    #expect(!world.screen.shows(words))
    type(.character("u"), .down)
    #expect(!world.screen.shows(words))
    type(.down, .character("u"))
    #expect(world.screen.shows(words))
  }

  @Test func `config.json comes before a theme that is chosen, and the palette says so`() throws {
    let world = try DashboardWorld(settings: "{ theme: 'light' }")
    world.screen.type(.character(":"))
    for scalar in "paper".unicodeScalars { world.screen.type(.character(scalar)) }
    world.clock.advance(by: .seconds(1))
    #expect(world.screen.shows("config.json sets the theme “light”"))
    world.screen.type(.enter)
    world.clock.advance(by: .seconds(1))
    #expect(world.screen.theme.definition.id == "light")
    #expect(world.screen.shows("config.json sets the theme “light”"))
  }

  @Test func `the palette performs a command by its name`() throws {
    let world = try DashboardWorld()
    world.screen.type(.character(":"), .character("k"), .character("e"), .character("y"), .enter)
    world.clock.advance(by: .seconds(1))
    #expect(world.screen.shows("╭ Keys"))
  }

  @Test func `the palette begins and ends quiet time, and has first what was chosen often`() throws
  {
    let world = try DashboardWorld()
    func choose(_ text: String) {
      world.screen.type(.character(":"))
      for scalar in text.unicodeScalars { world.screen.type(.character(scalar)) }
      world.screen.type(.enter)
      world.clock.advance(by: .seconds(1))
    }
    choose("quiet for an hour")
    #expect(world.screen.shows("Quiet until "))
    choose("end quiet")
    #expect(world.screen.shows("Notices sound again."))
    choose("quiet until")
    #expect(world.screen.shows("Quiet until you end it"))
    choose("quiet until")
    world.screen.type(.character(":"))
    world.clock.advance(by: .seconds(1))
    let lines = world.screen.rows.filter { $0.contains("│") }
    #expect(lines.dropFirst().first?.contains("Quiet until you end it") == true, "\(lines)")
    world.screen.type(.enter)
    let path = "\(world.folder)/home/.local/state/today/palette-uses.json"
    #expect(FileManager.default.fileExists(atPath: path))
  }

  @Test func `words that nothing in the palette has search the gallery`() throws {
    let world = try DashboardWorld()
    world.screen.type(.character(":"))
    for scalar in "zzyzx".unicodeScalars { world.screen.type(.character(scalar)) }
    world.clock.advance(by: .seconds(1))
    #expect(world.screen.shows("Search the gallery of widgets for “zzyzx”"))
    world.screen.type(.enter)
    world.clock.advance(by: .seconds(1))
    #expect(world.screen.shows("Installed") && world.screen.shows("/ zzyzx"))
    // By its own name it opens with everything that it has.
    world.screen.type(.escape, .escape, .escape, .character(":"))
    for scalar in "gallery".unicodeScalars { world.screen.type(.character(scalar)) }
    world.screen.type(.enter)
    world.clock.advance(by: .seconds(1))
    #expect(world.screen.shows("Installed") && !world.screen.shows("No entry matches"))
  }

  @Test func `a command of the user on a key is asked about once, listed, and found by name`()
    throws
  {
    let world = try DashboardWorld(
      settings: """
        { keys: { D: { run: ['/bin/echo', 'hello'], title: 'Say hello' }, W: { run: ['/bin/echo', 'you'] },
          q: { run: ['/bin/echo', '{row.id}'] }, r: { run: ['/bin/echo'], when: 'com.example.A' } } }
        """
    )
    func type(_ keys: Key...) {
      for key in keys { world.screen.type(key) }
      world.clock.advance(by: .seconds(1))
    }
    type(.character("?"))
    #expect(world.screen.shows("Say hello") && world.screen.shows("(on com.example.A)"))
    type(.escape, .character("q"))
    #expect(world.screen.shows("Key q: Select a row with Tab first."))
    // On other cards the key has its usual meaning.
    type(.character("r"))
    #expect(!world.screen.shows("com.example.A"))
    type(.character(":"), .character("s"), .character("a"), .character("y"), .enter)
    #expect(world.screen.shows("Run a command?") && world.screen.shows("/bin/echo hello"))
    type(.escape)
    type(.character("W"))
    #expect(world.screen.shows("The key W wants to run a command"))
    type(.escape)
    type(.character("L"), .character("D"))
    #expect(world.screen.shows("The page is locked."))
    type(.character("L"), .character("D"))
    #expect(world.screen.shows("Run a command?"))
    type(.character("d"))
    #expect(world.screen.shows("Say hello: you do not permit this command"))
    let book = PermissionBook(
      SearchPaths(environment: [:], executable: nil),
      environment: ["HOME": "\(world.folder)/home"]
    )
    #expect(book.commands(of: OwnCommand.holder) == ["/bin/echo hello": false])
    type(.character("D"))
    #expect(!world.screen.shows("Run a command?"))
  }

  @Test func `keys of the user are in force, in the footer and in the list of keys`() throws {
    let world = try DashboardWorld(settings: "{ keys: { x: 'quit', q: 'help' } }")
    world.screen.resize(to: Size(columns: 60, rows: 40))
    world.clock.advance(by: .seconds(1))
    world.screen.type(.character("q"))
    world.clock.advance(by: .seconds(1))
    #expect(world.screen.shows("Ctrl-C  x"))
    world.screen.type(.escape, .character("x"))
    world.clock.advance(by: .seconds(3))
    #expect(world.hasEnded)
  }

  @Test func `a hidden page shows nothing until a key is pressed, which does nothing else`() throws
  {
    let world = try DashboardWorld()
    world.screen.type(.character("H"))
    world.clock.advance(by: .seconds(1))
    #expect(world.screen.shows("The page is hidden.") && !world.screen.shows("Today"))
    world.screen.type(.character("?"))
    world.clock.advance(by: .seconds(1))
    #expect(world.screen.shows("Today") && !world.screen.shows("╭ Keys"))
  }

  @Test func `widgets are told of the focus and of a hidden page`() throws {
    let world = try DashboardWorld()
    let host = { world.dashboard.center.screen.host }
    #expect(host() == .active)
    world.screen.onFocus(false)
    #expect(host() == .inactive)
    world.screen.onFocus(true)
    #expect(host() == .active)
    world.screen.onFocus(false)
    world.screen.type(.character("H"))
    #expect(host() == .background)
    world.screen.type(.character("x"))
    #expect(host() == .active)
  }

  @Test func `a page that is suspended without the focus counts as hidden then`() throws {
    let world = try DashboardWorld(settings: "{ suspendWhenUnfocused: true }")
    let host = { world.dashboard.center.screen.host }
    world.screen.onFocus(false)
    #expect(host() == .background)
    world.screen.onFocus(true)
    #expect(host() == .active)
    world.screen.onFocus(false)
    // A terminal in which somebody types has the focus, whatever it has told.
    world.screen.type(.character("?"))
    #expect(host() == .active)
  }

  @Test func `after Ctrl-Z the page has the focus again`() throws {
    let world = try DashboardWorld()
    world.screen.onFocus(false)
    world.screen.onSuspend()
    world.clock.advance(by: .seconds(1))
    #expect(world.dashboard.center.screen.host == .active)
  }

  @Test func `L locks the page and unlocks it`() throws {
    let world = try DashboardWorld()
    world.screen.type(.character("L"))
    world.clock.advance(by: .seconds(1))
    #expect(world.screen.rows.first?.contains("locked") == true)
    world.screen.type(.character("L"))
    world.clock.advance(by: .seconds(1))
    #expect(world.screen.rows.first?.contains("locked") == false)
  }

  @Test func `keys after q do nothing`() throws {
    let world = try DashboardWorld()
    world.screen.type(.character("q"), .character("?"))
    world.clock.advance(by: .seconds(3))
    #expect(!world.screen.shows("╭ Keys"))
  }
}
