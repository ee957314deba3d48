import Foundation
import Glibc
import Testing

@testable import WidgetTUI

/// Files in a folder to which others may write too.
@Suite struct FolderWriterTests {
  private let folder: String

  init() throws {
    folder = "/tmp/today-publish-\(UInt64.random(in: 0 ... .max))"
  }

  private func write(
    _ files: [String: String],
    of page: String = "Home",
    agreed: Bool = false
  ) throws(PublishFault) {
    try FolderWriter(folder).write(
      files.sorted { $0.key < $1.key }.map { (name: $0.key, bytes: Array($0.value.utf8)) },
      of: page,
      besideOthers: agreed
    )
  }

  private func text(_ name: String) -> String? {
    try? String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)
  }

  private func identity(_ name: String) -> [Int] {
    var status = stat()
    guard lstat("\(folder)/\(name)", &status) == 0 else { return [] }
    return [Int(status.st_ino), status.st_mtim.tv_sec, status.st_mtim.tv_nsec]
  }

  private func fault(_ files: [String: String], of page: String = "Home") -> PublishFault? {
    do throws(PublishFault) {
      try write(files, of: page)
      return nil
    } catch {
      return error
    }
  }

  private func remove() { try? FileManager.default.removeItem(atPath: folder) }

  @Test func `what a list names that no page has is never removed`() throws {
    defer { remove() }
    try write(["index.html": "one"])
    try Data("mine".utf8).write(to: URL(filePath: "\(folder)/precious.txt"))
    let marker =
      #"{"page":"Home","files":{"index.html":"","precious.txt":"","../x":"","a\n5 b":"","card-x.svg":""}}"#
    try Data(marker.utf8).write(to: URL(filePath: "\(folder)/\(PublishMarker.name)"))
    #expect(PublishMarker(Array(marker.utf8))?.files.keys.sorted() == ["card-x.svg", "index.html"])
    try write(["index.html": "two"])
    #expect(text("precious.txt") == "mine" && text("index.html") == "two")
  }

  @Test func `only what has changed is written, for everybody to read`() throws {
    defer { remove() }
    try write(["index.html": "one", "page.svg": "picture"])
    let before = ["index.html", "page.svg", PublishMarker.name].map(identity)
    try write(["index.html": "one", "page.svg": "picture"])
    #expect(["index.html", "page.svg", PublishMarker.name].map(identity) == before)
    try write(["index.html": "two", "page.svg": "picture"])
    #expect(text("index.html") == "two")
    #expect(identity("index.html") != before[0] && identity("page.svg") == before[1])
    var status = stat()
    #expect(stat("\(folder)/index.html", &status) == 0 && status.st_mode & 0o777 == 0o644)
    #expect(stat(folder, &status) == 0 && status.st_mode & 0o005 == 0o005)
    // What somebody has changed or removed is there again.
    try "foreign".write(toFile: "\(folder)/index.html", atomically: false, encoding: .utf8)
    unlink("\(folder)/page.svg")
    try write(["index.html": "two", "page.svg": "picture"])
    #expect(text("index.html") == "two" && text("page.svg") == "picture")
  }

  @Test func `the picture of a card that is published no longer is removed, and nothing else`()
    throws
  {
    defer { remove() }
    try write(["index.html": "x", "card-a.svg": "a"])
    try "mine".write(toFile: "\(folder)/notes.txt", atomically: false, encoding: .utf8)
    try "mine".write(toFile: "\(folder)/draft.tmp", atomically: false, encoding: .utf8)
    try write(["index.html": "x"])
    #expect(text("card-a.svg") == nil)
    #expect(text("notes.txt") == "mine" && text("draft.tmp") == "mine")
  }

  @Test func `a folder of others is refused without agreement, and written with it`() throws {
    defer { remove() }
    mkdir(folder, 0o755)
    try "mine".write(toFile: "\(folder)/notes.txt", atomically: false, encoding: .utf8)
    let found = try #require(fault(["index.html": "x"]))
    #expect(found.isFinal && found.words.contains("notes.txt") && found.words.contains("--yes"))
    #expect(text("index.html") == nil && text(PublishMarker.name) == nil)
    try write(["index.html": "x"], agreed: true)
    #expect(text("index.html") == "x" && text("notes.txt") == "mine")
    // It is ours from now on; a file of others with the name of a new one is not.
    try "mine".write(toFile: "\(folder)/card-a.svg", atomically: false, encoding: .utf8)
    #expect(
      fault(["index.html": "x", "card-a.svg": "a"])?.words.contains("card-a.svg") == true
    )
    #expect(text("card-a.svg") == "mine")
  }

  @Test func `the page of a folder is replaced by no other one without agreement`() throws {
    defer { remove() }
    try write(["index.html": "home", "card-a.svg": "a"])
    let found = try #require(fault(["index.html": "work"], of: "Work"))
    #expect(found.isFinal && found.code == .refused)
    #expect(found.words.contains("has the page “Home”") && found.words.contains("--yes"))
    #expect(text("index.html") == "home" && text("card-a.svg") == "a")
    #expect(fault(["index.html": "home 2", "card-a.svg": "a"], of: "home") == nil)
    try write(["index.html": "work"], of: "Work", agreed: true)
    #expect(text("index.html") == "work" && text("card-a.svg") == nil)
    #expect(fault(["index.html": "home"]) != nil)
  }

  @Test func `a folder that it makes can be entered by a server, whatever the umask`() throws {
    defer { remove() }
    let before = umask(0o077)
    defer { _ = umask(before) }
    try FolderWriter("\(folder)/a/b").write([], of: "Home", besideOthers: false)
    for path in [folder, "\(folder)/a", "\(folder)/a/b"] {
      var status = stat()
      #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o755, "\(path)")
    }
  }

  @Test func `links and pipes in the places of files are replaced, and never followed`() throws {
    defer { remove() }
    try write(["index.html": "x", "page.svg": "p"])
    let other = folder + "-other"
    try "mine".write(toFile: other, atomically: false, encoding: .utf8)
    defer { unlink(other) }
    unlink("\(folder)/index.html")
    unlink("\(folder)/page.svg")
    #expect(symlink(other, "\(folder)/index.html") == 0 && mkfifo("\(folder)/page.svg", 0o600) == 0)
    try write(["index.html": "y", "page.svg": "p"])
    #expect(text("index.html") == "y" && text("page.svg") == "p")
    #expect(try String(contentsOfFile: other, encoding: .utf8) == "mine")
    // A folder is not removed.
    unlink("\(folder)/index.html")
    mkdir("\(folder)/index.html", 0o755)
    #expect(fault(["index.html": "z", "page.svg": "p"])?.words.contains("index.html") == true)
  }

  @Test func `a marker that is a link, a pipe or damaged is refused with words`() throws {
    let marker = "\(folder)/\(PublishMarker.name)"
    for make in [
      { symlink("/etc/passwd", marker) == 0 }, { mkfifo(marker, 0o600) == 0 },
      { FileManager.default.createFile(atPath: marker, contents: Data("[]".utf8)) },
    ] {
      mkdir(folder, 0o755)
      defer { remove() }
      #expect(make())
      let found = try #require(fault(["index.html": "x"]))
      #expect(found.isFinal && found.words.contains(PublishMarker.name), "\(found.words)")
      #expect(text("index.html") == nil)
    }
  }

  @Test func `what a program has left that was killed is removed`() throws {
    defer { remove() }
    try write(["index.html": "x"])
    // No process has this number.
    try "half".write(
      toFile: "\(folder)/.today-publish-4194999-1.tmp",
      atomically: false,
      encoding: .utf8
    )
    try write(["index.html": "x"])
    #expect(text(".today-publish-4194999-1.tmp") == nil)
  }

  @Test func `a folder that cannot be made is named`() {
    let fault: PublishFault?
    do throws(PublishFault) {
      try FolderWriter("/proc/nobody/www").write([], of: "Home", besideOthers: false)
      fault = nil
    } catch {
      fault = error
    }
    #expect(fault?.words.hasPrefix("/proc/nobody/www: ") == true && fault?.isFinal == false)
  }
}
