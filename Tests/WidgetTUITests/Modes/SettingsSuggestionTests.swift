import Testing
import WidgetCards
import WidgetExtensions
import WidgetKitCore
import WidgetPlatform

@testable import WidgetTUI

/// What was probably meant by a wrong text of a setting, taken by a key.
@Suite struct SettingsSuggestionTests {
  @Test(arguments: [
    (SettingDeclaration.Kind.list, "Asia/Tokyo, "), (.string, ""),
  ])
  func `Right behind a wrong text takes what was probably meant`(
    kind: SettingDeclaration.Kind,
    others: String
  ) throws {
    let value: WidgetConfiguration.Value? = kind == .list ? .list(["Asia/Tokyo"]) : nil
    var row = SampleSettings.row("zone", kind, value, by: "program")
    row.declaration.format = .timeZone
    var form = SettingsForm(card: CardID("a"), name: "A", [row])
    for scalar in "vienna".unicodeScalars { _ = form.take(.character(scalar)) }
    let line = form.line
    let meant = try #require(form.rows[0].suggestion(on: line))
    #expect(meant == "Europe/Vienna")
    let fault = SettingsFormRow.Fault("no such zone.", line: line, suggestion: meant)
    #expect(fault.words == "no such zone. Right takes it.")
    // In the text it moves the cursor.
    _ = form.take(.left)
    form.show(["zone": fault])
    _ = form.take(.right)
    #expect(form.changes.first?.words == "\(others)vienna")
    form.show(["zone": fault])
    _ = form.take(.right)
    #expect(form.changes.first?.words == "\(others)Europe/Vienna")
    #expect(form.rows[0].fault == nil && form.rows[0].suggestion(on: line) == nil)
  }
}
