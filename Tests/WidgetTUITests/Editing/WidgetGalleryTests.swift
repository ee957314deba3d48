import Testing
import WidgetKitCore

@testable import WidgetCards
@testable import WidgetPages
@testable import WidgetPlatform
@testable import WidgetSessions
@testable import WidgetTUI

@Suite struct WidgetGalleryTests {
  private static func choice(_ name: String, on page: PageName? = nil, isNew: Bool = false)
    -> PageEdits.Choice
  {
    PageEdits.Choice(
      id: CardID("com.example.\(name)"),
      name: SafeText(name),
      words: "What \(SafeText(name)) is for.",
      page: page,
      isNew: isNew
    )
  }

  static let choices = [
    choice("Weather", isNew: true), choice("Calendar"), choice("Clock", on: .home),
  ]

  private func gallery() -> WidgetGallery {
    var gallery = WidgetGallery()
    gallery.take(Self.choices)
    return gallery
  }

  private func type(_ text: String, _ gallery: inout WidgetGallery) -> WidgetGallery.Outcome {
    var outcome = WidgetGallery.Outcome.stays
    for scalar in text.unicodeScalars {
      outcome = gallery.take(.character(scalar)) { _ in "2" }
    }
    return outcome
  }

  @Test func `letters find a widget, and Enter adds it`() {
    var gallery = gallery()
    #expect(gallery.selected?.name == "Weather")
    _ = type("cal", &gallery)
    #expect(gallery.matches.map(\.name) == ["Calendar"])
    guard case .adds(let id) = gallery.take(.enter, freeName: { _ in "2" }) else {
      Issue.record("nothing is added")
      return
    }
    #expect(id == CardID("com.example.Calendar"))
    _ = type("zzz", &gallery)
    #expect(gallery.selected == nil)
    guard case .stays = gallery.take(.enter, freeName: { _ in "2" }) else {
      Issue.record("nothing can be added")
      return
    }
  }

  @Test func `of a widget that is on a page another one is added, with a name`() {
    var gallery = gallery()
    _ = gallery.take(.up) { _ in "2" }
    #expect(gallery.selected?.name == "Clock")
    _ = gallery.take(.enter) { _ in "2" }
    #expect(gallery.naming?.text == "2")
    // What is typed replaces the proposal.
    _ = type("a b", &gallery)
    #expect(gallery.naming?.text == "a b")
    _ = gallery.take(.enter) { _ in "2" }
    #expect(gallery.fault?.string.contains("1 to 64") == true)
    _ = gallery.take(.control("u")) { _ in "2" }
    #expect(gallery.fault == nil)
    _ = type("travel", &gallery)
    guard case .adds(let id) = gallery.take(.enter, freeName: { _ in "2" }) else {
      Issue.record("nothing is added")
      return
    }
    #expect(id == CardID("com.example.Clock", instance: InstanceName(rawValue: "travel")))
  }

  @Test func `Esc leaves the name, and then the gallery`() {
    var gallery = gallery()
    gallery.select(2)
    _ = gallery.take(.enter) { _ in "2" }
    guard case .stays = gallery.take(.escape, freeName: { _ in "2" }),
      case .ends = gallery.take(.escape, freeName: { _ in "2" })
    else {
      Issue.record("Esc does not leave")
      return
    }
  }

  @Test func `the selection stays on its widget when another one is found`() {
    var gallery = gallery()
    gallery.select(1)
    gallery.take([Self.choice("Aardvark", isNew: true)] + Self.choices)
    #expect(gallery.selected?.name == "Calendar")
  }

  @Test func `a widget without stored content has no warning in its picture`() {
    var model = SamplePage.model(Size(columns: 100, rows: 40))
    var gallery = gallery()
    var card = Card(id: Self.choices[0].id, name: Self.choices[0].name)
    card.state = .snapshot
    gallery.preview = (card, nil)
    var editing = PageEditing()
    editing.gallery = gallery
    model.mode = .edit(editing)
    let rows = TextWriter.lines(TodayView.picture(of: model).canvas)
    #expect(rows.contains { $0.contains("No content is stored. Tab runs it.") })
    #expect(!rows.contains { $0.contains("Weather") && $0.contains("⚠") })
  }
}
