import Testing

@testable import WidgetKitCore
@testable import WidgetScripts

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
        "custom/signal: runs again with “pkill -RTMIN+8 today”",
        "clock: left out, as only modules “custom/…” run a command",
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
    #expect(found.scripts[3].text.contains("# today: signal=\"8\"\n# today: interval=\"365d\"\n"))
  }

  @Test func `of i3blocks gives what follows a broken heading to no block`() throws {
    let text = "[t]\ncommand=echo hi\n[bad\ncommand=echo OTHER\n[u]\ncommand=echo u\n"
    let found = try ImportedScripts(i3blocks: Array(text.utf8), path: "/b")
    #expect(found.scripts.map(\.identifier) == ["script.i3blocks-t", "script.i3blocks-u"])
    #expect(found.scripts[0].text.hasSuffix("echo hi\n"))
    #expect(found.remarks.map(\.string) == ["/b:3: expected ] after the name of a block"])
  }

  @Test func `of Waybar has buttons for modules with clicks and no program`() throws {
    let text = #"""
      { "custom/power": { "format": "⏻ {}", "on-click": "wlogout" },
        "custom/menu": { "on-click-right": "rofi", "exec": "" } }
      """#
    let found = try ImportedScripts(waybar: Array(text.utf8), path: "/w")
    #expect(found.remarks.isEmpty)
    #expect(found.scripts.map(\.identifier) == ["script.waybar-menu", "script.waybar-power"])
    #expect(!found.scripts[0].text.contains("display="))
    #expect(
      found.scripts[1].text == #"""
        #!/bin/sh
        # today: title="power"
        # today: format="waybar"
        # today: display="⏻ "
        # today: output="text"
        # today: on-click="wlogout"
        # today: interval="365d"
        printf '%s\n' 'power'

        """#
    )
    var script = PrintedScript(
      .waybar,
      ["display": "⏻ ", "output": "text", "on-click": "wlogout"]
    )
    let shown = script.run("power\n")
    #expect(shown.rows() == ["⏻"])
    #expect(shown.actions.count == 1)
  }

  @Test func `of Waybar has all settings of a module that mean something on a card`() throws {
    let text = #"""
      { "custom/a": { "exec": "echo '{}'; exit 3", "format-alt": "{alt}",
          "format-alt-click": "click-right", "tooltip-format": "{tooltip}!",
          "tooltip": false, "hide-empty-text": true, "escape": true, "exec-on-event": false, "on-update": "touch /x", "interval": 5 },
        "custom/b": { "exec": "tail -f x", "on-update": "echo \"$line\" >>y", "signal": 99 },
        "custom/c": { "exec": "tail -f x", "on-update": "touch /y", "restart-interval": 3 } }
      """#
    let found = try ImportedScripts(waybar: Array(text.utf8), path: "/w")
    #expect(found.remarks.map(\.string) == ["custom/b: there is no signal with this number"])
    #expect(
      found.scripts[0].text == #"""
        #!/bin/sh
        # today: title="a"
        # today: format="waybar"
        # today: display-alt="{alt}"
        # today: display-alt-click="click-right"
        # today: tooltip="false"
        # today: tooltip-display="{tooltip}!"
        # today: hide-empty-text="true"
        # today: escape="true"
        # today: exec-on-event="false"
        # today: output="text"
        # today: interval="5s"
        (
        echo '{}'; exit 3
        )
        status=$?
        (
        touch /x
        ) </dev/null >/dev/null 2>&1
        exit $status

        """#
    )
    #expect(!found.scripts[1].text.contains("signal"))
    #expect(
      found.scripts[2].text.hasSuffix(
        """
        # today: interval="3s"
        (
        tail -f x
        ) | while IFS= read -r line; do
        printf '%s\\n' "$line"
        (
        touch /y
        ) </dev/null >/dev/null 2>&1
        done

        """
      )
    )
    for script in found.scripts { #expect(ScriptLine(in: script.text).faults.isEmpty) }
  }

  @Test
  func `of Waybar with several bars has a script for each module, and one for what they share`()
    throws
  {
    let shared = #""custom/s": { "exec": "s" }"#
    let text = """
      [{ \(shared), "custom/a": { "exec": "echo a" } }, { \(shared), "custom/a": { "exec": "echo b" } },
       { "custom/a": { "exec": "echo c" }, "custom/A": { "exec": "echo d" } }]
      """
    let found = try ImportedScripts(waybar: Array(text.utf8), path: "/w")
    #expect(
      found.scripts.map(\.identifier) == [
        "script.waybar-a", "script.waybar-s", "script.waybar-a-2", "script.waybar-A",
        "script.waybar-a-3",
      ]
    )
    #expect(found.scripts.map(\.body) == ["echo a", "s", "echo b", "echo d", "echo c"])
    #expect(found.remarks.isEmpty)
    let long = String(repeating: "x", count: 80)
    let two = #"[{"custom/\#(long)": {"exec": "a"}}, {"custom/\#(long)": {"exec": "b"}}]"#
    let names = try ImportedScripts(waybar: Array(two.utf8), path: "/w").scripts.map(\.name)
    #expect(names.map(\.count) == [64, 64] && names[1].hasSuffix("x-2"))
  }

  @Test func `of Waybar says which modules are left out, and why`() throws {
    let text = #"""
      { "modules-left": ["custom/a", "sway/window", "group/g"], "modules-right": ["custom/gone"],
        "group/g": { "orientation": "inherit", "modules": ["tray", "custom/a"] },
        "margin": 5, "modes": {}, "cpu": {}, "custom/a": { "exec": "a" } }
      """#
    let found = try ImportedScripts(waybar: Array(text.utf8), path: "/w")
    #expect(found.scripts.map(\.body) == ["a"])
    #expect(
      found.remarks.map(\.string) == [
        "custom/gone: is not configured",
        "cpu, sway/window, tray: left out, as only modules “custom/…” run a command",
      ]
    )
    let many = (0...500).map { "\"custom/\($0)\": { \"exec\": \"\($0)\" }" }
    let full = try ImportedScripts(
      waybar: Array("{ \(many.joined(separator: ", ")) }".utf8),
      path: "/w"
    )
    #expect(full.scripts.count == 500)
    #expect(full.remarks.map(\.string).first?.hasSuffix("more than 500 modules") == true)
  }

  @Test func `of Waybar includes other files, of which the first value of a member counts`() throws
  {
    let files = [
      "/c/one.json":
        #"{ "include": "sub/../two.json", "custom/b": { "exec": "b1" }, "custom/c": { "exec": "c1" } }"#,
      "/c/two.json":
        #"{ "custom/c": { "exec": "c2", "interval": 2 }, "custom/d": { "exec": "d2" } }"#,
      "/h/three.json": #"{ "custom/a": { "exec": "a3" }, "custom/e": { "exec": "e3" } }"#,
      "/v/four.json": #"{ "custom/f": { "exec": "f4" } }"#,
    ]
    let text = #"""
      { "include": ["one.json", "~/three.json", "$DIR/four.json", "${DIR}/four.json", "$NONE/x", 5],
        "custom/a": { "exec": "a0" } }
      """#
    let found = try ImportedScripts(
      waybar: Array(text.utf8),
      path: "/c/config",
      environment: ["HOME": "/h", "DIR": "/v"],
      read: { files[$0].map { Array($0.utf8) } }
    )
    #expect(
      found.scripts.map(\.body) == ["a0", "b1", "c1", "d2", "e3", "f4"],
      "\(found.scripts.map(\.body))"
    )
    #expect(found.scripts[2].text.contains("interval=\"2s\""))
    #expect(
      found.remarks.map(\.string) == [
        "include: /c/$NONE/x is not a readable file of at most 1 MiB",
        "/c/config: include: expected a path, or a list of paths",
      ]
    )
  }

  @Test func `of Waybar names files that include each other, and is never endless`() throws {
    let circle = ["/c/b": #"{ "include": "a", "custom/x": { "exec": "x" } }"#]
    let found = try ImportedScripts(
      waybar: Array(#"{ "include": ["b", "./a"] }"#.utf8),
      path: "/c/a",
      read: { circle[$0].map { Array($0.utf8) } }
    )
    #expect(found.scripts.map(\.body) == ["x"])
    #expect(
      found.remarks.map(\.string) == [
        "include: /c/a → /c/b → /c/a includes itself",
        "include: /c/a → /c/a includes itself",
      ]
    )
    let deep = try ImportedScripts(
      waybar: Array(#"{ "include": "1" }"#.utf8),
      path: "/0",
      read: { path in
        let number = (Int(path.dropFirst()) ?? 0) + 1
        return Array(#"{ "include": ["\#(number)", "\#(number)"] }"#.utf8)
      }
    )
    #expect(deep.remarks.contains { $0.string.contains("more than 16 files include each other") })
    #expect(deep.remarks.contains { $0.string.contains("more than 100 files") })
    for broken in ["{", "[]", "5"] {
      let found = try ImportedScripts(
        waybar: Array(#"{ "include": "b" }"#.utf8),
        path: "/a",
        read: { _ in Array(broken.utf8) }
      )
      #expect(found.remarks.count == 1 && found.scripts.isEmpty)
    }
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
      [time]
      command=date -u
      nonsense
      """
    let found = try ImportedScripts(i3blocks: Array(text.utf8), path: "/b")
    #expect(
      found.scripts.map(\.identifier) == [
        "script.i3blocks-volume-Master", "script.i3blocks-time", "script.i3blocks-net",
        "script.i3blocks-static", "script.i3blocks-time-2",
      ]
    )
    #expect(
      found.scripts[0].text == """
        #!/bin/sh
        # today: title="volume Master"
        # today: format="i3blocks"
        # today: color="#ffffff"
        # today: signal="10"
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
    #expect(found.scripts[2].text.contains("color=\"#ffffff\"\n# today: follow=\"true\"\n"))
    #expect(
      found.remarks.map(\.string).filter { $0.contains("/b:24") || $0.contains("[none]") }.count
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
