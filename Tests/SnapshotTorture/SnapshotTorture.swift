import CTestPlatform
import FoundationEssentials
import Glibc
import WidgetCards
import WidgetKitCore
import WidgetPlatform
import WidgetTestSupport

/// Kills a process while it writes snapshots, repeatedly, and checks what is left.
///
///     SnapshotTorture FOLDER ROUNDS SEED
///     SnapshotTorture defaults CONTAINER COUNT SEED
///     SnapshotTorture notices FOLDER COUNT SEED
///
/// The second form is about shared defaults, see ``DefaultsTorture``, and the third one about notices, see
/// ``NoticesTorture``.
///
/// Prints `rounds R, unreadable U, strays before S, after T`; exits 1 if a file cannot be read or
/// a temporary one is left.
@main struct SnapshotTorture {
  static func main() {
    let arguments = CommandLine.arguments
    if arguments.count == 5, let count = Int(arguments[3]), let seed = UInt64(arguments[4]) {
      switch arguments[1] {
      case "defaults": DefaultsTorture.run(arguments[2], count: count, seed: seed)
      case "notices": NoticesTorture.run(arguments[2], count: count, seed: seed)
      default: break
      }
    }
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
      // Two programs that write for the same cards, and sync, one of them often.
      let writers = [2, 40].map { pause in
        start(folder, firstSize: Int.random(in: 1...397, using: &random), syncingEach: pause)
      }
      usleep(UInt32.random(in: 500...6_000, using: &random))
      for writer in writers { Glibc.kill(writer, SIGKILL) }
      for writer in writers {
        var status: Int32 = 0
        _ = unsafe waitpid(writer, &status, 0)
      }
      let names = files(in: folder)
      strays = max(strays, names.count { $0.hasSuffix(".tmp") })
      unreadable += names.count { !$0.hasSuffix(".tmp") && !isReadable($0) }
      for widget in names.compactMap(Self.widget) {
        unreadable += SnapshotStore(folder: folder).snapshot(for: key(widget)) == nil ? 1 : 0
      }
    }
    let store = SnapshotStore(folder: folder)
    store.cleanUp()
    store.syncAll()
    let left = files(in: folder).count { !$0.hasSuffix(".snapshot") }
    print("rounds \(rounds), unreadable \(unreadable), strays before \(strays), after \(left)")
    exit(unreadable == 0 && left == 0 ? 0 : 1)
  }

  /// Starts a process that writes until it is killed.
  ///
  /// No store has written here before: a copy of this process has none of its threads.
  private static func start(_ folder: String, firstSize: Int, syncingEach count: Int) -> pid_t {
    let writer = test_fork()
    if writer == 0 { writeForEver(folder, firstSize, syncingEach: count) }
    precondition(writer > 0, "no process could be made")
    return writer
  }

  private static func writeForEver(
    _ folder: String,
    _ firstSize: Int,
    syncingEach count: Int
  ) -> Never {
    let store = SnapshotStore(folder: folder)
    var size = firstSize
    for number in 1... {
      for widget in ["A", "B"] {
        store.keep(snapshot(of: widget, rows: size))
        store.drain()
      }
      if number.isMultiple(of: count) { store.syncAll() }
      size = size * 3 % 397 + 1
    }
    exit(0)
  }

  private static func key(_ widget: String) -> Snapshot.Key {
    Snapshot.Key(ExtensionIdentity("com.example.\(widget)"), displayMode: .compact, locale: "en")
  }

  private static func snapshot(of widget: String, rows: Int) -> Snapshot {
    let rows = (0..<rows).map { "\($0): what is kept must be whole" }.joined(separator: "\n")
    return Snapshot(
      key: key(widget),
      made: Date(),
      contentDate: Date(),
      view: ViewNode(.text(TextContent(spans: [TextSpan(SafeText(rows))]))),
      preferredHeight: nil
    )
  }

  /// The widget whose folder a file is in; nil for a temporary one, which is no snapshot yet.
  private static func widget(_ path: String) -> String? {
    guard !path.hasSuffix(".tmp") else { return nil }
    return path.split(separator: "/").dropLast().last?.split(separator: ".").last.map(String.init)
  }

  private static func files(in folder: String) -> [String] {
    let names = (try? FileManager.default.subpathsOfDirectory(atPath: folder)) ?? []
    let endings = [".snapshot", ".new", ".tmp"]
    return names.filter { name in endings.contains { name.hasSuffix($0) } }
      .map { "\(folder)/\($0)" }
  }

  private static func isReadable(_ path: String) -> Bool {
    guard let data = FileManager.default.contents(atPath: path) else { return false }
    return SnapshotStore.isWhole([UInt8](data))
  }
}
