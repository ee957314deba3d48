import Foundation
import Testing
import WidgetKitCore

@testable import WidgetCards

/// Views for those who can only read them.
@Suite struct ReaderViewTests {
  private func view(_ json: String) throws -> ViewNode {
    try JSONDecoder().decode(ViewNode.self, from: Data(json.utf8))
  }

  private func layout(_ json: String) throws -> LaidOutView {
    let environment = LayoutEnvironment(now: Date(timeIntervalSince1970: 0), redactsPrivate: true)
    return ViewLayout.layOut(
      try view(json).forReaders(WebLink.isAllowed),
      width: 40,
      in: environment
    )
  }

  private func text(_ view: LaidOutView) -> String {
    view.runs.map { $0.cells.map(\.glyph.text).joined() }.joined(separator: "\n")
  }

  @Test func `nothing can be pressed but links to the web`() throws {
    let found = try layout(
      """
      {"type":"vstack","children":[
        {"type":"text","text":"act","action":"delete"},
        {"type":"text","text":[{"text":"one","link":"https://example.com/1"},{"text":"two","action":"x"}]},
        {"type":"text","text":"mail","link":"mailto:a@example.com"},
        {"type":"text","text":"file","link":"file:///etc/passwd"},
        {"type":"text","text":"script","link":"javascript:alert(1)"},
        {"type":"button","label":"Restart","action":"restart"},
        {"type":"field","id":"f","placeholder":"such as Berlin","action":"place"},
        {"type":"toggle","label":"Light","isOn":true,"action":"light"},
        {"type":"list","id":"l","minimumVisibleRowCount":1,"rows":[
          {"id":"a","view":{"type":"text","text":"row a"},"action":"open"},
          {"id":"b","view":{"type":"text","text":"row b"},"link":"http://example.com/b"}]}
      ]}
      """
    )
    #expect(found.targets.allSatisfy { $0.action == nil })
    #expect(found.targets.compactMap(\.link) == ["https://example.com/1"])
    let words = text(found)
    for shown in ["act", "mail", "Light", "row a"] { #expect(words.contains(shown), "\(shown)") }
    for hidden in ["Restart", "Berlin", "row b", "Show More"] {
      #expect(!words.contains(hidden), "\(hidden)")
    }
  }

  @Test func `what is private is covered, and its link is gone`() throws {
    let found = try layout(
      """
      {"type":"vstack","children":[
        {"type":"text","text":"balance 4711","privacySensitive":true,"link":"https://example.com/4711"},
        {"type":"vstack","privacySensitive":true,"children":[
          {"type":"text","text":"inner 4712","link":"https://example.com/4712"},
          {"type":"text","text":[{"text":"span 4713","link":"https://example.com/4713"}]},
          {"type":"ansi","text":[{"text":"span 4714","link":"https://example.com/4714"}]},
          {"type":"image","data":"","alt":"","link":"https://example.com/4715"},
          {"type":"list","id":"l","rows":[
            {"id":"a","view":{"type":"text","text":"row 4716"},"link":"https://example.com/4716"}]}]}]}
      """
    )
    #expect(!text(found).contains("471"))
    #expect(found.targets.allSatisfy { $0.label.isEmpty && $0.link == nil })
  }

  @Test(arguments: [
    ("https://example.com/a?b=c#d", true), ("HTTP://example.com", true),
    ("https://u:p@example.com/", false), ("https://example.com/@me?a=b@c", true),
    ("https://example.com\\@x.org", true), ("javascript:alert(1)", false),
    ("java\nscript:alert(1)", false), ("data:text/html,x", false),
    ("https:example.com", false), (" https://example.com", false), ("https://a b", false),
    ("https://a\u{0}b", false), ("mailto:a@b.c", false), ("", false), ("//example.com", false),
  ])
  func `a link of a page for everybody is one of the web`(_ url: String, _ isAllowed: Bool) {
    #expect(WebLink.isAllowed(url) == isAllowed)
    #expect(!WebLink.isAllowed("https://" + String(repeating: "a", count: 2_048)))
  }
}
