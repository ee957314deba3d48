import FoundationEssentials
import Testing

@testable import WidgetHost

struct FolderWatchTests {
  @Test("A folder tells of files that are whole: written, moved in, removed")
  func tellsOfFiles() async throws {
    let folder = try BundleFolder()
    let path = "\(folder.path)/watched"
    var names: [Set<String>] = []
    let watch = try FolderWatch(path) { names.append($0) }
    try DurableFile.write("one".utf8, to: "\(path)/a.json")
    await eventually("news of the file that was moved in") {
      names.contains { $0.contains("a.json") }
    }
    names = []
    try FileManager.default.removeItem(atPath: "\(path)/a.json")
    await eventually("news of the file that was removed") { names == [["a.json"]] }
    withExtendedLifetime(watch) {}
  }

  @Test("A folder that is let go of tells nothing more and leaves no descriptor")
  func letsGo() async throws {
    let folder = try BundleFolder()
    let before = try inotifyDescriptors()
    var watch: FolderWatch? = try FolderWatch("\(folder.path)/watched") { _ in }
    let new = try inotifyDescriptors().subtracting(before)
    #expect(new.count == 1)
    watch = nil
    _ = watch
    try await eventually("the descriptor's end") { try inotifyDescriptors().isDisjoint(with: new) }
  }

  private func inotifyDescriptors() throws -> Set<String> {
    Set(try ChildRun.descriptors(of: "self").filter { $0.value.contains("inotify") }.keys)
  }

  @Test("A path that is no folder cannot be watched, and the error names it")
  func refusesFiles() throws {
    let folder = try BundleFolder()
    try DurableFile.write("one".utf8, to: "\(folder.path)/file")
    #expect {
      _ = try FolderWatch("\(folder.path)/file") { _ in }
    } throws: {
      "\($0)".contains("\(folder.path)/file")
    }
  }
}
