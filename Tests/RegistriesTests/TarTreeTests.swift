import Foundation
import Testing

@testable import EngineTestSupport
@testable import Registries
@testable import WidgetPlatform

/// Archives that no git has written.
@Suite struct TarTreeTests {
  private let folder: BundleFolder

  init() throws {
    folder = try BundleFolder()
    try FileManager.default.createDirectory(
      atPath: "\(folder.path)/tree",
      withIntermediateDirectories: true
    )
  }

  /// A header of tar, and contents filled up to whole blocks.
  private func member(
    _ name: String,
    _ contents: String = "",
    flag: Character = "0",
    mode: Int = 0o644,
    size: Int? = nil
  ) -> [UInt8] {
    var header = [UInt8](repeating: 0, count: 512)
    func put(_ text: String, _ place: Int, _ limit: Int) {
      for (index, byte) in text.utf8.prefix(limit).enumerated() { header[place + index] = byte }
    }
    func octal(_ number: Int, _ digits: Int) -> String {
      let text = String(number, radix: 8)
      return String(repeating: "0", count: max(0, digits - text.count)) + text
    }
    put(name, 0, 100)
    put(octal(mode, 7), 100, 7)
    put(octal(size ?? contents.utf8.count, 11), 124, 11)
    put("00000000000", 136, 11)
    put(String(flag), 156, 1)
    put("ustar", 257, 5)
    put("00", 263, 2)
    put("        ", 148, 8)
    let sum = header.reduce(0) { $0 + Int($1) }
    put(octal(sum, 6) + "\0 ", 148, 8)
    var bytes = header + Array(contents.utf8)
    while bytes.count % 512 != 0 { bytes.append(0) }
    return bytes
  }

  private let end = [UInt8](repeating: 0, count: 1024)

  private func unpack(_ bytes: [UInt8], _ limits: TreeLimits = TreeLimits()) throws -> String {
    let file = "\(folder.path)/archive.tar"
    try Data(bytes).write(to: URL(filePath: file))
    let opened = open(file, O_RDONLY)
    do throws(HostError) {
      try TarTree.unpack(Descriptor(opened), into: "\(folder.path)/tree", limits)
      return "unpacked"
    } catch {
      return error.description
    }
  }

  @Test func `files and folders are unpacked, and only executability is kept`() throws {
    let long = String(repeating: "n", count: 120)
    let record = "path=a/\(long)\n"
    let length = record.utf8.count + 4
    let bytes =
      member("pax", "52 comment=1234567890123456789012345678901234567890\n", flag: "g")
      + member("a/", flag: "5", mode: 0o777) + member("a/run", "#!/bin/sh\n", mode: 0o775)
      + member("x", "\(length) \(record)", flag: "x") + member("cut", "long") + end
    #expect(try unpack(bytes) == "unpacked")
    #expect(try String(contentsOfFile: "\(folder.path)/tree/a/\(long)", encoding: .utf8) == "long")
    var status = stat()
    #expect(stat("\(folder.path)/tree/a/run", &status) == 0 && status.st_mode & 0o7777 == 0o755)
  }

  @Test(arguments: [
    ("2", "it is a link"), ("1", "it has a hard link"), ("3", "it is a device"),
    ("4", "it is a device"), ("6", "it is a pipe"), ("L", "it is neither a file nor a folder"),
  ])
  func `what is neither a file nor a folder is refused`(flag: Character, words: String) throws {
    #expect(try unpack(member("a/x", flag: flag) + end) == "“a/x”: \(words)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: "\(folder.path)/tree") == [])
  }

  @Test(arguments: [
    ("../x", "its name leads elsewhere"), ("a/../../x", "its name leads elsewhere"),
    ("a//x", "its name leads elsewhere"), ("./x", "its name leads elsewhere"),
    ("/etc/x", "its name is absolute"), ("a/.git/config", "its name is one that git uses"),
    ("a/.GIT/config", "its name is one that git uses"),
  ])
  func `names that lead elsewhere are refused`(name: String, words: String) throws {
    #expect(try unpack(member(name, "x") + end) == "“\(name)”: \(words)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: "\(folder.path)/tree") == [])
  }

  @Test func `control characters, setuid, and files that are there twice are refused`() throws {
    #expect(
      try unpack(member("a\u{1B}[2J", "x") + end).hasSuffix("its name has control characters")
    )
    #expect(try unpack(member("a\nb", "x") + end).hasSuffix("its name has control characters"))
    #expect(
      try unpack(member("a\u{202E}b", "x") + end).hasSuffix("its name has control characters")
    )
    #expect(try unpack(member("s", "x", mode: 0o4755) + end).hasSuffix("(setuid)"))
    #expect(try unpack(member("a", "1") + member("a", "2") + end) == "“a”: it occurs twice")
    #expect(try unpack(member("a/b", "1") + end) == "“a/b”: the folder a: not a folder")
  }

  @Test func `archives past the limits, cut off or damaged are refused`() throws {
    var limits = TreeLimits()
    limits.bytes = 1 << 20
    limits.entries = 3
    limits.depth = 4
    #expect(try unpack(member("a", size: 1 << 30) + end, limits) == "it has more than 1 MiB")
    let many = (0..<5).flatMap { member("f\($0)", "x") }
    #expect(try unpack(many + end, limits) == "it has more than 3 files")
    #expect(try unpack(member("a/b/c/d/e", "x") + end, limits).contains("more than 4 folders deep"))
    #expect(try unpack(Array(member("z", "x").prefix(600)), limits) != "unpacked")
    #expect(try unpack(member("y", "x"), limits) == "the archive is cut off")
    var damaged = member("w", "x")
    damaged[0] = 0x78
    #expect(try unpack(damaged + end, limits) == "the archive is damaged")
    #expect(try unpack([], limits) == "the archive is cut off")
    #expect(try unpack(member("x", "99999 path=a\n", flag: "x") + end) == "the archive is damaged")
  }
}
