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
    type(", UTC", in: &form)
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

  @Test(arguments: [40, 60, 100])
  func `titles and explanations that are longer than a line are shown whole`(_ columns: Int) {
    let size = Size(columns: columns, rows: 40)
    var form = SampleSettings.form()
    for row in form.rows {
      go(to: row.declaration.name, in: &form)
      var canvas = Canvas(size: size)
      form.draw(.unicode, on: &canvas)
      // What stands below the buttons, without the frame and with single blanks.
      let below = TextWriter.text(canvas).split(separator: "[ Cancel ]").last ?? ""
      let words = below.split { "│╰─╯ \n".contains($0) }.joined(separator: " ")
      #expect(!words.replacing("PROGRAM, …", with: "").contains("…"), "\(words)")
      let all = TextWriter.text(canvas).split { "│ \n".contains($0) }.joined(separator: " ")
      #expect(all.contains(row.declaration.title.string), "\(all)")
    }
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
    #expect(outcome(.up, .enter) == .ends)
    #expect(outcome(.up, .up, .character(" ")) == .saves)
    #expect(outcome(.up, .left, .enter) == .saves)
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
    form.show(["rows": "expected a number from 1 to 10", "token": "expected another"])
    #expect(form.rows[form.selection].declaration.name == "rows")
    #expect(picture(form).contains("⚠ expected a number from 1 to 10"))
    _ = form.take(.backspace)
    #expect(!picture(form).contains("⚠ expected a number from 1 to 10"))
    #expect(form.rows[form.selection].error == nil)
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
    form.note("no such zone", of: "zones")
    #expect(picture(form).contains("⚠ no such zone"))
    #expect(form.rows[form.selection].declaration.name != "zones")
    #expect(form.left(since: before) == nil)
  }

  @Test func `an error that has no room below its setting stands in the last line too`() {
    var form = SampleSettings.form()
    let words: SafeText = "there is no time zone “Asia/Tokio”; did you mean “Asia/Tokyo”?"
    form.show(["zones": words])
    #expect(picture(form).contains(words.string))
    _ = form.take(.backspace)
    #expect(!picture(form).contains("there is no time zone"))
  }

  @Test func `a setting with time zones says so`() {
    for (kind, words) in [
      (SettingDeclaration.Kind.list, "Names of time zones, such as Europe/Copenhagen, with commas"),
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

  @Test(arguments: [80, 100, 120, 200])
  func `a value has the room that the screen has beside the titles`(columns: Int) {
    let names: [String] = ["Europe/London", "America/New_York", "Asia/Tokyo"]
    let zones = SampleSettings.row(
      "zones",
      .list,
      title: "Time zones",
      .list(names),
      by: "program"
    )
    let place = SampleSettings.row(
      "place",
      .string,
      title: "Place of the sun, such as 55.68, 12.57; that of the zone if empty",
      by: "program"
    )
    let form = SettingsForm(card: CardID("a"), name: "A", [zones, place])
    var canvas = Canvas(size: Size(columns: columns, rows: 24))
    form.draw(.unicode, on: &canvas)
    let text = TextWriter.text(canvas)
    if columns >= 120 {
      #expect(text.contains("Europe/London, America/New_York, Asia/Tokyo"), "\(text)")
    }
    #expect(text.contains("Asia/Tokyo"), "\(text)")
  }

  @Test func `a list whose texts have commas is written so that it can be read again`() {
    let texts: [String] = ["a, b", "\"c\"", " d", "\\"]
    let row = SampleSettings.row("words", .list, .list(texts), by: "program")
    var form = SettingsForm(card: CardID("a"), name: "A", [row])
    type(" ", in: &form)
    #expect(form.changes.map(\.words) == [#"["a, b", "\"c\"", " d", "\\"] "#])
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
    #expect(try click("[✓]") == .stays)
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

  @Test(arguments: [(100, true), (80, true), (40, false)])
  func `a long title is shown whole, at least while it has the focus`(columns: Int, isInLine: Bool)
  {
    let title: SafeText = "Mount points of the disks to show"
    let rows = [
      SampleSettings.row("disks", .list, title: title, .list(["/"]), by: "program"),
      SampleSettings.row("other", .string, title: "Other", .string("value"), by: "program"),
    ]
    var form = SettingsForm(card: CardID("a"), name: "A", rows)
    func shows(_ words: String) -> Int {
      var canvas = Canvas(size: Size(columns: columns, rows: 20))
      form.draw(.unicode, on: &canvas)
      return TextWriter.text(canvas).split(separator: "\n").count { $0.contains(words) }
    }
    #expect(shows(title.string) == 1 && shows("value") == 1)
    _ = form.take(.tab)
    #expect(shows(title.string) == (isInLine ? 1 : 0))
  }

  @Test func `it can be drawn and used at every size`() {
    for columns in [0, 1, 5, 20, 60, 200] {
      for rows in [0, 1, 4, 8, 12, 40] {
        let size = Size(columns: columns, rows: rows)
        for selection in 0..<10 {
          var form = SampleSettings.form(typing: "Asia/Tokyo, Europe/Copenhagen")
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
