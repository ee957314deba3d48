import Testing
import WidgetKitCore

@testable import WidgetScripts

/// Custom modules of Waybar.
@Suite struct `A module of Waybar` {
  @Test func `can print its object in several lines`() {
    var script = PrintedScript(.waybar)
    #expect(
      script.run("{\n  \"text\": \"hi\",\n  \"tooltip\": \"there\"\n}\n").rows() == ["hi", "there"]
    )
    #expect(script.run("{\"text\": \"one\"}\n{\"text\": \"two\"}\n").rows() == ["one"])
    #expect(script.run("{\n\"text\"\n").failure?.hasPrefix("not JSON") == true)
  }

  @Test func `is an object in a line, with gauge, colour and tooltip`() {
    var script = PrintedScript(.waybar)
    let content = script.run(
      #"{"text": "<b>71 %</b> &amp; up", "tooltip": "2 h left\r3 W", "class": ["x", "critical"], "percentage": 70.6}"#
        + "\nignored\n"
    )
    let rows = content.rows()
    #expect(rows.count == 4 && rows[0] == "71 % & up" && rows.suffix(2) == ["2 h left", "3 W"])
    #expect(content.number == 71)
    guard case .vstack(let stack)? = content.view?.content else {
      Issue.record("no rows")
      return
    }
    #expect(stack.children[0].style.foreground == .red)
  }

  @Test func `is lines for text, tooltip and class`() {
    var script = PrintedScript(.waybar)
    #expect(script.run("on\nsince noon\ngood\nrest\n").rows() == ["on", "since noon"])
    #expect(script.run("on\n").rows() == ["on"])
  }

  @Test(
    arguments: [("", 0), ("\n", 0), ("text", 1), (#"{"text": ""}"#, 0), ("{}", 0)]
      as [(String, Int32)]
  )
  func `with nothing to show, or that fails, is hidden in a bar, and says so on a card`(
    text: String,
    status: Int32
  ) {
    var script = PrintedScript(.waybar)
    #expect(script.run(text, status: status).rows() == ["nothing to show"])
  }

  @Test(
    arguments: [
      (["display": "{icon}"], #"{"text":"","alt":"on"}"#, ["ON"]),
      (["display": "{icon}"], #"{"alt":"on"}"#, ["ON"]),
      (["display": "{icon}"], #"{"text":"","alt":"other"}"#, ["nothing to show"]),
      (["display": "{icon}"], "", ["nothing to show"]),
      (["display": "x {}"], #"{"text":""}"#, ["x"]),
      (["display": "x {}", "hide-empty-text": "true"], #"{"text":""}"#, ["nothing to show"]),
      (["display": "x {}", "hide-empty-text": "true"], #"{"text":"y"}"#, ["x y"]),
      (["display": "{alt}"], #"{"text":"t"}"#, ["nothing to show"]),
      (["display": "{icon}", "output": "text"], "\n\n", ["nothing to show"]),
    ] as [([String: String], String, [String])]
  )
  func `is hidden where its form has nothing in it, and not where only its text is empty`(
    values: [String: String],
    output: String,
    rows: [String]
  ) {
    let icons = #"{"on": "ON", "off": "OFF"}"#
    var script = PrintedScript(.waybar, values.merging(["icons": icons]) { $1 })
    #expect(script.run(output).rows() == rows)
    var lasting = PrintedScript(
      .waybar,
      values.merging(["icons": icons, "follow": "true"]) { $1 }
    )
    lasting.begin()
    #expect(lasting.go(output + "\n").rows() == rows)
  }

  @Test(arguments: [
    ("{icon} {}", #"["a","b","c"]"#, #"{"text":"t","percentage":0}"#, "a t"),
    ("{icon} {}", #"["a","b","c"]"#, #"{"text":"t","percentage":34}"#, "b t"),
    ("{icon} {text}", #"["a","b","c"]"#, #"{"text":"t","percentage":100}"#, "c t"),
    ("{icon}", #"{"on":"Y","default":"N"}"#, #"{"text":"t","alt":"on"}"#, "Y"),
    ("{icon}", #"{"on":"Y","default":["N"]}"#, #"{"text":"t","alt":"off"}"#, "N"),
    ("{icon}{alt}", #"{"on":"Y"}"#, #"{"text":"t","alt":"off"}"#, "off"),
    ("{percentage} % {what}", "[]", #"{"text":"t","percentage":1e300}"#, "\(Int.max) % {what}"),
    ("{percentage}", "[]", #"{"text":"t","percentage":-1e999}"#, "\(Int.min)"),
    ("{percentage}{icon}", #"["a","b"]"#, #"{"text":"t","percentage":120}"#, "120b"),
    ("{percentage}{icon}", #"["a","b"]"#, #"{"text":"t","percentage":-5.4}"#, "-5a"),
    ("{icon}", #"["a","b"]"#, #"{"text":"t","percentage":12345678901234567890}"#, "b"),
    ("{icon}x", "broken", #"{"text":"t","percentage":"many"}"#, "x"),
    ("{", "[]", #"{"text":"t"}"#, "{"),
    // Specifications of fmt.
    ("CPU {:>3}|", "[]", #"{"text":"7"}"#, "CPU   7|"), ("{0}", "[]", #"{"text":"t"}"#, "t"),
    ("{percentage:>4}% {text:.3}|", "[]", #"{"text":"words","percentage":7}"#, "   7% wor|"),
    ("{:*^7}|{percentage:03d}", "[]", #"{"text":"a"}"#, "***a***|000"),
    ("{:5}|{percentage:5}", "[]", #"{"text":"a","percentage":9}"#, "a    |    9"),
    ("{{{}}", "[]", #"{"text":"t"}"#, "{t}"),
    ("{:99999999999999999999}", "[]", #"{"text":"t"}"#, "t"), ("{:.}", "[]", #"{"text":"t"}"#, "t"),
  ])
  func `has a form with icons`(display: String, icons: String, output: String, words: String) {
    var script = PrintedScript(.waybar, ["display": display, "icons": icons])
    #expect(script.run(output).rows().first == words)
  }

  @Test(arguments: ["null", "\"\"", "\"50\"", "true", "[50]", "{}"])
  func `has no gauge where its percentage is no number`(percentage: String) {
    var script = PrintedScript(.waybar)
    #expect(script.run(#"{"text": "hi", "percentage": \#(percentage)}"#).rows() == ["hi"])
    #expect(script.run(#"{"text": "hi", "percentage": 0}"#).rows().count == 2)
  }

  @Test(
    arguments: [
      (#"{"text":"<b>7 %</b>","tooltip":"2 h"}"# + "\n", ["7 %", "2 h"]),
      (#"{"text":"a","alt":"b","class":["c"]}"#, ["a"]), (#"{"text": ""}"#, ["nothing to show"]),
      // What may be something else stays as it is.
      (#"{"text":"a","id":5}"#, nil), (#"{"alt":"a"}"#, nil), (#"{"text":5}"#, nil),
      (#"{"text":"a","alt":5}"#, nil), (#"{"text":"a"}"# + "\n" + #"{"text":"b"}"#, nil),
      (#"["text"]"#, nil), (#"{"text":"a""#, nil), (#"x {"text":"a"}"#, nil),
    ] as [(String, [String]?)]
  )
  func `is found by its output in a script that does not say its format`(
    output: String,
    rows: [String]?
  ) {
    var script = PrintedScript(nil)
    #expect(script.run(output).rows() == rows ?? output.split(separator: "\n").map(String.init))
    var text = PrintedScript(.text)
    #expect(text.run(output).rows() == output.split(separator: "\n").map(String.init))
  }

  @Test(arguments: [("120", 120.0, 100.0), ("-5", -5, 0), ("99.6", 100, 100), ("0", 0, 0)])
  func `has a percentage beyond the ends of its gauge`(
    written: String,
    number: Double,
    value: Double
  ) throws {
    var script = PrintedScript(.waybar)
    let content = script.run(#"{"text": "hi", "percentage": \#(written)}"#)
    #expect(content.number == number)
    guard case .vstack(let stack)? = content.view?.content,
      case .gauge(let gauge)? = stack.children.last?.content
    else {
      Issue.record("no gauge")
      return
    }
    #expect(gauge.value == value)
    #expect(try #require(ScriptAlert(">110")).includes(number) == (number > 110))
  }

  @Test(arguments: [
    ("{{{}}}", "{hi}"), ("{{}}", "{}"), ("{{{{}}}}", "{{}}"), ("}}{}{{", "}hi{"), ("{", "{"),
    ("}", "}"), ("{}}", "hi}"), ("{x}", "{x}"), ("{{x}}", "{x}"), ("{:>4}}}", "  hi}"),
    ("{}\u{301}", "hi\u{301}"),
  ])
  func `has braces in its form by their doubles`(display: String, words: String) {
    var script = PrintedScript(.waybar, ["display": display])
    #expect(script.run(#"{"text": "hi"}"#).rows().first == words)
  }

  @Test(arguments: [
    ("{\"text\":\t\"a\tb\"\t}", "a    b"), ("{\"text\": \"a\u{7}b\"}", "a␇b"),
    ("{\"text\": \"\\\"\t\\\\\"}", "\"    \\"), ("\t{\"text\": \"a\"}", "a"),
    ("{\"text\": \"a\\\tb\"}", "a    b"), (#"{"text": "caf\xe9 \x41"}"#, "café A"),
    (#"{"text": "a // b", /* c */ "class": "d", }"#, "a // b"),
    ("{\"text\": \"a\", // b\n}", "a"), (#"{"class": ["x", ], "text": "a"}"#, "a"),
  ])
  func `has control characters in its strings, as the bar takes them`(
    output: String,
    words: String
  ) {
    var script = PrintedScript(.waybar)
    #expect(script.run(output).rows() == [words])
  }

  @Test(arguments: ["{\"text\": \"a", "{text}", #"{"text": "\xg1"}"#, #"{"text": "a",, }"#])
  func `that prints a broken object has failed`(output: String) {
    var script = PrintedScript(.waybar)
    #expect(script.run(output).failure?.hasPrefix("not JSON: ") == true)
  }

  @Test func `that is lenient with values of other types shows them`() {
    var script = PrintedScript(.waybar)
    #expect(
      script.run(#"{"text": 5, "tooltip": ["a"], "class": 3, "alt": null}"#).rows() == ["5", "a"]
    )
  }

  @Test func `that goes on shows its newest line, however it is cut`() {
    for cut in 1...9 {
      var script = PrintedScript(.waybar, ["follow": "true"])
      script.begin()
      #expect(script.go("{\"text\":", cut: cut) == .nothing)
      #expect(script.go("\"a\"}\n{\"text\":\"b\"}\nhalf", cut: cut).rows() == ["b"])
    }
  }

  @Test func `has another form of its text, which a press shows, and keeps`() throws {
    let output = #"{"text":"71 %","alt":"2 h","tooltip":"full at noon"}"#
    var script = PrintedScript(
      .waybar,
      ["display-alt": "{alt}: {tooltip}", "tooltip-display": "<b>{}</b>, {alt}"]
    )
    let content = script.run(output)
    #expect(content.rows() == ["71 %", "71 %, 2 h"])
    let action = try #require(content.actions.first)
    #expect(script.press(action) == .refresh)
    #expect(script.run(output).rows().first == "2 h: full at noon")
    #expect(script.run(output).rows().first == "2 h: full at noon")
    #expect(script.press(action) == .refresh)
    #expect(script.run(output).rows().first == "71 %")
    // Where a click has a command, the other form has a button.
    script = PrintedScript(.waybar, ["display-alt": "{alt}", "on-click": "x"])
    #expect(script.run(output).actions.count == 2)
    #expect(script.run(output).actions.last == action)
  }

  @Test(
    arguments: [
      ([:], ["text"]), (["on-click": "x"], ["text", "Other form"]),
      (["display-alt-click": "click"], ["text"]),
      (["display-alt-click": "1", "on-click": "x"], ["text"]),
      (["display-alt-click": "click-right"], ["Right"]),
      (["display-alt-click": "3", "on-click": "x"], ["text", "Right"]),
      (["display-alt-click": "click-forward", "on-click": "x"], ["text", "Other form"]),
    ] as [([String: String], [String])]
  )
  func `shows the other form of its text on the click that is named, besides its command`(
    values: [String: String],
    elements: [String]
  ) throws {
    var script = PrintedScript(.waybar, values.merging(["display-alt": "{alt}"]) { $1 })
    let output = #"{"text":"text","alt":"other"}"#
    let content = script.run(output)
    #expect(content.actions.count == elements.count)
    #expect(content.rows().first == "text")
    if let button = elements.last, button != "text" {
      #expect(content.rows().last?.contains(button) == true)
    }
    let isCommand = values["on-click"] != nil && elements.count == 1
    let command = ScriptCommand(["/bin/sh", "-c", "x"], refresh: true)
    for form in ["other", "text"] {
      let pressed = script.press(try #require(content.actions.last))
      #expect(pressed == (isCommand ? .command(command) : .refresh))
      #expect(script.run(output).rows().first == form)
    }
  }

  @Test(
    arguments: [
      (["tooltip": "false"], ["<b>x</b>".count, 0]), (["escape": "true"], [8, 1]), ([:], [1, 1]),
    ] as [([String: String], [Int])]
  )
  func `has no tooltip, or no markup, where it is to have none`(
    values: [String: String],
    expected: [Int]
  ) {
    var values = values
    if values["tooltip"] != nil { values["escape"] = "true" }
    var script = PrintedScript(.waybar, values)
    let rows = script.run(#"{"text":"<b>x</b>","tooltip":"t"}"#).rows()
    #expect([rows[0].count, rows.count - 1] == expected)
  }

  @Test func `runs the commands of clicks in a shell, and then again`() {
    var script = PrintedScript(.waybar, ["on-click": "a | b", "on-click-right": "c"])
    let actions = script.run("text").actions
    #expect(
      actions.map { script.press($0) } == [
        .command(ScriptCommand(["/bin/sh", "-c", "a | b"], refresh: true)),
        .command(ScriptCommand(["/bin/sh", "-c", "c"], refresh: true)),
      ]
    )
    script = PrintedScript(.waybar, ["on-click": "a", "exec-on-event": "false"])
    #expect(
      script.run("text").actions.map { script.press($0) } == [
        .command(ScriptCommand(["/bin/sh", "-c", "a"], refresh: false))
      ]
    )
  }
}

/// The protocol of i3bar.
@Suite struct `A status command` {
  private static let stream = """
    {"version":1,"click_events":true,"stop_signal":10,"cont_signal":0}
    [
    [{"name":"wlan","instance":"wlan0","full_text":"W: 70 %","color":"#00FF00"},{"full_text":""},{"full_text":"x"}],
    ,[{"name":"wlan","instance":"wlan0","full_text":"W: 71 %","urgent":true},{"full_text":"<i>y</i>","markup":"pango"}]

    """

  @Test func `has a row for each block, and its newest line counts`() {
    for cut in [1, 7, 1_000] {
      var script = PrintedScript(.i3bar)
      script.begin()
      let content = script.go(Self.stream, cut: cut)
      #expect(content.rows() == ["W: 71 %", "y"])
      #expect(content.number == 71)
      #expect(script.pauseSignals == PauseSignals(stop: 10, resume: 0))
    }
  }

  @Test(arguments: [
    "[[{\"full_text\":\"a\"}]\n", "[\n[{\"full_text\":\"a\"}]\n", "[\n,[{\"full_text\":\"a\"}],\n",
  ])
  func `can begin its array in several ways`(lines: String) {
    var script = PrintedScript(.i3bar)
    script.begin()
    #expect(script.go("{\"version\":1}\n" + lines).rows() == ["a"])
  }

  @Test func `can begin with a line without blocks, which is no content yet`() {
    var script = PrintedScript(.i3bar)
    script.begin()
    #expect(script.go("{\"version\":1}\n[\n[],\n") == .nothing)
    #expect(script.go("[{\"full_text\":\"a\"}],\n").rows() == ["a"])
    #expect(script.go("[],\n").rows() == ["nothing to show"])
  }

  @Test func `reads clicks as the protocol says`() throws {
    var script = PrintedScript(.i3bar)
    script.begin()
    let action = try #require(script.go(Self.stream).actions.first)
    guard case .input(let first) = script.press(action),
      case .input(let second) = script.press(action)
    else {
      Issue.record("no input")
      return
    }
    let array = String(decoding: first + second, as: UTF8.self)
    #expect(array.hasPrefix("[\n{"))
    let clicks = try #require(JSONTree(Array((array + "]").utf8)).items)
    #expect(clicks.count == 2)
    #expect(clicks[1]["name"]?.string == "wlan" && clicks[1]["instance"]?.string == "wlan0")
    #expect(clicks[1]["button"]?.number == 1)
  }

  @Test func `can have tabs in its texts`() {
    var script = PrintedScript(.i3bar)
    script.begin()
    let blocks = "[{\"full_text\": \"a\tb\"},\t{\"full_text\": \"c\"}],\n"
    #expect(script.go("{\"version\": 1}\n[\n" + blocks).rows() == ["a    b", "c"])
  }

  @Test func `can show some of its blocks`() {
    var script = PrintedScript(.i3bar, ["blocks": "wlan, other"])
    script.begin()
    #expect(script.go(Self.stream).rows() == ["W: 71 %"])
  }

  @Test func `without a header prints plain lines`() {
    var script = PrintedScript(.i3bar)
    script.begin()
    #expect(script.go("cpu 3 %\ncpu 4 %\n").rows() == ["cpu 4 %"])
  }

  @Test func `with a broken line keeps the one before`() {
    var script = PrintedScript(.i3bar)
    script.begin()
    _ = script.go(Self.stream)
    let rows = script.go(",[{]\nnonsense\n").rows(60)
    #expect(rows == ["W: 71 %", "y", "The newest line cannot be read: expected [."])
  }
}

/// Blocklets of i3blocks.
@Suite struct `A block of i3blocks` {
  @Test func `is lines for text, short text and colours`() {
    var script = PrintedScript(.i3blocks)
    let content = script.run("5 GB free\n5 GB\n#ff8800\n#000000\n")
    #expect(content.rows() == ["5 GB free"])
    guard case .vstack(let stack)? = content.view?.content else {
      Issue.record("no rows")
      return
    }
    #expect(stack.children[0].style.foreground == .rgb(red: 255, green: 136, blue: 0))
  }

  @Test func `has its label before its text, and its number from the text`() {
    var script = PrintedScript(.i3blocks, ["label": "CPU0:1"])
    let content = script.run("5 %\n")
    #expect(content.rows() == ["CPU0:1 5 %"])
    #expect(content.number == 5)
    #expect(script.run(#"{"full_text": "6", "label": "own"}"#).rows() == ["own 6"])
    #expect(script.run(#"{"full_text": "6", "label": ""}"#).rows() == ["6"])
    #expect(script.run("").rows() == ["nothing to show"])
  }

  @Test func `is urgent with the exit status 33`() {
    var script = PrintedScript(.i3blocks)
    guard case .vstack(let stack)? = script.run("full\n", status: 33).view?.content else {
      Issue.record("no rows")
      return
    }
    #expect(stack.children[0].style.foreground == .red)
  }

  @Test func `can be an object in a line`() {
    var script = PrintedScript(.i3blocks, ["output": "json"])
    #expect(script.run(##"{"full_text": "a", "color": "#00ff00"}"##).rows() == ["a"])
    #expect(script.run("{\"full_text\": \"a\tb\"}").rows() == ["a    b"])
    #expect(script.run("").rows() == ["nothing to show"])
  }

  @Test(arguments: [
    ("{\n  \"full_text\": \"a\",\n  \"label\": \"b\"\n}", "b a"),
    ("{\"full_text\": \"a\", \"label\": \"b\"}\n{\"full_text\": \"c\"}\n", "b c"),
    ("[{\"full_text\": \"a\"}, {\"full_text\": \"b\"}]", "a"),
    ("{\"full_text\": \"a\"}\nmore", "a"), ("{\"full_text\": \"a\\x21\",}", "a!"),
  ])
  func `can be an object in several lines, or several objects`(output: String, words: String) {
    var script = PrintedScript(.i3blocks, ["output": "json"])
    #expect(script.run(output).rows() == [words])
  }

  @Test func `has the line ends of every system, and marks behind the quotes of its markup`() {
    var script = PrintedScript(.waybar)
    let output = #"{"text":"a\r\nb","tooltip":"c\r\nd\re\nf"}"#
    #expect(script.run(output).rows() == ["a", "b", "c", "d", "e", "f"])
    let spans = PangoText.spans("<span font='\u{301}x' weight='bold'>y</span>")
    #expect(spans.map(\.style.bold) == [true])
  }

  @Test func `has the colours and the markup of its configuration where it says nothing`() throws {
    var script = PrintedScript(
      .i3blocks,
      ["color": "#00ff00", "background": "#101010", "markup": "pango"]
    )
    let green = Color.rgb(red: 0, green: 255, blue: 0)
    for (text, color) in [
      ("a &amp; b", green), ("a &amp; b\nshort\n#ff0000", .rgb(red: 255, green: 0, blue: 0)),
      (#"{"full_text": "a &amp; b"}"#, green),
      (#"{"full_text": "a &amp; b", "color": "red"}"#, .red),
    ] {
      let content = script.run(text)
      #expect(content.rows() == ["a & b"])
      guard case .vstack(let stack)? = content.view?.content else {
        Issue.record("no rows")
        return
      }
      #expect(stack.children[0].style.foreground == color)
      #expect(stack.children[0].style.background == .rgb(red: 16, green: 16, blue: 16))
    }
  }

  @Test func `runs again on a click, with its button, or reads it if it goes on`() throws {
    var polled = PrintedScript(.i3blocks)
    let action = try #require(polled.run("a").actions.first)
    #expect(polled.press(action) == .refreshWith(["BLOCK_BUTTON": "1", "button": "1"]))
    var lasting = PrintedScript(.i3blocks, ["follow": "true"])
    lasting.begin()
    #expect(lasting.go("a\n").rows() == ["a"])
    #expect(lasting.press(action) == .input(Array("1\n".utf8)))
  }
}

/// Text with the markup of Pango.
@Suite struct `The markup of Pango` {
  @Test(arguments: [
    ("a<b>b</b>c", "a|b*|c"), ("<i>x<b>y</b></i>", "x/|y*/"),
    ("a &lt;b&gt; &amp;c &#65;&#x42;", "a <b> &c AB"),
    ("1 < 2 & 3", "1 < 2 & 3"), ("<span weight='bold' color=\"#ff0000\">r</span>", "r*#"),
    ("<b>open", "open*"),
    ("</b>x", "x"), ("<br/>x", "x"), ("a<", "a<"), ("<span color=>x", "x"), ("&#27;[2J", "␛[2J"),
  ])
  func `becomes styles, and what is none stays`(text: String, spans: String) {
    let found = PangoText.spans(text).map { span in
      span.text.string + (span.style.bold == true ? "*" : "")
        + (span.style.italic == true ? "/" : "") + (span.style.foreground == nil ? "" : "#")
    }
    #expect(found.joined(separator: "|") == spans)
  }
}
