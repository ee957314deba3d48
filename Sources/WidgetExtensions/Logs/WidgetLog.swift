import FoundationEssentials
import Glibc
package import WidgetKitCore
package import WidgetPlatform

/// A widget's log on disk: its standard error, and messages of the host about it.
///
/// `$XDG_STATE_HOME/today/logs/IDENTIFIER.log`, at most 1 MiB, and the previous one as `.1`; at most 20
/// lines per second, the rest is dropped and counted.
@MainActor package final class WidgetLog {
  private let path: String
  private let clock: any HostClock
  private var second: Int = 0
  private var linesThisSecond = 0
  private var dropped = 0
  /// The last lines that were dropped, in case the widget ends right after them.
  private var lastDropped: [SafeText] = []
  private let linesPerSecond: Int
  private let byteLimit: Int
  /// Whether the widget is still there: a log that was removed with it is not made again.
  package var isWanted: () -> Bool = { true }

  package init(path: String, clock: any HostClock, limits: HostLimits = HostLimits()) {
    linesPerSecond = limits.logLinesPerSecond
    byteLimit = limits.logBytes
    self.path = path
    self.clock = clock
  }

  /// Adds a line.
  package func write(_ text: SafeText) {
    let now = Int(saturated: clock.date.timeIntervalSince1970)
    if now != second {
      if dropped > 0 { append("\(dropped) lines dropped") }
      second = now
      linesThisSecond = 0
      dropped = 0
      lastDropped = []
    }
    guard linesThisSecond < linesPerSecond else {
      dropped += 1
      lastDropped.append(text)
      if lastDropped.count >= 8 * Self.tailLines {
        lastDropped.removeFirst(lastDropped.count - Self.tailLines)
      }
      return
    }
    linesThisSecond += 1
    append(text.string)
  }

  /// Adds how a run ended, after the last lines before it, even if there were too many.
  package func writeEnd(_ text: SafeText) {
    let last = lastDropped.suffix(Self.tailLines)
    let more = dropped - last.count
    if more > 0 { append("\(more) lines dropped") }
    for line in last { append(line.string) }
    dropped = 0
    lastDropped = []
    append(text.string)
  }

  private static let tailLines = 10

  private func append(_ text: String) {
    let stamp = clock.date.formatted(.iso8601)
    let flat = text.split(separator: "\n").joined(separator: " ")
    let line = Array("\(stamp) \(flat)\n".utf8)
    let place = OwnPath.split(path)
    // An error is not reported, because the lines are also in memory.
    do throws(FileFault) {
      let folder = try OwnFolder.open(place.folder, makes: true)
      if !folder.hasFile(place.name), !isWanted() { return }
      if let status = folder.status(place.name), status.st_size > byteLimit - line.count {
        try folder.rename(place.name, to: place.name + ".1")
      }
      try folder.file(place.name, O_WRONLY | O_CREAT | O_APPEND).write(line)
    } catch {}
  }
}
