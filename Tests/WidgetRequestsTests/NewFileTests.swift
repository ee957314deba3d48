import FoundationEssentials
import Glibc
import Testing
import WidgetPlatform

@testable import WidgetRequests

@Suite struct NewFileTests {
  private let folder = "/tmp/today-new-file-\(UInt64.random(in: 0 ... .max))"

  private func spool(_ text: String) throws -> RequestSpool {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let spool = try RequestSpool(in: folder)
    try spool.append(Array(text.utf8))
    return spool
  }

  @Test func `a file that is there is kept, and a new one is whole and has the mode of the user`()
    throws
  {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let path = "\(folder)/a.txt"
    #expect(try OutputFile.writeNew(spool("one"), to: path))
    var status = stat()
    #expect(unsafe stat(path, &status) == 0)
    let mask = umask(0o077)
    umask(mask)
    #expect(status.st_mode & 0o777 == 0o666 & ~mask)
    #expect(try !OutputFile.writeNew(spool("two"), to: path))
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "one")
    #expect(unsafe symlink("/nowhere", "\(folder)/link") == 0)
    #expect(try !OutputFile.writeNew(spool("two"), to: "\(folder)/link"))
    #expect(throws: HostError.self) {
      try OutputFile.writeNew(spool("two"), to: "\(folder)/missing/a.txt")
    }
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder).sorted() == ["a.txt", "link"]
    )
  }
}
