import FoundationEssentials
import Glibc
import Testing
import WidgetKitCore
import WidgetTestSupport

@testable import WidgetExtensions
@testable import WidgetPlatform

@Suite struct CoordinatedFileTests {
  private let world: TestWorld
  private let folders: StateFolders
  private let container: String

  init() throws {
    world = try TestWorld()
    folders = StateFolders(environment: world.environment())
    container = folders.group("group.a")
    StateFolders.make(container)
  }

  private func file(
    _ path: String,
    groups: [String] = ["group.a"]
  ) throws(CoordinatedFile.Refusal) -> CoordinatedFile {
    try CoordinatedFile(path, groups: groups, folders: folders)
  }

  @Test func `a file is the same by every path, also before it exists`() throws {
    let plain = try file("\(container)/notes")
    #expect(try file("\(container)/../group.a/./notes") == plain)
    try world.write("", to: "\(container)/notes")
    #expect(try file("\(container)/notes") == plain)
    let link = "\(container)/link"
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "notes")
    #expect(try file(link) == plain)
    #expect(try file("\(container)/other") != plain)
    #expect(plain.description == "\(container)/notes")
  }

  @Test func `the folder of a group is made when it is first needed`() throws {
    let path = folders.group("group.b") + "/notes"
    #expect(try file(path, groups: ["group.b"]).description == path)
  }

  @Test(arguments: [
    ("", "expected an absolute path"), ("notes", "expected an absolute path"),
    ("$/a\u{0}b", "expected an absolute path"), ("$/pipe", "it is a pipe"),
    ("$/none/notes", "its folder does not exist"), ("$/..", "expected a file in the folder"),
    ("$/none/..", "its folder does not exist"), ("$", "expected a file in the folder"),
    ("$/notes/", "its folder does not exist"), ("$/.today/coordinated", "reserved"),
    ("$/out", "expected a file in the folder"), ("/etc/passwd", "expected a file in the folder"),
    ("$/" + String(repeating: "x", count: 300), "File name too long"),
  ])
  func `anything else is refused, with its name and the reason`(path: String, words: String) throws
  {
    #expect(mkfifo("\(container)/pipe", 0o600) == 0)
    try FileManager.default.createSymbolicLink(
      atPath: "\(container)/out",
      withDestinationPath: world.path
    )
    let name = path.replacing("$", with: container)
    let refusal = #expect(throws: CoordinatedFile.Refusal.self) { try file(name) }
    let text = "\(try #require(refusal))"
    #expect(text.contains(words), "\(text)")
    #expect(throws: CoordinatedFile.Refusal.self) { try file(name, groups: []) }
  }

  // MARK: - Locks

  private func lock(_ intent: CoordinationIntent, _ name: String = "notes") throws
    -> CoordinationLock
  {
    try CoordinationLock(try file("\(container)/\(name)"), for: intent)
  }

  @Test func `readers have access together, and a writer alone`() throws {
    var first: CoordinationLock? = try lock(.read)
    var second: CoordinationLock? = try lock(.read)
    let writer = try lock(.write)
    #expect(try first?.attempt() == true)
    #expect(try second?.attempt() == true)
    #expect(try !writer.attempt())
    first = nil
    #expect(try !writer.attempt())
    second = nil
    #expect(try writer.attempt())
    #expect(try !lock(.read).attempt())
    #expect(try !lock(.write).attempt())
    #expect(try lock(.write, "other").attempt())
    withExtendedLifetime((writer, first, second)) {}
  }

  @Test func `a writer that waits goes before readers that come later`() throws {
    var reader: CoordinationLock? = try lock(.read)
    #expect(try reader?.attempt() == true)
    var writer: CoordinationLock? = try lock(.write)
    #expect(try writer?.attempt() == false)
    let later = try lock(.read)
    #expect(try !later.attempt())
    reader = nil
    #expect(try !later.attempt())
    #expect(try writer?.attempt() == true)
    writer = nil
    #expect(try later.attempt())
    withExtendedLifetime(reader) {}
  }

  @Test func `a writer that gives up does not keep readers out`() throws {
    let reader = try lock(.read)
    #expect(try reader.attempt())
    var writer: CoordinationLock? = try lock(.write)
    let error = #expect(throws: HostError.self) { try writer?.take(patience: .milliseconds(3)) }
    #expect(error?.code == .busy)
    #expect(
      error?.description
        == "\(container)/notes: another program is reading or writing it, and has not ended within "
        + "0 s; try again"
    )
    writer = nil
    #expect(try lock(.read).attempt())
    withExtendedLifetime(reader) {}
  }

  @Test(arguments: ["link", "folder"])
  func `something else in place of the locks is named, never opened`(kind: String) throws {
    let path = "\(container)/.today/coordinated"
    StateFolders.make("\(container)/.today")
    if kind == "link" {
      try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "/dev/null")
    } else {
      StateFolders.make(path)
    }
    let error = #expect(throws: HostError.self) { try lock(.read) }
    #expect(error?.description.contains("it is a \(kind)") == true)
  }
}
