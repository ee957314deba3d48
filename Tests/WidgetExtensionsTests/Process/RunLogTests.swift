import FoundationEssentials
import Glibc
import Testing
import WidgetKitCore

@testable import EngineTestSupport
@testable import WidgetExtensions
@testable import WidgetPlatform

struct RunLogTests {
  private func record(_ number: Int) -> RunRecord {
    var record = RunRecord(start: Date(timeIntervalSince1970: Double(number)), reason: .update)
    record.end = "exited with code \(number)"
    return record
  }

  @Test("the newest fifty runs are kept; invalid lines are skipped")
  func isBounded() throws {
    let folder = try BundleFolder()
    let path = "\(folder.path)/a.runs"
    #expect(RunLog.read(path).isEmpty)
    for number in 1...60 { RunLog.append(record(number), to: path) }
    #expect(RunLog.read(path).map(\.end) == (11...60).map { "exited with code \($0)" })
    let bytes = try Data(contentsOf: URL(filePath: path))
    try (Data("nonsense\n{}\n".utf8) + bytes).write(to: URL(filePath: path))
    #expect(RunLog.read(path).count == 50)
  }

  @Test("a run is added at the end of the file, which is written anew when it gets large")
  func isAppended() throws {
    let folder = try BundleFolder()
    let path = "\(folder.path)/a.runs"
    func contents() throws -> Data { try Data(contentsOf: URL(filePath: path)) }
    RunLog.append(record(1), to: path)
    let (first, file) = (try contents(), FileIdentity(path))
    RunLog.append(record(2), to: path)
    #expect(try contents().starts(with: first) && FileIdentity(path) != file)
    // The end of a line is missing.
    try (contents() + Data("{\"start\":".utf8)).write(to: URL(filePath: path))
    RunLog.append(record(3), to: path)
    #expect(RunLog.read(path).map(\.end) == (1...3).map { "exited with code \($0)" })
    for number in 4...400 {
      RunLog.append(record(number), to: path)
      #expect(try contents().count <= RunLog.tidyBytes)
    }
    #expect(RunLog.read(path).map(\.end) == (351...400).map { "exited with code \($0)" })
  }

  @Test("a link in place of the file is replaced")
  func replacesLinks() throws {
    let folder = try BundleFolder()
    let (path, other) = ("\(folder.path)/a.runs", "\(folder.path)/other")
    try Data("other\n".utf8).write(to: URL(filePath: other))
    symlink(other, path)
    RunLog.append(record(1), to: path)
    #expect(RunLog.read(path).count == 1)
    #expect(try Data(contentsOf: URL(filePath: other)) == Data("other\n".utf8))
  }

  @Test("a run counts the results of its updates")
  func countsResults() {
    var run = record(1)
    #expect(run.results == "–")
    for result in [UpdateResult.newData, .failed, .newData] {
      run.note(CompletedUpdate(result: result), took: nil)
    }
    #expect(run.results == "2 newData, 1 failed")
  }
}
