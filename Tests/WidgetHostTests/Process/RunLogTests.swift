import FoundationEssentials
import Testing
import WidgetKitCore

@testable import WidgetHost

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
