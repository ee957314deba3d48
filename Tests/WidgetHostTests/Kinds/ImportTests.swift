import Testing

@testable import WidgetHost
@testable import WidgetKitCore

/// Modules of other programs as scripts.
@Suite struct `A configuration of another program` {
  private static let waybar = """
    // -*- mode: jsonc -*-
    [{
      "modules-left": ["custom/battery", "clock"],
      "clock": { "interval": 1 },
      "custom/battery": {
        "exec": "bat --json \\"$0\\"", "return-type": "json", "interval": 0.5,
        "format": "{icon} {}", "format-icons": ["a", "b\\""], "on-click": "echo 'a' \\"b\\"", /* c */
      },
      "custom/once": { "exec": "date", "interval": "once", "exec-if": "test -e /x" },
      "custom/goes on": { "exec": "tail -f x", "restart-interval": 5, "format-icons": {"on": "1", "x": ["2"]} },
      "custom/signal": { "exec": "vol", "signal": 8 },
      "custom/button": { "format": "x" },
      "custom/odd": 5,
    }]
    """

  @Test func `of Waybar becomes a script for each custom module with a command`() throws {
    let found = try ImportedScripts(waybar: Array(Self.waybar.utf8), path: "/w")
    #expect(
      found.scripts.map(\.identifier) == [
        "script.waybar-battery", "script.waybar-goes-on", "script.waybar-once",
        "script.waybar-signal",
      ]
    )
    #expect(
      found.remarks.map(\.string) == [
        "custom/button: has no exec", "custom/odd: expected an object",
        "custom/signal: in place of its signal, use “today refresh script.waybar-signal”",
      ]
    )
    #expect(
      found.scripts[0].text == #"""
        #!/bin/sh
        # today: title="battery"
        # today: format="waybar"
        # today: display="{icon} {}"
        # today: icons='["a","b\""]'
        # today: output="json"
        # today: on-click="echo 'a' \"b\""
        # today: interval="1s"
        bat --json "$0"

        """#
    )
    #expect(found.scripts[1].text.contains("# today: follow=\"true\"\n# today: interval=\"5s\"\n"))
    #expect(found.scripts[2].text.hasSuffix("{ test -e /x; } >/dev/null 2>&1 || exit 0\ndate\n"))
  }

  @Test(arguments: ["{", "5", "[5]"])
  func `of Waybar that is none says so`(text: String) {
    #expect(throws: ImportedScripts.Failure.self) {
      try ImportedScripts(waybar: Array(text.utf8), path: "/w")
    }
  }

  @Test func `of i3blocks becomes a script for each block with a command`() throws {
    let text = """
      # comment
      separator=true
      color=#ffffff
      [volume]
      command=vol -s
      instance=Master
      interval=once
      signal=10
      LABEL=it's
      LD_PRELOAD=x
      [time]
      command=date +%H
      interval=5
      [net]
      command=net
      interval=persist
      format=json
      [static]
      full_text=hello
      [none]
      interval=1
      nonsense
      """
    let found = try ImportedScripts(i3blocks: Array(text.utf8), path: "/b")
    #expect(
      found.scripts.map(\.identifier) == [
        "script.i3blocks-volume-Master", "script.i3blocks-time", "script.i3blocks-net",
        "script.i3blocks-static",
      ]
    )
    #expect(
      found.scripts[0].text == """
        #!/bin/sh
        # today: title="volume Master"
        # today: format="i3blocks"
        # today: interval="365d"
        export BLOCK_NAME='volume'
        export BLOCK_INSTANCE='Master'
        export separator='true'
        export color='#ffffff'
        export instance='Master'
        export LABEL='it'\\''s'
        vol -s

        """
    )
    #expect(found.scripts[2].text.contains("output=\"json\"\n# today: follow=\"true\"\n"))
    #expect(
      found.remarks.map(\.string).filter { $0.contains("/b:22") || $0.contains("[none]") }.count
        == 2
    )
  }

  @Test(arguments: [
    "a\"b", "a'b", "a\"'b", "a\\", "a\\\"", "line\nfeed", "", "# today: x", "{icon} {}", "é",
  ])
  func `has texts that a script's line gives back`(value: String) {
    let script = WrittenScript(name: "x", options: [("display", value)], body: "true")
    let line = ScriptLine(in: script.text)
    #expect(line.options.parameters["display"] == value.replacing("\n", with: " "))
    #expect(line.faults.isEmpty)
  }

  @Test(arguments: [
    ("../../etc/x", "etc-x"), ("", "script"), ("...", "script"), ("df -h /", "df-h"),
    ("ü", "script"),
    (String(repeating: "a", count: 500), String(repeating: "a", count: 64)),
  ])
  func `gives names of files that stay in their folder`(name: String, file: String) {
    #expect(WrittenScript(name: name, options: [], body: "").name == file)
  }
}
