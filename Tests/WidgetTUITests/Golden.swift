import Glibc
import Testing

@testable import WidgetTUI

/// Compares a picture with the recorded golden file.
nonisolated enum Golden {
  /// Compares `picture` with `Goldens/<name>`; with RECORD=1 writes the file, and the test fails.
  static func expect(
    _ picture: String,
    matches name: String,
    _ location: SourceLocation = #_sourceLocation
  ) {
    let folder = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast()
    let path = folder.joined(separator: "/") + "/Goldens/" + name
    if environment("RECORD") == "1" {
      write(picture, to: path)
      Issue.record("recorded \(name)", sourceLocation: location)
      return
    }
    guard let recorded = read(path) else {
      Issue.record("there is no \(name); RECORD=1 makes it", sourceLocation: location)
      return
    }
    guard recorded != picture else { return }
    Issue.record(
      "\(name) is different\n\(difference(from: recorded, to: picture))",
      sourceLocation: location
    )
  }

  /// The lines that differ, with their numbers.
  private static func difference(from old: String, to new: String) -> String {
    let before = old.split(separator: "\n", omittingEmptySubsequences: false)
    let after = new.split(separator: "\n", omittingEmptySubsequences: false)
    return (0..<max(before.count, after.count)).compactMap { index in
      let was = index < before.count ? before[index] : ""
      let now = index < after.count ? after[index] : ""
      return was == now ? nil : "@@ \(index + 1) @@\n-\(was)\n+\(now)"
    }.joined(separator: "\n")
  }

  private static func environment(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }
  }

  private static func read(_ path: String) -> String? {
    guard let file = fopen(path, "r") else { return nil }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = fread(&buffer, 1, buffer.count, file)
      guard count > 0 else { return String(decoding: bytes, as: UTF8.self) }
      bytes += buffer[..<count]
    }
  }

  private static func write(_ text: String, to path: String) {
    guard let file = fopen(path, "w") else {
      Issue.record("cannot write \(path)")
      return
    }
    let bytes = Array(text.utf8)
    fwrite(bytes, 1, bytes.count, file)
    fclose(file)
  }
}
