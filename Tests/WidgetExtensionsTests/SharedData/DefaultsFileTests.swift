import FoundationEssentials
import Glibc
import Testing
import WidgetKitCore
import WidgetTestSupport

@testable import WidgetExtensions
@testable import WidgetPlatform

@Suite(.timeLimit(.minutes(5))) struct DefaultsFileTests {
  private let world: TestWorld
  private let container: String
  private let file: DefaultsFile

  init() throws {
    world = try TestWorld()
    container = "\(world.path)/data/today/groups/group.a"
    file = DefaultsFile(container: container, suite: "group.a")
  }

  private var path: String { "\(file.folder)/\(file.name)" }

  @Test func `values of every kind are read as they were written, and null removes one`() throws {
    #expect(try file.read().isEmpty)
    let values: [String: DefaultsValue] = [
      "a": true, "b": -7, "c": 1.5, "d": "\n“ä”\u{0}", "e": .array([1, "x", false]),
      "f": .object(["g": .object([:])]), " ": "",
    ]
    try file.write(values)
    #expect(try file.read() == values)
    try file.write(["a": nil, "b": 8, "z": nil])
    #expect(try file.read()["a"] == nil && file.read()["b"] == 8 && file.read().count == 6)
  }

  @Test func `a suite is independent of the others, also in one container`() throws {
    let other = DefaultsFile(container: container, suite: "com.example.a")
    try file.write(["key": 1])
    #expect(try other.read().isEmpty)
    try other.write(["key": 2])
    #expect(try file.read() == ["key": 1])
  }

  @Test func `the file stays short however often a value is set`() throws {
    let text = DefaultsValue.string(String(repeating: "x", count: 1_000))
    for number in 0..<1_000 {
      try file.write(["number": .integer(number), "text": text], waitsForDisk: false)
    }
    let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int
    #expect(try #require(size) < 80_000)
    #expect(try file.read() == ["number": 999, "text": text])
  }

  @Test func `a part of a line that a killed writer left does not count`() throws {
    try file.write(["a": 1])
    try file.write(["b": 2])
    let whole = try Data(contentsOf: URL(filePath: path))
    for count in [1, 5, 20] {
      try whole.dropLast(count).write(to: URL(filePath: path))
      #expect(try file.read() == ["a": 1])
      try file.write(["c": 3])
      #expect(try file.read() == ["a": 1, "c": 3])
    }
    try Data("garbage\n\n0000000000000000 {}\n".utf8).write(to: URL(filePath: path))
    #expect(try file.read().isEmpty)
    try file.write(["d": 4])
    #expect(try file.read() == ["d": 4])
  }

  @Test(arguments: ["", String(repeating: "k", count: 257), "a\nb", "\u{1B}[m"])
  func `a key that cannot be one is refused`(key: String) {
    #expect(throws: HostError.self) { try file.write([key: 1]) }
  }

  @Test func `more than a suite may hold is refused, and what it has stays`() throws {
    let text = DefaultsValue.string(String(repeating: "x", count: 300_000))
    for key in ["a", "b", "c"] { try file.write([key: text], waitsForDisk: false) }
    let error = #expect(throws: HostError.self) { try file.write(["d": text]) }
    #expect(error?.code == .tooLarge)
    #expect(try file.read().keys.sorted() == ["a", "b", "c"])
    #expect(throws: HostError.self) { try file.write(["d": .number(.infinity)]) }
    try file.write(["a": nil, "b": nil, "c": 1])
    #expect(try file.read() == ["c": 1])
  }

  @Test(arguments: ["link", "pipe", "folder"])
  func `something else in place of the file is named, never opened`(kind: String) throws {
    try FileManager.default.createDirectory(
      atPath: file.folder,
      withIntermediateDirectories: true
    )
    switch kind {
    case "link":
      try FileManager.default.createSymbolicLink(
        atPath: path,
        withDestinationPath: "\(world.path)/home/precious"
      )
    case "pipe": #expect(mkfifo(path, 0o600) == 0)
    default:
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    }
    let error = #expect(throws: HostError.self) { try file.read() }
    #expect(error?.description.contains(kind) == true)
    #expect(throws: HostError.self) { try file.write(["a": 1]) }
  }

  @Test func `two writers that are killed at any point and a reader lose and tear nothing`() throws
  {
    let run = try ProgramRun(
      ProgramDescription(BuiltTool.path("SnapshotTorture"), ["defaults", container, "10000", "7"]),
      patience: 50
    )
    #expect(run.status == .exited(code: 0), "\(run.outputText)\(run.errorText)")
    let words = run.outputText.split { !$0.isNumber }.compactMap { Int($0) }
    try #require(words.count == 3, "\(run.outputText)")
    let (values, kills, readings) = (words[0], words[1], words[2])
    #expect(values >= 20_000 && kills > 20 && readings > kills)
    #expect(try file.read().count == 200)
  }
}
