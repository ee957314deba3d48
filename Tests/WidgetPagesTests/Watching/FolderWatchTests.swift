import FoundationEssentials
import Glibc
import Testing
import WidgetKitCore

@testable import EngineTestSupport
@testable import WidgetPages
@testable import WidgetPlatform

struct FolderWatchTests {
  @Test("a folder reports files that were written, moved in or removed")
  func tellsOfFiles() async throws {
    let folder = try BundleFolder()
    let path = "\(folder.path)/watched"
    var names: [Set<String>] = []
    let watch = try await watch(path) { names.append($0) }
    try DurableFile.write("one".utf8, to: "\(path)/a.json")
    await eventually("news of the file that was moved in") {
      names.contains { $0.contains("a.json") }
    }
    names = []
    try FileManager.default.removeItem(atPath: "\(path)/a.json")
    await eventually("news of the file that was removed") { names == [["a.json"]] }
    withExtendedLifetime(watch) {}
  }

  @Test("a folder that is released reports nothing more and leaves no descriptor")
  func letsGo() async throws {
    let folder = try BundleFolder()
    let before = try inotifyDescriptors()
    var watch: FolderWatch? = try await watch("\(folder.path)/watched") { _ in }
    let new = try inotifyDescriptors().subtracting(before)
    #expect(new.count == 1)
    watch = nil
    _ = watch
    try await eventually("the descriptor's end") { try inotifyDescriptors().isDisjoint(with: new) }
  }

  @Test("watches that were ended are none of the kernel any more, while their descriptor is open")
  func endsWatches() async throws {
    let folder = try BundleFolder()
    let events = try FolderEvents()
    var reports = 0
    let watch = try await watch("\(folder.path)/watched") { _ in reports += 1 }
    try events.add(folder.path, UInt32(IN_CREATE), for: watch)
    #expect(try kernelWatches(of: events) == 1)
    events.end()
    #expect(try kernelWatches(of: events) == 0)
    try DurableFile.write([], to: "\(folder.path)/new")
    events.flush()
    #expect(reports == 0)
  }

  /// The watches of an instance (proc_pid_fdinfo(5)).
  private func kernelWatches(of events: FolderEvents) throws -> Int {
    let path = "/proc/self/fdinfo/\(events.watch.descriptor)"
    let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
    return lines.count { $0.hasPrefix("inotify wd:") }
  }

  @Test("thousands of changed files are reported a few times, and none is missed")
  func paces() async throws {
    let folder = try BundleFolder()
    let path = "\(folder.path)/watched"
    var names: Set<String> = []
    var count = 0
    var toldOfAll = false
    let watch = try await watch(path) {
      names.formUnion($0)
      count += 1
      toldOfAll = toldOfAll || $0.isEmpty
    }
    let start = ContinuousClock.now
    let storm = Task.detached {
      for number in 0..<20_000 { close(creat("\(path)/\(number).json", 0o600)) }
    }
    await storm.value
    try DurableFile.write([], to: "\(path)/last.json")
    await eventually("news of all") { names.contains("last.json") || toldOfAll }
    #expect(toldOfAll || names.count == 20_001)
    // Those at once, and then ten a second.
    #expect(Double(count) <= 22 + start.duration(to: .now).seconds * 10)
    withExtendedLifetime(watch) {}
  }

  /// Watches a folder as soon as there is a free inotify instance: all programs of a user share 128.
  private func watch(
    _ path: String,
    _ onChange: @escaping (Set<String>) -> Void
  ) async throws -> FolderWatch {
    var made: FolderWatch?
    await eventually("a watch for this user") {
      made = try? FolderWatch(path, onChange: onChange)
      return made != nil
    }
    return try #require(made)
  }

  @Test("a folder that cannot be watched is reported, and watched when possible")
  func triesAgain() async throws {
    let world = try EngineWorld(first: #","view":"a""#)
    let blocked = world.center.folders.reloads
    try DurableFile.write("a file where a folder should be".utf8, to: blocked)
    try world.open()
    let words = "Changes by other programs are not followed yet"
    #expect(world.center.notices.problems.contains { $0.string.contains(words) })
    try FileManager.default.removeItem(atPath: blocked)
    await eventually("another try") {
      world.pass(.seconds(61), step: .seconds(1))
      return world.center.notices.problems.isEmpty
    }
  }

  private func inotifyDescriptors() throws -> Set<String> {
    Set(try FixtureRun.descriptors(of: "self").filter { $0.value.contains("inotify") }.keys)
  }

  @Test("a path that is not a folder cannot be watched, and the error names it")
  func refusesFiles() async throws {
    let folder = try BundleFolder()
    try DurableFile.write("one".utf8, to: "\(folder.path)/file")
    var words = ""
    await eventually("an error that names the file") {
      do {
        _ = try FolderWatch("\(folder.path)/file") { _ in }
      } catch {
        words = "\(error)"
      }
      return words.contains("\(folder.path)/file")
    }
  }
}
