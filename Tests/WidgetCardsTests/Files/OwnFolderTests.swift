import FoundationEssentials
import Glibc
import Testing
import WidgetKitCore

@testable import EngineTestSupport
@testable import WidgetCards
@testable import WidgetExtensions
@testable import WidgetPlatform

/// Files below the XDG folders, where other programs can put anything.
@Suite(.timeLimit(.minutes(5))) struct OwnFolderTests {
  private let folder: BundleFolder
  /// A file that does not belong to the program.
  private let stranger: String
  private let base: String
  private let path: String

  init() throws {
    folder = try BundleFolder()
    stranger = "\(folder.path)/stranger"
    base = "\(folder.path)/state/today"
    path = "\(base)/schedule/file.json"
    try Data("mine".utf8).write(to: URL(filePath: stranger))
    #expect(StateFolders.make("\(base)/schedule"))
  }

  private func expectStrangerIsWhole() throws {
    #expect(try String(contentsOf: URL(filePath: stranger), encoding: .utf8) == "mine")
  }

  @Test(arguments: OddFile.allCases)
  func `a foreign file is not read, and is reported`(odd: OddFile) throws {
    guard try odd.make(at: path, stranger: stranger) else { return }
    guard case .odd(let words) = DurableFile.contents(path, byteLimit: 100) else {
      Issue.record("it was read, or not seen")
      return
    }
    #expect(words.hasPrefix("it "))
    #expect(DurableFile.tail(path, byteLimit: 100).isEmpty)
    #expect(DurableFile.isAbsent(path))
    guard case .unavailable = RefreshLock.attempt(path) else {
      Issue.record("it was locked")
      return
    }
    try expectStrangerIsWhole()
  }

  @Test(arguments: OddFile.allCases)
  func `writing replaces a foreign file, and changes nothing elsewhere`(odd: OddFile) throws {
    guard try odd.make(at: path, stranger: stranger) else { return }
    if odd == .folder {
      #expect(throws: HostError.self) { try DurableFile.write("new".utf8, to: path) }
    } else {
      try DurableFile.write("new".utf8, to: path)
      #expect(DurableFile.read(path, byteLimit: 3).map { $0 == Array("new".utf8) } == true)
    }
    try expectStrangerIsWhole()
    let names = try FileManager.default.contentsOfDirectory(atPath: "\(base)/schedule")
    #expect(names == ["file.json"])
  }

  @Test(arguments: OddFile.allCases)
  func `a log is not written through a link`(odd: OddFile) throws {
    let path = "\(base)/logs/a.log"
    #expect(StateFolders.make("\(base)/logs"))
    guard try odd.make(at: path, stranger: stranger) else { return }
    WidgetLog(path: path, clock: SystemClock()).write("a line")
    try expectStrangerIsWhole()
  }

  @Test func `a link in place of a folder is not followed`() throws {
    let elsewhere = "\(folder.path)/elsewhere"
    try FileManager.default.createDirectory(
      atPath: "\(elsewhere)/com.example.A",
      withIntermediateDirectories: true
    )
    let victim = "\(elsewhere)/com.example.A/victim.json"
    try Data("mine".utf8).write(to: URL(filePath: victim))
    for name in ["snapshots", "no-content", "schedule", "pages", "logs"] {
      rmdir("\(base)/\(name)")
      #expect(symlink("\(elsewhere)/com.example.A", "\(base)/\(name)") == 0)
      #expect(!StateFolders.make("\(base)/\(name)/below"))
      #expect(DurableFile.read("\(base)/\(name)/victim.json", byteLimit: 100) == nil)
      #expect(!DurableFile.remove("\(base)/\(name)/victim.json"))
      let error = #expect(throws: HostError.self) {
        try DurableFile.write("new".utf8, to: "\(base)/\(name)/victim.json")
      }
      #expect(error?.description.contains("\(base)/\(name): it is a link") == true)
      #expect(throws: HostError.self) { _ = try FolderWatch("\(base)/\(name)") { _ in } }
    }
    SnapshotFolder.remove("\(base)/snapshots/com.example.A")
    SnapshotFolder.remove("\(base)/snapshots")
    SnapshotFolder.removeStrays(below: "\(base)/snapshots")
    #expect(try String(contentsOf: URL(filePath: victim), encoding: .utf8) == "mine")
  }

  @Test func `links above the folder of the program are followed`() throws {
    let elsewhere = "\(folder.path)/elsewhere"
    try FileManager.default.createDirectory(atPath: elsewhere, withIntermediateDirectories: true)
    for (number, place) in ["base", "base2/today"].enumerated() {
      let link = "\(folder.path)/\(place)"
      try? FileManager.default.createDirectory(
        atPath: "\(folder.path)/base2",
        withIntermediateDirectories: true
      )
      #expect(symlink(elsewhere, link) == 0)
      let path = place.hasSuffix("today") ? "\(link)/a/\(number)" : "\(link)/today/a/\(number)"
      try DurableFile.write("new".utf8, to: path)
      #expect(DurableFile.read(path, byteLimit: 3) != nil)
    }
    #expect(FileManager.default.fileExists(atPath: "\(elsewhere)/today/a/0"))
    #expect(FileManager.default.fileExists(atPath: "\(elsewhere)/a/1"))
  }

  @Test(arguments: ["", "/schedule"])
  func `a folder that every user can write to is refused`(part: String) throws {
    try DurableFile.write("old".utf8, to: path)
    chmod(base + part, 0o777)
    guard case .odd(let words) = DurableFile.contents(path, byteLimit: 100) else {
      Issue.record("it was read")
      return
    }
    #expect(words.contains("\(base)\(part)") && words.contains("chmod o-w"))
    #expect(throws: HostError.self) { try DurableFile.write("new".utf8, to: path) }
    chmod(base + part, 0o775)
    #expect(DurableFile.read(path, byteLimit: 3) != nil)
  }

  @Test(
    .enabled(if: geteuid() == 0, "only root can give a file away"),
    arguments: ["", "/schedule"]
  )
  func `a folder of another user is refused`(part: String) throws {
    try DurableFile.write("old".utf8, to: path)
    #expect(chown(base + part, 65_534, 65_534) == 0)
    guard case .odd(let words) = DurableFile.contents(path, byteLimit: 100) else {
      Issue.record("it was read")
      return
    }
    #expect(words.contains("another user"))
    #expect(throws: HostError.self) { try DurableFile.write("new".utf8, to: path) }
  }

  @Test(.enabled(if: geteuid() == 0, "only root can give a file away"))
  func `a file of another user is not read, and replaced by writing`() throws {
    try DurableFile.write("old".utf8, to: path)
    #expect(chown(path, 65_534, 65_534) == 0)
    #expect(DurableFile.read(path, byteLimit: 100) == nil)
    try DurableFile.write("new".utf8, to: path)
    #expect(DurableFile.read(path, byteLimit: 100) != nil)
  }

  @Test func `a name that is too long is an error, the longest name works`() throws {
    let longest = "\(base)/schedule/" + String(repeating: "a", count: 255)
    try DurableFile.write("new".utf8, to: longest)
    #expect(DurableFile.read(longest, byteLimit: 3) != nil)
    let error = #expect(throws: HostError.self) {
      try DurableFile.write("new".utf8, to: longest + "a")
    }
    #expect(error?.description.contains(HostError.text(of: ENAMETOOLONG)) == true)
  }

  @Test(arguments: ["..", ".", "", "a/b", "a\u{0}b"])
  func `a name never leads out of its folder`(name: String) throws {
    let open = try OwnFolder.open("\(base)/schedule")
    #expect(throws: FileFault.self) { _ = try open.file(name, O_RDWR | O_CREAT) }
    #expect(throws: FileFault.self) { _ = try open.folder(name, makes: true) }
    #expect(throws: FileFault.self) { try open.replace(name, with: [], waitsForDisk: false) }
    #expect(open.status(name) == nil)
    #expect(!open.remove(name) && !open.removeFolder(name))
    open.removeTree(name)
    #expect(FileManager.default.fileExists(atPath: "\(base)/schedule"))
    #expect(throws: FileFault.self) { _ = try OwnFolder.open("\(base)/schedule/../../..") }
  }

  @Test func `a tree of any depth is removed, without following links`() throws {
    let tree = "\(base)/tree"
    #expect(StateFolders.make(tree))
    #expect(symlink(folder.path, "\(tree)/link") == 0)
    #expect(link(stranger, "\(tree)/hard") == 0)
    // Deeper than the longest path, and than a process may have files open.
    let start = open(".", O_RDONLY)
    defer {
      fchdir(start)
      close(start)
    }
    #expect(chdir(tree) == 0)
    for _ in 0..<3_000 {
      #expect(mkdir("d", 0o700) == 0 && chdir("d") == 0)
    }
    #expect(mkfifo("pipe", 0o600) == 0)
    mkdir("closed", 0o700)
    mkdir("closed/inner", 0o700)
    chmod("closed", 0)
    try OwnFolder.open(base).removeTree("tree")
    #expect(!FileManager.default.fileExists(atPath: tree))
    try expectStrangerIsWhole()
  }
}
