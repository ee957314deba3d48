import Testing
import WidgetKitCore
import WidgetPlatform

@testable import WidgetScripts

/// What is shown of messages of a broker, which anybody may have sent.
@Suite struct BrokerContentTests {
  private func content(_ payload: String, _ options: [String: String] = [:]) -> ScriptContent {
    content(Array(payload.utf8), options)
  }

  private func content(_ payload: [UInt8], _ options: [String: String] = [:]) -> ScriptContent {
    var script = ScriptProgram(path: "/none", options: ScriptOptions())
    for (name, value) in options { #expect(script.options.set(name, value) == nil) }
    return BrokerContent(script, limits: HostLimits()).content(of: payload)
  }

  private func picture(_ payload: String, _ options: [String: String] = [:]) -> ScriptPicture? {
    if case .picture(let picture) = content(payload, options) { picture } else { nil }
  }

  private func gauge(in view: ViewNode?) -> GaugeContent? {
    for child in view?.children ?? [] {
      if case .gauge(let gauge) = child.content { return gauge }
    }
    return nil
  }

  @Test func `an object has a title, a text, a value and a status`() {
    let found = picture(#"{"title": "WAN", "text": "up", "value": 71, "status": "warning"}"#)
    #expect(found?.view.texts.prefix(2) == ["WAN", "up"])
    #expect(found?.number == 71)
    #expect(gauge(in: found?.view)?.value == 71)
    #expect(gauge(in: found?.view)?.valueLabel == "71 %")
    #expect(found?.view.children[1].style.foreground == .orange)
    // The heading has it already.
    #expect(picture(#"{"title": "WAN", "text": "up"}"#, ["title": "WAN"])?.view.texts == ["up"])
  }

  @Test func `numbers and texts are shown as they are`() {
    #expect(picture("21.5")?.view.texts == ["21.5"])
    #expect(picture("21.5")?.number == 21.5)
    #expect(picture("on\noff")?.view.texts == ["on", "off"])
    #expect(picture(#"{"state": "on", "level": 3}"#)?.view.texts == ["state: on", "level: 3"])
    #expect(picture("")?.view.texts == ["nothing to show"])
  }

  @Test func `a number as text with a unit is one, and an empty error is none`() {
    let found = picture(#"{"error": "", "value": " 71 ", "unit": "°C"}"#)
    #expect(found?.number == 71 && gauge(in: found?.view)?.valueLabel == "71 °C")
    #expect(picture(#"{"value": "on", "unit": "x"}"#)?.view.texts == ["on x"])
    #expect(picture(#"{"value": "71"}"#)?.view.texts == ["71"])
    #expect(content(#"{"error": "no water", "value": 3}"#) == .failure("no water"))
  }

  @Test(arguments: [
    ("OK - fine", "OK", Color.green), ("WARNING - x | a=5;4", "WARNING", .orange),
    ("DISK CRITICAL: / full", "CRITICAL", .red), ("load | a=5;4;8", "WARNING", .orange),
    ("load | a=9;4;8", "CRITICAL", .red), ("whatever", "UNKNOWN", .purple),
  ])
  func `a message of a plugin of Nagios has the state that it says`(
    payload: String,
    words: String,
    color: Color
  ) throws {
    let view = try #require(picture(payload, ["format": "nagios"])?.view)
    guard case .text(let text) = view.children.first?.content else {
      Issue.record("\(view)")
      return
    }
    #expect(text.spans.first?.text.string.contains(words) == true)
    #expect(text.spans.first?.style.foreground == color)
  }

  @Test func `a format reads a message as what a script prints`() {
    let options = ["format": "json", "value": "$.temperature", "template": "{$.temperature} °C"]
    let found = picture(#"{"temperature": 21.5}"#, options)
    #expect(found?.number == 21.5)
    #expect(found?.view.texts == ["21.5 °C"])
  }

  @Test(arguments: ["xbar", "swiftbar", "argos", "waybar", "i3bar", "i3blocks"])
  func `a message has no format with commands in it`(format: String) {
    let found = content("x\n---\nRun | bash=/bin/sh param1=-c", ["format": format])
    #expect(found == .failure("messages cannot have the format \(format)"))
  }

  @Test func `a snapshot is shown as the view that it is`() {
    let view = #"{"type":"vstack","children":["Load",{"type":"gauge","value":0.5}]}"#
    for text in [#"{"view":\#(view)}"#, #"{"cards":[{"name":"System","view":\#(view)}]}"#] {
      #expect(picture(text)?.view.texts.first == "Load")
      #expect(gauge(in: picture(text)?.view)?.value == 0.5)
    }
  }

  @Test(arguments: [
    #"{"type":"text","text":"x","action":"run {\"words\":[\"id\"]}"}"#,
    #"{"type":"button","action":"a","label":"Allow"}"#,
    #"{"type":"text","text":"x","link":"file:///etc/passwd"}"#,
    #"{"type":"text","text":"x","link":"today:quit"}"#,
    #"{"type":"text","text":"x","link":"JavaScript:alert(1)"}"#,
    #"{"type":"field","action":"a","label":"Password"}"#,
    #"{"type":"toggle","action":"a","label":"On","isOn":true}"#,
    #"{"type":"text","text":[{"text":"x","action":"a","link":"ssh://x"}]}"#,
    #"{"type":"ansi","text":[{"text":"x","link":"swiftbar://disableplugin?name=backup"}]}"#,
    #"{"type":"ansi","text":[{"text":"x","action":"a","link":"https:javascript"}]}"#,
    #"{"type":"text","text":"x","link":"https://example.org/\u001b[2J"}"#,
    #"{"type":"fold","label":{"type":"text","text":"x","link":"ssh://x"},"children":["y"],"action":"a"}"#,
    #"{"type":"list","id":"l","rows":[{"id":"r","view":"x","action":"a","link":"file:/x","canRemove":true}]}"#,
    #"{"type":"image","path":"/etc/passwd","alt":"x"}"#,
  ])
  func `a view from a broker commands nothing and asks for nothing`(node: String) throws {
    let text =
      #"{"view":{"type":"vstack","children":[\#(node),{"type":"hstack","children":[\#(node)]}]}}"#
    let view = try #require(picture(text)?.view)
    var found: [String] = []
    Self.collect(view, &found)
    #expect(found == [])
    #expect(view.imageSources.isEmpty)
  }

  /// What a press on any part of a view would do.
  private static func collect(_ view: ViewNode, _ found: inout [String]) {
    found += [view.action, view.link].compactMap(\.self)
    switch view.content {
    case .text(let text): found += presses(text.spans)
    case .ansi(let text): found += presses(text.spans)
    case .button, .toggle, .field: found.append("input")
    case .list(let list):
      for row in list.rows {
        found += [row.action, row.link].compactMap(\.self)
        if row.canRemove || row.canMove { found.append("row") }
      }
    default: break
    }
    for child in view.children { collect(child, &found) }
  }

  private static func presses(_ spans: [TextSpan]) -> [String] {
    spans.flatMap { [$0.action, $0.link].compactMap(\.self) }
  }

  @Test func `a view from a broker opens addresses of the web`() {
    let text = #"{"view":{"type":"text","text":"x","link":"https://example.org"}}"#
    #expect(picture(text)?.view.link == "https://example.org")
    let spans = #"{"view":{"type":"ansi","text":[{"text":"x","link":"https://example.org"}]}}"#
    var found: [String] = []
    if let view = picture(spans)?.view { Self.collect(view, &found) }
    #expect(found == ["https://example.org"])
  }

  @Test func `a view that looks like a question for a permission has nothing to press`() {
    let allow = #"{"type":"button","action":"allow","label":"Allow"}"#
    let words = #""System wants to run programs outside of the sandbox""#
    let found = picture(#"{"view":{"type":"vstack","children":[\#(words),\#(allow)]}}"#)
    var presses: [String] = []
    if let view = found?.view { Self.collect(view, &presses) }
    #expect(found != nil && presses == [])
  }

  @Test func `hostile messages are refused with words or are plain text`() {
    #expect(content([0xFF, 0xFE, 0x00]) == .failure("the message is not UTF-8 text"))
    let deep = String(repeating: "[", count: 30_000)
    #expect(picture(deep) != nil)
    let nested = String(repeating: #"{"type":"vstack","children":["#, count: 300)
    let closed = nested + String(repeating: "]}", count: 300)
    // It is refused, or is the text that it was sent as.
    let found = picture(#"{"view":\#(closed)}"#)
    #expect(found.map { $0.view.texts.joined().contains("vstack") } ?? true)
    let control = "\u{1B}]0;title\u{7}\u{1B}[2J\u{9B}31m\u{202E}x"
    let shown = picture(control)?.view.texts.joined() ?? ""
    #expect(!shown.unicodeScalars.contains { $0.value < 0x20 || (0x7F...0x9F).contains($0.value) })
  }

  @Test(arguments: ["1e999", "-1e999", "1e-999", "NaN", "99999999999999999999999", "-0"])
  func `numbers that no bar can have do not trap`(number: String) {
    let found = picture(#"{"value": \#(number)}"#) ?? picture(number)
    #expect(found != nil)
    if let gauge = gauge(in: found?.view) { #expect((0...100).contains(gauge.value)) }
  }

  @Test func `the clock of the sender does not count`() {
    let view = #"{"type":"text","text":"x"}"#
    let other = #"{"view":\#(view),"date":"2099-01-01T00:00:00Z","age":-1e308,"made":1e308}"#
    #expect(picture(other) == picture(#"{"view":\#(view)}"#))
  }
}
