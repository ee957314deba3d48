import Testing
import WidgetKitCore
import WidgetTestSupport

@testable import EngineTestSupport

/// Queries of scripts on a page; with real processes.
@Suite(.timeLimit(.minutes(5))) struct `A script with queries` {
  /// A script that prints a list of numbers.
  private func script(_ line: String, count: Int) -> String {
    """
    #!/bin/sh
    # today: format=json \(line)
    seq \(count) | tr '\\n' ',' | sed 's/^/[/; s/,$/]/'
    """
  }

  @Test func `that need too many steps says so, and others answer`() async throws {
    let endless = "rows='$[?count($[?count($..*) > @]) > @]'"
    let scripts = try ScriptWorld([
      "a.1h.sh": script(endless, count: 5_000),
      "b.1h.sh": script("rows='$[?@ > 2999]' template='b {@}'", count: 3_000),
      "c.1h.sh": "echo c\n",
    ])
    try scripts.open()
    try await eventually("the others") {
      try scripts.rows("b") == ["b 3000"] && scripts.rows("c") == ["c"]
    }
    try await eventually("the word") {
      try scripts.trouble("a").contains("> @]: the query needs too many steps")
    }
    await scripts.end()
  }

  @Test(arguments: ["(a|a)*b", "(a*)*b", "(a+)+b", "(a{0,9}){0,9}b"])
  func `with an expression that is slow elsewhere has its rows`(pattern: String) async throws {
    let long = String(repeating: "a", count: 2_000)
    let scripts = try ScriptWorld([
      "a.1h.sh": """
      #!/bin/sh
      # today: format=json rows='$[?match(@, "\(pattern)")]' template='it is {@}'
      echo '["\(long)", "\(long)c", "aab"]'
      """
    ])
    try scripts.open()
    try await eventually("its row") { try scripts.rows("a") == ["it is aab"] }
    await scripts.end()
  }

  @Test func `begins with a byte order mark`() async throws {
    let mark = "printf '\\357\\273\\277'"
    func script(_ line: String, _ text: String, _ end: String = "") -> String {
      "#!/bin/sh\n# today: \(line)\n\(mark)\necho '\(text)'\n\(end)\n"
    }
    let scripts = try ScriptWorld([
      "a.1h.sh": script("format=json value='$.a' template='a is {a}'", #"{"a":5}"#),
      "b.1h.sh": script("format=waybar", #"{"text":"hi"}"#),
      "c.1h.sh": script("format=i3bar", #"{"version":1}[[{"full_text":"x"}],"#, "exec sleep 20"),
    ])
    try scripts.open()
    try await eventually("its values") {
      try scripts.rows("a") == ["a is 5"] && scripts.rows("b") == ["hi"]
        && scripts.rows("c") == ["x"]
    }
    await scripts.end()
  }

  @Test func `shows the standard error of a check that prints nothing`() async throws {
    let scripts = try ScriptWorld([
      "a.1h.sh": "#!/bin/sh\n# today: format=nagios\necho 'no such host' >&2\nexit 2\n"
    ])
    try scripts.open()
    try await eventually("its words") {
      try scripts.rows("a") == ["● CRITICAL  no such host"]
    }
    await scripts.end()
  }
}
