import Foundation
import Testing

@testable import WidgetPlatform

@Suite struct ProcFileTests {
  /// Writes a file, and returns its path.
  private func file(_ text: String) throws -> String {
    let path = FileManager.default.temporaryDirectory.path + "/proc-\(UUID().uuidString)"
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    return path
  }

  @Test(
    arguments: [
      ("", []), ("a\n", []), ("wanted", ["wanted"]), ("a\nis wanted here\nb\n", ["is wanted here"]),
      ("wanted wanted\n\nwantedwanted", ["wanted wanted", "wantedwanted"]),
      ("wwanted\nwante\nd", ["wwanted"]),
    ] as [(String, [String])]
  )
  func `lines are found by a text that they contain`(text: String, lines: [String]) throws {
    let path = try file(text)
    defer { try? FileManager.default.removeItem(atPath: path) }
    #expect(ProcFile.lines(path, with: "wanted") == lines)
  }

  @Test func `words are separated by spaces and line feeds`() throws {
    let path = try file("700 386  356\n2 0\n")
    defer { try? FileManager.default.removeItem(atPath: path) }
    #expect(ProcFile.words(path) == ["700", "386", "356", "2", "0"])
    #expect(ProcFile.words(path + "-missing") == [])
  }

  @Test func `a process has ended although nobody has collected it yet`() {
    #expect(!ProcFile.hasEnded(getpid()))
    #expect(ProcFile.hasEnded(0) && ProcFile.hasEnded(-1) && ProcFile.hasEnded(.max))
    var child = pid_t()
    let words = unsafe [strdup("true"), nil]
    defer { unsafe free(words[0]) }
    #expect(unsafe posix_spawnp(&child, "true", nil, nil, words, environ) == 0)
    var information = siginfo_t()
    #expect(unsafe waitid(P_PID, id_t(child), &information, WEXITED | WNOWAIT) == 0)
    #expect(kill(child, 0) == 0 && ProcFile.hasEnded(child))
    var status: Int32 = 0
    #expect(unsafe waitpid(child, &status, 0) == child)
  }
}
