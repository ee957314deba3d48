import Testing
import WidgetKitCore
import WidgetTestSupport

@testable import EngineTestSupport
@testable import WidgetCards
@testable import WidgetPages

/// What changes around a script while its card is on the page: the width, and the background.
@Suite struct `A script whose surroundings change` {
  @Test func `runs again for another width if it names COLUMNS`() async throws {
    let text = "#!/bin/sh\n# today: interval=1h\necho x >>\"$HOME/%\"; wc -l <\"$HOME/%\""
    let scripts = try ScriptWorld([
      "wide.sh": text.replacing("%", with: "wide") + "; echo $COLUMNS",
      "other.sh": text.replacing("%", with: "other"),
    ])
    try scripts.open()
    try await eventually("the rows") {
      try scripts.rows("wide") == ["1", "38"] && scripts.rows("other") == ["1"]
    }
    // A window that is drawn larger has many sizes.
    for width in [41, 42, 43, 44] { scripts.center?.screen.setWidth(width) }
    scripts.center?.screen.setWidth(52)
    try await eventually("the rows for the new width") {
      try scripts.rows("wide") == ["2", "50"]
    }
    // It is not run for a size that it had before the run.
    scripts.center?.screen.setWidth(60)
    scripts.center?.screen.setWidth(52)
    scripts.center?.updates.refresh(nil)
    try await eventually("the runs that were asked for") { try scripts.rows("other") == ["2"] }
    try await eventually("those of both") { try scripts.rows("wide") == ["3", "50"] }
    await scripts.end()
  }

  @Test func `runs again for another background if it has colours for each`() async throws {
    let scripts = try ScriptWorld([
      "a.sh": """
      #!/bin/sh
      # today: format=swiftbar interval=1h
      echo "$OS_APPEARANCE | color=#000000,#ffffff"
      """,
      "b.sh": "# today: interval=1h\necho x >>\"$HOME/runs\"; wc -l <\"$HOME/runs\"\n",
    ])
    try scripts.open { $0.appearance = Appearance(colors: 256, dark: true) }
    func color() throws -> Color? {
      guard case .vstack(let stack)? = try scripts.card("a").view?.content else { return nil }
      return stack.children.first?.style.foreground
    }
    try await eventually("the dark picture") { try scripts.rows("a") == ["Dark"] }
    #expect(try color() == .rgb(red: 255, green: 255, blue: 255))
    scripts.center?.look.set(Appearance(colors: 256, dark: false), glyphs: .unicode)
    try await eventually("the light picture") { try scripts.rows("a") == ["Light"] }
    #expect(try color() == .rgb(red: 0, green: 0, blue: 0))
    #expect(try scripts.rows("b") == ["1"])
    await scripts.end()
  }
}
