import WidgetKitCore

@testable import WidgetCards
@testable import WidgetExtensions
@testable import WidgetPlatform
@testable import WidgetTUI

/// A form with a setting of each type.
nonisolated enum SampleSettings {
  static func row(
    _ name: String,
    _ kind: SettingDeclaration.Kind,
    title: SafeText? = nil,
    _ value: WidgetConfiguration.Value? = nil,
    by source: String? = nil,
    at place: String? = nil,
    choices: [String] = [],
    range: ClosedRange<Double>? = nil,
    standard: WidgetConfiguration.Value? = nil,
    unit: SafeText? = nil
  ) -> SettingsBook.Row {
    var declaration = SettingDeclaration(
      name: name,
      title: title,
      kind: kind,
      defaultValue: standard,
      choices: choices,
      range: range
    )
    declaration.unit = unit
    var row = SettingsBook.Row(declaration: declaration, isSet: source != nil)
    (row.value, row.source, row.place) = (value, source, place)
    return row
  }

  static let rows: [SettingsBook.Row] = [
    row("zones", .list, title: "Time zones", .list(["Asia/Tokyo"]), by: "program"),
    row(
      "label",
      .string,
      title: "Label",
      .string("Home"),
      by: "default",
      standard: .string("Home")
    ),
    row(
      "rows",
      .number,
      title: "Rows",
      .number(5),
      by: "program",
      range: 1...10,
      unit: "rows"
    ),
    row("seconds", .boolean, title: "Show seconds", .boolean(true), by: "program"),
    row(
      "style",
      .choice,
      title: "Style",
      .string("long"),
      by: "default",
      choices: ["short", "long"],
      standard: .string("long")
    ),
    row(
      "file",
      .file,
      title: "File",
      .string("/home/ida/todo.txt"),
      by: "config.json",
      at: "/home/ida/.config/today/config.json:4:12"
    ),
    row("token", .secret, title: "Token", by: "program"),
  ]

  /// The form, with a text behind the one of the first setting and an error.
  static func form(typing text: String = "") -> SettingsForm {
    var form = SettingsForm(card: CardID("com.example.Clock"), name: "Clock", rows)
    if !text.isEmpty {
      _ = form.take(.control("u"))
      _ = form.take(.paste(text))
      form.show(["rows": SettingsFormRow.Fault("expected a number from 1 to 10, found “50”")])
      _ = form.take(.backTab)
      _ = form.take(.backTab)
    }
    return form
  }
}
