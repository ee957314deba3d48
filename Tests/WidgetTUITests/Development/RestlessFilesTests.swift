import Testing

@testable import WidgetTUI

/// Files that change again after each build of `today dev`.
@Suite struct RestlessFilesTests {
  @Test func `a file that changes after each build waits longer each time`() {
    var files = RestlessFiles()
    for _ in 0..<3 {
      files.note(["log"], after: .milliseconds(300))
      #expect(files.paths.isEmpty)
    }
    var pauses: [Duration] = []
    for _ in 0..<8 {
      files.note(["log", "main.swift"], after: .zero)
      if pauses.isEmpty { #expect(files.paths == ["log"]) }
      pauses.append(files.pause)
    }
    #expect(pauses == [2, 4, 8, 16, 32, 64, 64, 64].map { .seconds($0) })
  }

  @Test func `a file that rests is followed as before, and so are the others`() {
    var files = RestlessFiles()
    for _ in 0..<5 { files.note(["log"], after: .zero) }
    files.note(["main.swift"], after: .milliseconds(-1500))
    #expect(files.paths.isEmpty)
    for _ in 0..<5 { files.note(["log"], after: .zero) }
    files.note(["log"], after: RestlessFiles.haste)
    #expect(files.paths.isEmpty)
  }
}
