import FoundationEssentials
import Glibc
import Testing
import WidgetKitCore
import WidgetTestSupport

@testable import EngineTestSupport
@testable import WidgetCards
@testable import WidgetPages
@testable import WidgetPlatform

/// A page with a status command whose blocks are cards, and what it prints in the hands of the test.
final class StatusWorld {
  let scripts: ScriptWorld
  private var home: String { "\(scripts.world.path)/home" }

  /// Creates a page whose status command prints a first line of blocks.
  ///
  /// - Parameters:
  ///   - line: The blocks, as an array in JSON.
  ///   - header: What its header has besides.
  ///   - options: What its own line says besides.
  /// - Throws: The error of a file that cannot be written.
  init(_ line: String, header: String = "", options: String = "") throws {
    // A program that is told to pause itself does it with what it has started.
    scripts = try ScriptWorld([
      "status.sh": """
      #!/bin/sh
      # today: title="Status" format=i3bar split=true interval=1h \(options)
      echo $$ >>"$HOME/pids"
      printf '%s\\n' '{"version":1,"click_events":true\(header)}' '['
      exec 3<&0
      cat <&3 >>"$HOME/clicks" &
      (trap '' USR1 USR2; exec tail -n 1 -f "$HOME/lines") &
      trap 'echo stop >>"$HOME/signals"' USR1
      trap 'echo go on >>"$HOME/signals"' USR2
      while :; do wait; sleep 1000 & wait $!; done
      """
    ])
    for name in ["pids", "clicks", "signals"] { try scripts.world.write("", to: "\(home)/\(name)") }
    try scripts.world.write(line + ",\n", to: "\(home)/lines")
  }

  /// The identifiers that the cards have behind `script.`.
  var names: [String] {
    (scripts.center?.page.all ?? []).map { String($0.id.description.dropFirst("script.".count)) }
  }

  /// The cards that are not hidden.
  var shown: [String] {
    (scripts.center?.page.shown ?? []).map { String($0.id.description.dropFirst("script.".count)) }
  }

  /// Prints another line of blocks.
  func write(_ line: String) throws {
    let file = try #require(unsafe fopen("\(home)/lines", "a"))
    unsafe fputs(line + ",\n", file)
    unsafe fclose(file)
  }

  func text(_ name: String) -> String {
    (try? String(contentsOf: URL(filePath: "\(home)/\(name)"), encoding: .utf8)) ?? ""
  }

  /// The processes that were started, in their order.
  var pids: [Int32] { text("pids").split(separator: "\n").compactMap { Int32($0) } }

  /// Whether the last process is stopped.
  var isStopped: Bool {
    guard let pid = pids.last,
      let stat = try? String(contentsOf: URL(filePath: "/proc/\(pid)/stat"), encoding: .utf8)
    else { return false }
    return stat.split(separator: ")").last?.split(separator: " ").first == "T"
  }

  /// Shows all cards, or some of them, on the screen.
  func show(_ names: [String]? = nil) {
    let cards = scripts.center?.page.all ?? []
    let shown = cards.filter { names?.contains(String($0.id.description.dropFirst(7))) ?? true }
    scripts.center?.screen.setVisible(Set(shown.map(\.id)))
  }

  /// Opens the page, and waits for cards.
  func open(_ expected: [String]) async throws {
    try scripts.open()
    await cards(expected)
  }

  func cards(_ expected: [String]) async {
    await eventually("the cards \(expected)") { names == expected }
    show()
  }
}
