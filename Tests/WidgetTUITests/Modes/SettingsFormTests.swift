import Testing
import WidgetCards
import WidgetExtensions
import WidgetKitCore
import WidgetPlatform

@testable import WidgetTUI

@Suite struct SettingsFormTests {
  private let size = Size(columns: 100, rows: 30)

  private func type(_ text: String, in form: inout SettingsForm) {
    for scalar in text.unicodeScalars { _ = form.take(.character(scalar)) }
  }

  private func go(to name: String, in form: inout SettingsForm) {
    let last = form.rows.count - 1
    for _ in 0...last where form.rows[min(form.selection, last)].declaration.name != name {
      _ = form.take(.tab)
    }
  }

  private func picture(_ form: SettingsForm) -> String {
    var canvas = Canvas(size: size)
    form.draw(.unicode, on: &canvas)
    return TextWriter.text(canvas)
  }

  @Test func `what was changed is saved, and nothing else`() {
    var form = SampleSettings.form()
    #expect(form.changes.isEmpty)
    // The line for another text has the focus.
    type("UTC", in: &form)
    go(to: "label", in: &form)
    type(" 2", in: &form)
    go(to: "rows", in: &form)
    _ = form.take(.control("u"))
    go(to: "seconds", in: &form)
    _ = form.take(.character(" "))
    go(to: "style", in: &form)
    _ = form.take(.right)
    let changes = Dictionary(uniqueKeysWithValues: form.changes.map { ($0.name, $0.words ?? "–") })
    #expect(
      changes == [
        "zones": "Asia/Tokyo, UTC", "label": "Home 2", "rows": "–", "seconds": "false",
        "style": "short",
      ]
    )
    _ = form.take(.left)
    #expect(form.changes.count == 4)
  }

  @Test(arguments: [40, 80, 120])
  func `titles and explanations that are longer than a line are shown whole`(_ columns: Int) {
    let size = Size(columns: columns, rows: 60)
    let title: SafeText = "Mount points of the disks to show, and of those that are not mounted yet"
    let rows = [
      SampleSettings.row("disks", .list, title: title, .list(["/"]), by: "program"),
      SampleSettings.row("all", .boolean, title: title, .boolean(true), by: "program"),
    ]
    for var form in [SampleSettings.form(), SettingsForm(card: CardID("a"), name: "A", rows)] {
      for row in form.rows {
        go(to: row.declaration.name, in: &form)
        var canvas = Canvas(size: size)
        form.draw(.unicode, on: &canvas)
        let all = TextWriter.text(canvas).split { "│╰─╯☑ \n".contains($0) }.joined(separator: " ")
        // The place in config.json is whole at the bottom, where its line has no room for it.
        let words = all.replacing("PROGRAM, …", with: "").replacing("(config.json:…", with: "")
        #expect(!words.contains("…"), "\(all)")
        #expect(all.contains(row.declaration.title.string), "\(all)")
      }
    }
  }

  @Test(arguments: [40, 80, 120])
  func `a label is above its value, which has the width of the form`(columns: Int) {
    let value = "~/calendars/work.ics"
    let file = SampleSettings.row("a", .file, title: "File", .string(value), by: "program")
    var canvas = Canvas(size: Size(columns: columns, rows: 24))
    SettingsForm(card: CardID("a"), name: "A", [file]).draw(.unicode, on: &canvas)
    let lines = TextWriter.text(canvas).split(separator: "\n")
    guard let title = lines.firstIndex(where: { $0.contains("│   File") }) else {
      Issue.record("no title in \(lines)")
      return
    }
    #expect(lines[title + 1].contains("│ › \(value)"))
    let underlined = (0..<columns).count { column in
      (0..<24).contains { row in
        canvas.row(row)[column].style.attributes.contains(.underline)
      }
    }
    #expect(underlined == min(columns, 78) - 6)
  }

  @Test func `each text of a list has a line, and the last line is for another`() {
    let zones: [String] = ["a", "b", "c"]
    let rows = [SampleSettings.row("zones", .list, title: "Zones", .list(zones), by: "program")]
    var form = SettingsForm(card: CardID("a"), name: "A", rows)
    #expect(picture(form).contains("+ another"))
    func words() -> String? { form.changes.first?.words }
    // Add.
    type("d", in: &form)
    #expect(words() == "a, b, c, d" && form.line == 3)
    _ = form.take(.down)
    #expect(form.line == 4 && form.selection == 0)
    _ = form.take(.up)
    // Move.
    _ = form.take(.shiftUp)
    #expect(words() == "a, b, d, c" && form.line == 2)
    _ = form.take(.shiftDown)
    _ = form.take(.shiftDown)
    #expect(words() == "a, b, c, d" && form.line == 3)
    // Remove: by a key, by Backspace on an empty line, and by leaving it empty.
    _ = form.take(.control("x"))
    #expect(form.changes.isEmpty && form.line == 3)
    _ = form.take(.up)
    _ = form.take(.backspace)
    _ = form.take(.backspace)
    #expect(words() == "a, b" && form.line == 1)
    _ = form.take(.up)
    _ = form.take(.control("u"))
    _ = form.take(.down)
    #expect(words() == "b" && form.line == 0 && form.rows[0].lineCount == 2)
    // Change.
    type("2 ", in: &form)
    #expect(words() == "b2")
    _ = form.take(.shiftUp)
    #expect(words() == "b2")
    _ = form.take(.control("x"))
    _ = form.take(.control("x"))
    #expect(form.changes.map(\.words) == [nil])
    #expect(picture(form).contains("+ add one"))
  }

  @Test func `lines that are pasted into a list are texts of it, up to as many as it can have`() {
    let rows = [SampleSettings.row("zones", .list, .list(["a"]), by: "program")]
    var form = SettingsForm(card: CardID("a"), name: "A", rows)
    _ = form.take(.up)
    _ = form.take(.paste("1\n\nb\r\nc\n"))
    #expect(form.changes.map(\.words) == ["a1, b, c"] && form.line == 2)
    _ = form.take(.paste(String(repeating: "x\n", count: 500)))
    #expect(form.rows[0].texts.count == 100 && form.rows[0].lineCount == 100)
    _ = form.take(.tab)
    _ = form.take(.backTab)
    #expect(form.selection == 0 && form.line == 0)
  }

  @Test func `what is wrong with a text of a list stands below that text`() {
    let rows = [SampleSettings.row("zones", .list, .list(["a", "b"]), by: "program")]
    var form = SettingsForm(card: CardID("a"), name: "A", rows)
    form.show(["zones": SettingsFormRow.Fault("no such zone", line: 1)])
    let lines = picture(form).split(separator: "\n").map { $0.split { "│ ".contains($0) } }
    let place = lines.firstIndex { $0.first == "›" && $0.last == "b" }
    #expect(place.map { lines[$0 + 1].joined(separator: " ") } == "⚠ no such zone")
    type("c", in: &form)
    #expect(form.rows[0].fault == nil)
  }

  @Test(arguments: [
    (GlyphSet.unicode, "☑ Show seconds", "☐ Show seconds"),
    (.ascii, "[x] Show seconds", "[ ] Show seconds"),
  ])
  func `a toggle is drawn as on a card`(glyphs: GlyphSet, on: String, off: String) {
    var form = SampleSettings.form()
    func shown() -> String {
      var canvas = Canvas(size: size)
      form.draw(glyphs, on: &canvas)
      return TextWriter.text(canvas)
    }
    #expect(shown().contains(on))
    go(to: "seconds", in: &form)
    _ = form.take(.character(" "))
    #expect(shown().contains(off))
  }

  @Test func `a number has its unit behind it, and an empty line an example`() {
    var place = SampleSettings.row("place", .string, title: "Place")
    place.declaration.example = "Berlin"
    let rows = [
      SampleSettings.row("warn", .number, .number(90), by: "program", range: 1...100, unit: "%"),
      place,
    ]
    let form = SettingsForm(card: CardID("a"), name: "A", rows)
    let text = picture(form)
    #expect(text.contains("› 90               %"), "\(text)")
    #expect(text.contains("such as Berlin") && text.contains("A number from 1 to 100, in %"))
  }

  @Test func `moving the cursor in a value changes no setting`() {
    var form = SampleSettings.form()
    for key in [Key.left, .home, .tab, .left, .tab, .left] { _ = form.take(key) }
    #expect(form.changes.isEmpty)
  }

  @Test func `settings that have no room are counted on the border`() {
    var form = SampleSettings.form()
    func last() -> String {
      var canvas = Canvas(size: Size(columns: 80, rows: 14))
      form.draw(.unicode, on: &canvas)
      return TextWriter.text(canvas).split(separator: "\n").last.map(String.init) ?? ""
    }
    #expect(last().contains("↓ ") && last().contains(" more "))
    _ = form.take(.pageDown)
    #expect(last().contains("↑ "))
  }

  @Test func `a value that is longer than its line has marks where it goes on`() {
    var form = SampleSettings.form()
    go(to: "label", in: &form)
    type(String(repeating: "0123456789", count: 9), in: &form)
    func line() -> Substring {
      picture(form).split(separator: "\n").first { $0.contains("› ") } ?? ""
    }
    #expect(line().contains(" …") && !line().contains("… │"))
    _ = form.take(.home)
    #expect(line().contains("… │"), "\(line())")
    _ = form.take(.tab)
    #expect(picture(form).contains("…"))
  }

  @Test func `Enter saves and Esc discards, and the buttons do the same`() {
    func outcome(_ keys: Key...) -> SettingsForm.Outcome {
      var form = SampleSettings.form()
      return keys.map { form.take($0) }.last ?? .stays
    }
    #expect(outcome(.enter) == .saves)
    #expect(outcome(.escape) == .ends)
    #expect(outcome(.backTab, .enter) == .ends)
    #expect(outcome(.backTab, .up, .character(" ")) == .saves)
    #expect(outcome(.backTab, .left, .enter) == .saves)
    #expect(outcome(.up, .up, .enter) == .ends)
    #expect(outcome(.pageDown, .right, .character(" ")) == .ends)
  }

  @Test func `a value of config json is shown with its place and not changed`() {
    var form = SampleSettings.form()
    go(to: "file", in: &form)
    type("/tmp/x", in: &form)
    _ = form.take(.backspace)
    #expect(form.changes.isEmpty)
    #expect(picture(form).contains("/home/ida/.config/today/config.json:4:12"))
  }

  @Test func `a secret is never shown`() {
    var form = SampleSettings.form()
    go(to: "token", in: &form)
    #expect(picture(form).contains("•••••• set"))
    type("hunter2", in: &form)
    #expect(!picture(form).contains("hunter2") && picture(form).contains("•••••••"))
    _ = form.take(.control("u"))
    // Where it stands is no secret.
    type("{ file: '~/token' }", in: &form)
    #expect(picture(form).contains("{ file: '~/token' }"))
    #expect(form.changes.map(\.words) == ["{ file: '~/token' }"])
  }

  @Test func `an error stands below its setting, and goes when that is changed`() {
    var form = SampleSettings.form()
    form.show([
      "rows": SettingsFormRow.Fault("expected a number from 1 to 10"),
      "token": SettingsFormRow.Fault("expected another"),
    ])
    #expect(form.rows[form.selection].declaration.name == "rows")
    #expect(picture(form).contains("⚠ expected a number from 1 to 10"))
    _ = form.take(.backspace)
    #expect(!picture(form).contains("⚠ expected a number from 1 to 10"))
    #expect(form.rows[form.selection].fault == nil)
    form.show("the folder cannot be written")
    #expect(picture(form).contains("the folder cannot be written"))
  }

  @Test func `a setting is looked at when the focus leaves it, if it was changed`() {
    var form = SampleSettings.form()
    go(to: "zones", in: &form)
    var before = form
    _ = form.take(.tab)
    #expect(form.left(since: before) == nil)
    _ = form.take(.backTab)
    before = form
    type("x", in: &form)
    // While it is typed nothing is said of it.
    #expect(form.left(since: before) == nil)
    before = form
    _ = form.take(.tab)
    #expect(form.left(since: before)?.declaration.name == "zones")
    form.note(SettingsFormRow.Fault("no such zone"), of: "zones")
    #expect(picture(form).contains("⚠ no such zone"))
    #expect(form.rows[form.selection].declaration.name != "zones")
    #expect(form.left(since: before) == nil)
  }

  @Test(arguments: [40, 80, 120])
  func `an error is shown whole, below its setting`(columns: Int) {
    var form = SampleSettings.form()
    let words: SafeText = "there is no time zone “Asia/Tokio”; did you mean “Asia/Tokyo”?"
    form.show(["zones": SettingsFormRow.Fault(words)])
    var canvas = Canvas(size: Size(columns: columns, rows: 24))
    form.draw(.unicode, on: &canvas)
    let all = TextWriter.text(canvas).split { "│ \n".contains($0) }.joined(separator: " ")
    #expect(all.contains("⚠ \(words)"))
  }

  @Test(arguments: [(30, 10), (20, 6), (80, 8)])
  func `the line that is edited is in view, also when it is wrong`(columns: Int, rows: Int) {
    var form = SampleSettings.form()
    go(to: "rows", in: &form)
    type("77777", in: &form)
    let words: SafeText =
      "expected a number from 1 to 10, which is how many rows the card has at the most"
    form.show(["rows": SettingsFormRow.Fault(words)])
    var canvas = Canvas(size: Size(columns: columns, rows: rows))
    form.draw(.unicode, on: &canvas)
    #expect(TextWriter.text(canvas).contains("77777"), "\(TextWriter.text(canvas))")
  }

  @Test func `a setting with time zones says so`() {
    for (kind, words) in [
      (
        SettingDeclaration.Kind.list,
        "On each line the name of a time zone, such as Europe/Copenhagen"
      ),
      (.string, "The name of a time zone, such as Europe/Copenhagen"),
    ] {
      var row = SampleSettings.row("zone", kind, nil, by: "program")
      row.declaration.format = .timeZone
      let form = SettingsForm(card: CardID("a"), name: "A", [row])
      #expect(picture(form).contains(words))
    }
  }

  @Test func `a folder is explained as a folder`() {
    var row = SampleSettings.row("folder", .file, nil, by: "program")
    row.declaration.format = .folder
    let form = SettingsForm(card: CardID("a"), name: "A", [row])
    #expect(picture(form).contains("The path of a folder, which begins with / or ~/"))
  }

  @Test(arguments: [80, 120, 200])
  func `a value has the room that the screen has`(columns: Int) {
    let value = String(repeating: "0123456789", count: 9)
    let row = SampleSettings.row("url", .string, title: "Address", .string(value), by: "program")
    let form = SettingsForm(card: CardID("a"), name: "A", [row])
    var canvas = Canvas(size: Size(columns: columns, rows: 24))
    form.draw(.unicode, on: &canvas)
    #expect(TextWriter.text(canvas).contains(value) == (columns >= 120))
  }

  @Test func `a list whose texts have commas is written so that it can be read again`() {
    let texts: [String] = ["a, b", "\"c\"", " d", "\\"]
    let row = SampleSettings.row("words", .list, .list(texts), by: "program")
    var form = SettingsForm(card: CardID("a"), name: "A", [row])
    for _ in 0..<4 { _ = form.take(.up) }
    type("!", in: &form)
    #expect(form.changes.map(\.words) == [#"["a, b!", "\"c\"", " d", "\\"]"#])
  }

  @Test func `a click selects, changes and saves`() throws {
    var form = SampleSettings.form()
    func place(_ words: String) throws -> Position {
      let rows = picture(form).split(separator: "\n", omittingEmptySubsequences: false)
      let row = try #require(rows.firstIndex { $0.contains(words) })
      let column = try #require(rows[row].firstRange(of: words)).lowerBound
      let columns = rows[row].distance(from: rows[row].startIndex, to: column)
      return Position(column: columns, row: row)
    }
    func click(_ words: String) throws -> SettingsForm.Outcome {
      form.click(try place(words), on: size, .unicode)
    }
    #expect(try click("☑ Show") == .stays)
    #expect(form.changes.map(\.name) == ["seconds"])
    #expect(try click("‹ long ›") == .stays)
    #expect(form.changes.map(\.name) == ["seconds", "style"])
    #expect(try click("Tokyo") == .stays)
    type("X", in: &form)
    #expect(form.changes.first?.words == "Asia/XTokyo")
    let beside = form.click(Position(column: 0, row: 0), on: size, .unicode)
    #expect(beside == .stays)
    #expect(try click("[ Cancel ]") == .ends)
    #expect(try click("[ Save ]") == .saves)
  }

  @Test func `it can be drawn and used at every size`() {
    for columns in [0, 1, 5, 20, 60, 200] {
      for rows in [0, 1, 4, 8, 12, 40] {
        let size = Size(columns: columns, rows: rows)
        for selection in 0..<10 {
          var form = SampleSettings.form(typing: "Asia/Tokyo\nEurope/Copenhagen")
          for _ in 0..<selection { _ = form.take(.tab) }
          var canvas = Canvas(size: size)
          form.draw(.ascii, on: &canvas)
          #expect(canvas.size == size)
          _ = form.click(Position(column: columns / 2, row: rows / 2), on: size, .ascii)
        }
      }
    }
  }
}
