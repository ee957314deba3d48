import CTestPlatform
import FoundationEssentials
import Glibc
import WidgetHost
import WidgetKitCore
import WidgetTestSupport

/// Kills a process in the middle of writing snapshots, again and again, and looks at what is left.
///
///     SnapshotTorture FOLDER ROUNDS SEED
///
/// Prints `rounds R, unreadable U, strays before S, after T`; exits 1 where a file cannot be read or
/// a stray one stays.
@main struct SnapshotTorture {
  static func main() {
    let arguments = CommandLine.arguments
    guard arguments.count == 4, let rounds = Int(arguments[2]), let seed = UInt64(arguments[3])
    else {
      print("expected a folder, a number of rounds and a seed")
      exit(64)
    }
    let folder = arguments[1]
    var random = SeededGenerator(seed: seed)
    var unreadable = 0
    var strays = 0
    for _ in 0..<rounds {
      kill(
        inFolder: folder,
        firstSize: Int.random(in: 1...397, using: &random),
        after: UInt32.random(in: 500...6_000, using: &random)
      )
      let names = files(in: folder)
      strays = max(strays, names.count { $0.hasSuffix(".tmp") })
      unreadable += names.count { $0.hasSuffix(".json") && !isReadable($0) }
    }
    let store = SnapshotStore(folder: folder)
    store.cleanUp()
    store.drain()
    let left = files(in: folder).count { !$0.hasSuffix(".json") }
    print("rounds \(rounds), unreadable \(unreadable), strays before \(strays), after \(left)")
    exit(unreadable == 0 && left == 0 ? 0 : 1)
  }

  /// Lets a process of its own write until it is killed.
  ///
  /// Nothing of Dispatch has run before, so that the copy of this process is whole.
  private static func kill(
    inFolder folder: String,
    firstSize: Int,
    after microseconds: UInt32
  ) {
    let writer = test_fork()
    if writer == 0 { writeForEver(folder, firstSize) }
    precondition(writer > 0, "no process could be made")
    usleep(microseconds)
    Glibc.kill(writer, SIGKILL)
    var status: Int32 = 0
    _ = unsafe waitpid(writer, &status, 0)
  }

  private static func writeForEver(_ folder: String, _ firstSize: Int) -> Never {
    let store = SnapshotStore(folder: folder)
    var size = firstSize
    while true {
      for widget in ["A", "B"] {
        store.keep(snapshot(of: "com.example.\(widget)", rows: size))
        store.drain()
      }
      size = size * 3 % 397 + 1
    }
  }

  private static func snapshot(of identifier: String, rows: Int) -> Snapshot {
    let rows = (0..<rows).map { "\($0): what is kept must be whole" }.joined(separator: "\n")
    return Snapshot(
      key: Snapshot.Key(
        bundleIdentifier: identifier,
        instance: nil,
        width: 40,
        displayMode: .compact,
        locale: "en"
      ),
      date: Date(),
      view: ViewNode(.text(TextContent(spans: [TextSpan(SafeText(rows))]))),
      preferredHeight: nil,
      rows: 4
    )
  }

  private static func files(in folder: String) -> [String] {
    let names = (try? FileManager.default.subpathsOfDirectory(atPath: folder)) ?? []
    return names.filter { $0.hasSuffix(".json") || $0.hasSuffix(".tmp") }.map { "\(folder)/\($0)" }
  }

  private static func isReadable(_ path: String) -> Bool {
    guard let data = FileManager.default.contents(atPath: path) else { return false }
    return SnapshotStore.decode([UInt8](data)) != nil
  }
}
