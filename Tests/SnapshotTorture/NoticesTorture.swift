import CTestPlatform
import Glibc
import Notices
import WidgetTestSupport

/// Four writers of notices, which are killed at any point and started again, and a reader.
///
///     SnapshotTorture notices FOLDER COUNT SEED
///
/// Each writer posts at least COUNT notices and reports each one that is stored. Prints `notices N, kills K, readings R`;
/// exits 1 if one that was reported is missing, or one is there twice. Meanwhile the journal is written anew several times.
enum NoticesTorture {
  private static let text = String(repeating: "text ", count: 200)

  /// One of the writers, and what it has reported.
  private struct Writer {
    let name: String
    var pid: pid_t = 0
    var reports: Int32 = -1
    /// How many notices it has reported.
    var count = 0
    /// How many runs there were.
    var runs = 0

    mutating func start(_ store: NoticeStore, until end: Int) {
      var ends: [Int32] = [0, 0]
      precondition(unsafe pipe(&ends) == 0)
      runs += 1
      pid = test_fork()
      precondition(pid >= 0, "no process could be made")
      if pid == 0 {
        for number in count..<end {
          NoticesTorture.post("\(name) \(runs) \(number)", store, reportTo: ends[1])
        }
        _exit(0)
      }
      close(ends[1])
      reports = ends[0]
      _ = fcntl(reports, F_SETFL, O_NONBLOCK)
    }

    mutating func hear() {
      var buffer = [UInt8](repeating: 0, count: 4096)
      while case let read = unsafe Glibc.read(reports, &buffer, buffer.count), read > 0 {
        count += read
      }
    }

    mutating func finish(killing: Bool) {
      if killing { Glibc.kill(pid, SIGKILL) }
      var status: Int32 = 0
      _ = unsafe waitpid(pid, &status, 0)
      hear()
      close(reports)
      // The number of the descriptor can be that of another one now.
      reports = -1
    }

    mutating func hasEnded() -> Bool {
      var info = unsafe siginfo_t()
      let flags = WEXITED | WNOHANG | WNOWAIT
      return unsafe waitid(P_PID, id_t(pid), &info, flags) == 0 && info.si_signo != 0
    }
  }

  static func run(_ folder: String, count: Int, seed: UInt64) -> Never {
    var settings = NoticeSettings()
    settings.count = 100_000
    let store = NoticeStore(folder: folder, settings: settings)
    var random = SeededGenerator(seed: seed)
    var (kills, readings) = (0, 0)
    // Put off until there were enough of both, which on a fast machine come to few in the time that the posts take.
    var goal = count
    var writers = ["a", "b", "c", "d"].map { Writer(name: $0) }
    for index in writers.indices { writers[index].start(store, until: goal) }
    while writers.contains(where: { $0.count < goal }) {
      usleep(UInt32.random(in: 200...6_000, using: &random))
      for index in writers.indices { writers[index].hear() }
      // Reading takes longer than all else.
      if Int.random(in: 0..<8, using: &random) == 0 {
        check(store, writers)
        readings += 1
      }
      for index in writers.indices where writers[index].count < goal {
        // It had reached the goal before that was put off.
        guard writers[index].reports >= 0 else {
          writers[index].start(store, until: goal)
          continue
        }
        let hasEnded = writers[index].hasEnded()
        guard hasEnded || Bool.random(using: &random) else { continue }
        writers[index].finish(killing: !hasEnded)
        if !hasEnded { kills += 1 }
        if writers[index].count < goal { writers[index].start(store, until: goal) }
      }
      if kills < 20 || readings < 2, writers.allSatisfy({ $0.count >= goal }) { goal += 100 }
    }
    for index in writers.indices where writers[index].reports >= 0 {
      writers[index].finish(killing: false)
    }
    check(store, writers)
    print("notices \(titles(store).count), kills \(kills), readings \(readings)")
    exit(0)
  }

  private static func post(_ title: String, _ store: NoticeStore, reportTo pipe: Int32) {
    var content = NoticeContent(application: "torture", source: .post, title: title, body: text)
    content.progress = 1
    guard (try? store.post(content)) != nil else { _exit(1) }
    var byte: UInt8 = 1
    _ = unsafe write(pipe, &byte, 1)
  }

  private static func titles(_ store: NoticeStore) -> [String] {
    guard let list = try? store.read() else { return [] }
    return list.entries.map { list.notice($0)?.content.title ?? "unreadable" }
  }

  /// Whether every notice that was reported is there, under its number for its writer, and none is there twice.
  private static func check(_ store: NoticeStore, _ writers: [Writer]) {
    let titles = titles(store)
    // A notice that was stored but not reported, as its writer was killed between the two, is posted again by the
    // next run, under another name.
    guard Set(titles).count == titles.count, !titles.contains("unreadable") else {
      print("a notice is there twice, or torn")
      exit(1)
    }
    var numbers: [String: Set<Int>] = [:]
    for title in titles {
      let words = title.split(separator: " ")
      numbers[String(words[0]), default: []].insert(Int(words[2]) ?? -1)
    }
    for writer in writers
    where !numbers[writer.name, default: []].isSuperset(of: 0..<writer.count) {
      print("a notice of \(writer.name) is missing, of \(writer.count)")
      exit(1)
    }
  }
}
