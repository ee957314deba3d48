import Testing

@testable import WidgetKitCore

@Suite struct `The name of a script` {
  @Test(
    arguments: [
      ("cpu.5s.sh", "cpu", 5.0, "script.cpu"),
      ("cpu.10m.py", "cpu", 600, "script.cpu"),
      ("cpu.5s", "cpu", 5, "script.cpu"),
      ("cpu.2h+.sh", "cpu", 7200, "script.cpu"),
      ("cpu.sh", "cpu", nil, "script.cpu"),
      ("cpu", "cpu", nil, "script.cpu"),
      ("010-cpu.1d.sh", "cpu", 86_400, "script.cpu"),
      ("2048-game.sh", "2048-game", nil, "script.2048-game"),
      ("disk usage_of.home.1m.sh", "disk usage_of.home", 60, "script.disk-usage-of-home"),
      ("500ms.500ms.sh", "500ms", 1, "script.500ms"),
      ("cpu.0s.sh", "cpu.0s", nil, "script.cpu-0s"),
      ("cpu.99999999999d.sh", "cpu", 31_536_000, "script.cpu"),
      ("cpu.9999999999999999999999s.sh", "cpu.9999999999999999999999s", nil, nil),
      ("wétter.sh", "wétter", nil, "script.we9tter"),
      ("-x.sh", "-x", nil, "script.x"),
      ("___.sh", "___", nil, "script.script"),
    ] as [(String, String, Double?, String?)]
  )
  func `gives name, interval, and an identifier that outlives both`(
    file: String,
    name: String,
    interval: Double?,
    identifier: String?
  ) throws {
    let script = try #require(ScriptName(file: file))
    #expect(script.name == name)
    #expect(script.interval == interval)
    if let identifier { #expect(script.identifier == identifier) }
  }

  @Test(arguments: [".cpu.sh", "cpu.sh~", "#cpu.sh#", "cpu.5s.sh.off", "cpu.5s.sh.vars.json", ""])
  func `of hidden files, copies and settings is none`(file: String) {
    #expect(ScriptName(file: file) == nil)
  }
}

@Suite struct `The line of a script` {
  @Test func `sets what it names, in a comment of any language`() {
    let line = ScriptLine(
      in: """
        #!/usr/bin/env lua
        -- today: title="Load of here" interval=90s timeout=5s lines=-7 span=2 show=false
        -- today: span=3 metrics="up{job=\\"a b\\"}" template='{a} "x"' alert=>90 thresholds=90:red,70:orange
        """
    )
    #expect(line.options.title == "Load of here")
    #expect(line.options.interval == 90)
    #expect(line.options.timeout == 5)
    #expect(line.options.lines == -7)
    #expect(line.options.span == 3)
    #expect(
      line.options.parameters == ["metrics": "up{job=\"a b\"}", "template": "{a} \"x\""]
    )
    #expect(line.options.alert?.includes(91) == true && line.options.alert?.includes(90) == false)
    #expect(
      line.options.thresholds == [
        GaugeThreshold(at: 70, foreground: .orange), GaugeThreshold(at: 90, foreground: .red),
      ]
    )
    #expect(line.options.show == false)
    #expect(line.faults.isEmpty)
  }

  @Test func `says what a script asks for in the sandbox`() {
    let line = ScriptLine(in: "# today: network=true files='~/Music, Documents/a b ,.netrc'")
    #expect(line.faults.isEmpty)
    #expect(
      line.options.entitlements.requests == [
        EntitlementRequest(.network),
        EntitlementRequest(.homeFiles, items: ["Music", "Documents/a b", ".netrc"]),
      ]
    )
    #expect(ScriptLine(in: "# today: network=false").options.entitlements.requests.isEmpty)
  }

  @Test(arguments: ["/etc", "~", "~/", "../x", "a/../../b", "", ",", "~/~/x", "~root/x"])
  func `asks for no files that are not below the home folder`(path: String) {
    let line = ScriptLine(in: "# today: files=\"\(path)\"")
    #expect(line.options.files == nil || path == "~root/x")
    #expect(line.faults.isEmpty == (path == "~root/x"))
  }

  @Test(arguments: [
    "sandbox=yes", "sandbox=", "sandbox", "title=A sandbox", "sandbox = false", "sandbox=True",
    "sandbx=true", "sandboxed=yes", "Sandbox=false",
  ])
  func `is confined by a word about the sandbox that cannot be used`(words: String) {
    let line = ScriptLine(in: "# today: \(words)")
    #expect(line.options.sandbox == true)
    #expect(!line.faults.isEmpty)
  }

  @Test(arguments: ["host='bad host'", "host=", "host", "host=-oProxyCommand=x", "hots=server"])
  func `does not run here if the machine cannot be used`(words: String) {
    let line = ScriptLine(in: "# today: \(words)")
    #expect(line.options.host == .unusable)
    #expect(!line.faults.isEmpty)
  }

  @Test(arguments: [
    "title=\"Unclosed lines=3", "title='Unclosed lines=3", "title=\"a\\\"", "title='",
  ])
  func `reports quotes that are not closed`(words: String) {
    let line = ScriptLine(in: "# today: interval=5s \(words)\n# today: span=2")
    #expect(line.options.title == nil && line.options.lines == nil)
    #expect(line.options.interval == 5 && line.options.span == 2)
    #expect(line.faults.count == 1)
    #expect(line.faults[0].found.contains("that is not closed"))
    #expect(ScriptLine(in: "# today: sandbox=\"false").options.sandbox == true)
    #expect(ScriptLine(in: "# today: title=\"\" lines=2").options.lines == 2)
  }

  @Test func `reports each value that cannot be used, and uses the others`() {
    let line = ScriptLine(
      in: """
        # today: title='  ' interval=soon timeout=1h lines=0 span=-1 show=maybe format=pdf x=1 y title=A
        """
    )
    #expect(line.options.title == "A")
    #expect(
      line.options.interval == nil && line.options.timeout == nil && line.options.lines == nil
        && line.options.span == nil
    )
    #expect(
      line.faults.map(\.key)
        == [
          "title", "interval", "timeout", "lines", "span", "show", "format", "x", "y",
        ].map { "today: \($0)" }
    )
  }

  @Test(arguments: [
    "# today: we measure the load", "# today:", "echo yesterday: title=x",
    "\u{0}\u{1B}# today: \u{FFFD}",
  ])
  func `is none where a sentence begins like it`(text: String) {
    let line = ScriptLine(in: text)
    #expect(line.options.interval == nil)
    #expect(line.faults.isEmpty)
  }
}

@Suite struct `The tags of a plugin of SwiftBar` {
  @Test(
    arguments: [
      ("<swiftbar.type>streamable</swiftbar.type>", true, false),
      (
        """
        <swiftbar.type>streamable</swiftbar.type>
        <swiftbar.useTrailingStreamSeparator>true</swiftbar.useTrailingStreamSeparator>
        """, true, true
      ),
      ("<swiftbar.title>x</swiftbar.title>", nil, false),
    ] as [(String, Bool?, Bool)]
  )
  func `say whether it keeps printing, and how its menus end`(
    tags: String,
    follows: Bool?,
    isTrailing: Bool
  ) {
    let line = ScriptLine(in: tags)
    #expect(line.options.format == .swiftbar)
    #expect(line.options.follow == follows && line.options.endsBlocks == isTrailing)
  }

  @Test func `say when it runs, and a schedule that is none is reported`() {
    let line = ScriptLine(in: "# <swiftbar.schedule>0 9 * * *</swiftbar.schedule>")
    #expect(line.options.schedule == (try? CronSchedule("0 9 * * *")))
    let wrong = ScriptLine(in: "# <swiftbar.schedule>0 0 30 2 *</swiftbar.schedule>")
    #expect(wrong.options.schedule == nil && wrong.faults.map(\.key) == ["swiftbar.schedule"])
  }
}

@Suite struct `Rows of text with colours` {
  @Test func `keep a style over rows, and nothing else that a terminal would act on`() {
    let rows = AnsiContent.rows(of: "a\u{1B}[31mb\nc\u{1B}[2J\u{1B}[0m\n\nd\u{1B}]0;t\u{7}")
    let red = TextStyle(foreground: .indexed(1))
    #expect(
      rows.map(\.spans) == [
        [TextSpan("a"), TextSpan("b", style: red)], [TextSpan("c", style: red)], [TextSpan(" ")],
        [TextSpan("d")],
      ]
    )
  }

  @Test func `a line is found with the line ends of Windows, and marks behind its quotes stay`() {
    let words = "lines=3 title=\"\u{301}x \\\"y\\\"\" format='json'"
    let line = ScriptLine(in: "#!/bin/sh\r\n# today: \(words)\r\necho\r\n")
    #expect(line.options.lines == 3)
    #expect(line.options.format == .json)
    #expect(line.options.title?.string.hasSuffix("x \"y\"") == true)
    #expect(line.faults.isEmpty)
    let value = ScriptLine(in: "# today: rows='\u{301}a' value=\u{301}b").options.parameters
    #expect(value["rows"]?.unicodeScalars.count == 2)
    #expect(value["value"]?.unicodeScalars.count == 2)
  }
}
