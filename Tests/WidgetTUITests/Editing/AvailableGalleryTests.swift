import Testing
import WidgetKitCore

@testable import WidgetCards
@testable import WidgetPages
@testable import WidgetTUI

/// The tab of the gallery with what registries list.
@Suite struct AvailableGalleryTests {
  private static func row(_ name: String, installed: SafeText? = nil) -> AvailableGallery.Row {
    AvailableGallery.Row(
      key: name,
      id: "com.example.\(name)",
      name: SafeText(name),
      words: "What \(SafeText(name)) is for.",
      version: "2.0",
      about: "MIT, from https://example.org/x.git",
      warning: name == "Sites" ? SafeText("not signed") : nil,
      wishes: ["asks to use the network", "asks to read ~/Music"],
      more: installed == nil ? [] : [SafeText("asks to read ~/Music")],
      picture: ["up    ▇▇▇▇", SafeText(String(repeating: "wide ", count: 60))],
      installed: installed
    )
  }

  private static let rows = [
    row("Sites"), row("Tides", installed: "1.0"), row("Water", installed: "2.0"),
  ]

  private func gallery() -> WidgetGallery {
    var gallery = WidgetGallery()
    gallery.available = AvailableGallery()
    gallery.available?.take(Self.rows, note: nil)
    gallery.show(available: true)
    return gallery
  }

  private func lines(_ gallery: WidgetGallery, columns: Int = 120, rows: Int = 40) -> [String] {
    var model = SamplePage.model(Size(columns: columns, rows: rows))
    var editing = PageEditing()
    editing.gallery = gallery
    model.mode = .edit(editing)
    return TextWriter.lines(TodayView.picture(of: model).canvas)
  }

  private func press(_ keys: Key..., in gallery: inout WidgetGallery) -> WidgetGallery.Outcome {
    var outcome = WidgetGallery.Outcome.stays
    for key in keys { outcome = gallery.take(key) { _ in "2" } }
    return outcome
  }

  @Test func `the arrows go between the tabs, and without registries there are none`() {
    var gallery = gallery()
    _ = press(.left, in: &gallery)
    #expect(!gallery.showsAvailable)
    _ = press(.right, in: &gallery)
    #expect(gallery.showsAvailable)
    var plain = WidgetGallery()
    _ = press(.right, in: &plain)
    #expect(!plain.showsAvailable)
    #expect(lines(plain).contains { $0.contains(" Widgets ") })
  }

  @Test func `the question says that changes of the installed version are lost`() {
    var rows = Self.rows
    for isChanged in [false, true] {
      rows[1].isChanged = isChanged
      var gallery = gallery()
      gallery.available?.take(rows, note: nil)
      _ = press(.down, .enter, in: &gallery)
      let text = lines(gallery).joined(separator: "\n")
      #expect(text.contains("Update “Tides”"))
      #expect(text.contains("your changes will be lost") == isChanged)
    }
  }

  @Test func `what is looked for stays when the other tab is shown`() {
    var gallery = gallery()
    gallery.show(available: false)
    _ = press(.character("t"), .character("i"), in: &gallery)
    let isShown = gallery.showAvailableIfNothingMatches()
    #expect(isShown)
    #expect(gallery.available?.entry.text == "ti" && gallery.available?.selected?.name == "Tides")
    _ = press(.character("d"), .left, in: &gallery)
    #expect(!gallery.showsAvailable && gallery.entry.text == "tid")
  }

  @Test func `a question whose entry is gone or differs is asked again`() {
    var changed = Self.rows
    changed[0].wishes.append("asks to read ~/Documents")
    for rows in [Array(Self.rows.dropFirst()), changed] {
      var gallery = gallery()
      _ = press(.enter, in: &gallery)
      gallery.available?.take(Self.rows, note: "Fetching the registries…")
      #expect(gallery.available?.stage == .asking)
      gallery.available?.take(rows, note: nil)
      #expect(gallery.available?.stage == .choosing)
      guard case .stays = press(.enter, in: &gallery) else {
        Issue.record("it was installed")
        continue
      }
    }
  }

  @Test func `an entry is shown with its picture and permissions before it is asked about`() {
    var gallery = gallery()
    let shown = lines(gallery)
    let words = [
      "What Sites is for.", "2.0, MIT, from https://example.org/x.git",
      "Its list is not signed, so its origin cannot be verified.", "asks to use the network",
      "up    ▇▇▇▇",
    ]
    for text in words { #expect(shown.contains { $0.contains(text) }, "\(text)") }
    _ = press(.enter, in: &gallery)
    #expect(lines(gallery).contains { $0.contains("Install “Sites” and add it to this page?") })
    guard case .installs(let row) = press(.enter, in: &gallery) else {
      Issue.record("nothing is installed")
      return
    }
    #expect(row.name == "Sites")
    gallery.available?.fail("its files are not those of the entry")
    #expect(lines(gallery).contains { $0.contains("its files are not those of the entry") })
    guard case .stays = press(.enter, in: &gallery) else {
      Issue.record("it is installed after it was refused")
      return
    }
    #expect(gallery.available?.stage == .choosing)
  }

  @Test func `an update says what is new, and what is installed asks nothing`() {
    var gallery = gallery()
    _ = press(.down, .enter, in: &gallery)
    let shown = lines(gallery)
    #expect(shown.contains { $0.contains("Update “Tides”") })
    #expect(shown.contains { $0.contains("asks to read ~/Music, which is new") })
    _ = press(.escape, .down, .enter, in: &gallery)
    #expect(gallery.available?.stage == .choosing)
    #expect(gallery.available?.selected?.isCurrent == true)
  }

  @Test func `what it may do comes before all else when asked, and what does not fit is said`() {
    var gallery = gallery()
    _ = press(.enter, in: &gallery)
    let shown = lines(gallery, columns: 40, rows: 14)
    for text in ["Install “Sites”", "asks to use the network", "asks to read ~/Music"] {
      #expect(shown.contains { $0.contains(text) }, "\(text)")
    }
    #expect(lines(gallery, columns: 40, rows: 10).contains { $0.contains("More permissions than") })
  }

  @Test func `what is typed finds entries, also by what they are for`() {
    var gallery = gallery()
    for scalar in "tid".unicodeScalars { _ = press(.character(scalar), in: &gallery) }
    #expect(gallery.available?.matches.map(\.name) == ["Tides"])
    for scalar in "zzz".unicodeScalars { _ = press(.character(scalar), in: &gallery) }
    #expect(gallery.available?.selected == nil)
    #expect(lines(gallery).contains { $0.contains("No entry matches.") })
  }

  @Test(arguments: [(0, 0), (1, 1), (20, 6), (40, 15), (80, 24), (200, 50)])
  func `it is drawn on screens of any size`(columns: Int, rows: Int) {
    var gallery = gallery()
    #expect(lines(gallery, columns: columns, rows: rows).count == rows)
    _ = press(.enter, in: &gallery)
    let shown = lines(gallery, columns: columns, rows: rows)
    if columns >= 40 { #expect(shown.contains { $0.contains("Install “Sites”") }) }
  }
}
