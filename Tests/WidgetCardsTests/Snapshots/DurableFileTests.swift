import FoundationEssentials
import Glibc
import Testing
import WidgetKitCore

@testable import EngineTestSupport
@testable import WidgetPlatform

@Suite struct DurableFileTests {
  private let folder: BundleFolder

  init() throws {
    folder = try BundleFolder()
  }

  private var path: String { "\(folder.path)/state/file.json" }

  private func text() -> String? {
    DurableFile.read(path, byteLimit: 1 << 20).map { String(decoding: $0, as: UTF8.self) }
  }

  @Test func `a file is written with its folder, for its owner only`() throws {
    try DurableFile.write("new".utf8, to: path)
    #expect(text() == "new")
    let file = try FileManager.default.attributesOfItem(atPath: path)
    let parent = try FileManager.default.attributesOfItem(atPath: "\(folder.path)/state")
    #expect(file[.posixPermissions] as? Int == 0o600)
    #expect(parent[.posixPermissions] as? Int == 0o700)
  }

  @Test func `a file that was readable by all users no longer is`() throws {
    try DurableFile.write("old".utf8, to: path)
    chmod(path, 0o644)
    try DurableFile.write("new".utf8, to: path)
    let file = try FileManager.default.attributesOfItem(atPath: path)
    #expect(file[.posixPermissions] as? Int == 0o600)
  }

  @Test func `no other file is left in the folder`() throws {
    for number in 0..<5 { try DurableFile.write("\(number)".utf8, to: path) }
    let names = try FileManager.default.contentsOfDirectory(atPath: "\(folder.path)/state")
    #expect(names == ["file.json"])
  }

  @Test func `a concurrent reader sees the old file or the new one, never a part`() async throws {
    let path = path
    let texts = (0..<2).map { [UInt8](repeating: UInt8(ascii: "a") + UInt8($0), count: 200_000) }
    try DurableFile.write(texts[0], to: path)
    let writer = Task.detached {
      for number in 0..<50 { try DurableFile.write(texts[number % 2], to: path) }
    }
    for _ in 0..<200 {
      let seen = DurableFile.read(path, byteLimit: 1 << 20)
      #expect(texts.contains { $0 == seen })
    }
    try await writer.value
  }

  @Test func `a write that fails leaves the old file and no other`() throws {
    try DurableFile.write("old".utf8, to: path)
    let error = #expect(throws: HostError.self) {
      try DurableFile.write("new".utf8, to: "\(folder.path)/state/file.json/below")
    }
    #expect(error?.code == .file)
    #expect(error?.description.contains("file.json/below") == true)
    #expect(text() == "old")
  }

  @Test func `a link in its place is replaced, and its target is unchanged`() throws {
    let target = "\(folder.path)/target"
    try Data("mine".utf8).write(to: URL(filePath: target))
    try DurableFile.write("old".utf8, to: path)
    try FileManager.default.removeItem(atPath: path)
    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: target)
    #expect(text() == nil)
    try DurableFile.write("new".utf8, to: path)
    #expect(text() == "new")
    #expect(try String(decoding: Data(contentsOf: URL(filePath: target)), as: UTF8.self) == "mine")
  }

  @Test func `only regular files up to the limit are read`() throws {
    try DurableFile.write("12345678".utf8, to: path)
    #expect(DurableFile.read(path, byteLimit: 8)?.count == 8)
    #expect(DurableFile.read(path, byteLimit: 7) == nil)
    #expect(DurableFile.read("\(path).none", byteLimit: 8) == nil)
    #expect(DurableFile.read("\(folder.path)/state", byteLimit: 1 << 20) == nil)
    let pipe = "\(folder.path)/pipe"
    #expect(mkfifo(pipe, 0o600) == 0)
    #expect(DurableFile.read(pipe, byteLimit: 8) == nil)
  }

  @Test func `an empty file is a file`() throws {
    try DurableFile.write([], to: path)
    #expect(text()?.isEmpty == true)
  }
}
