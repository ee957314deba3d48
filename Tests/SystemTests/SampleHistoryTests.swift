import FoundationEssentials
import Testing

@testable import System

struct SampleHistoryTests {
  private static let date = Date(timeIntervalSince1970: 1_800_000_000)

  private func state(usage: Double?, rates: [Double?]) -> SystemState {
    let none = SourceError(description: "none")
    return SystemState(
      processor: .success(SystemState.Processor(usage: usage, cores: [], history: [])),
      memory: .failure(none),
      load: .failure(none),
      disks: .failure(none),
      network: .success(rates.map { SystemState.Interface(name: "a", received: $0, sent: nil) })
    )
  }

  @Test func `the graphs go on after a restart, with a gap between if it took minutes`() throws {
    var history = SampleHistory()
    history.add(state(usage: 0.5, rates: [1, nil, 2]), at: Self.date)
    let data = try #require(history.data)
    let stored = try #require(SampleHistory(data, at: Self.date.addingTimeInterval(600)))
    #expect(stored.processor == [0.5, nil])
    #expect(stored.received == [3, nil])
    #expect(stored.sent == [nil, nil] && stored.memory == [nil, nil])
    let soon = try #require(SampleHistory(data, at: Self.date.addingTimeInterval(30)))
    #expect(soon.processor == [0.5])
  }

  @Test func `graphs of another day or of the future are not shown`() throws {
    var history = SampleHistory()
    history.add(state(usage: 0.5, rates: []), at: Self.date)
    let data = try #require(history.data)
    #expect(SampleHistory(data, at: Self.date.addingTimeInterval(86_401)) == nil)
    #expect(SampleHistory(data, at: Self.date.addingTimeInterval(-1)) == nil)
  }

  @Test(arguments: [
    "", "{}", "[]", #"{"processor":[-1],"memory":[],"received":[],"sent":[],"time":1800000000}"#,
    #"{"processor":[1e300],"memory":[],"received":[],"sent":[],"time":1800000000}"#,
    #"{"processor":[],"memory":[],"received":[],"sent":[],"time":1e308}"#,
  ])
  func `a file with what no history has is not read`(text: String) {
    #expect(SampleHistory(Data(text.utf8), at: Self.date) == nil)
  }

  @Test func `a graph of a few values begins on the right`() {
    let values = SampleHistory.filled([0.5, nil, 1])
    #expect(values.count == SampleHistory.capacity && values.suffix(3) == [0.5, nil, 1])
    #expect(values.dropLast(3).allSatisfy { $0 == nil })
    #expect(SampleHistory.filled([Double?](repeating: 1, count: 500)).count == 500)
  }

  @Test func `numbers that cannot be are gaps, and old ones go`() {
    var history = SampleHistory()
    for value in [.nan, .infinity, -1, 1e300] as [Double] {
      history.add(state(usage: value, rates: [value]), at: Self.date)
    }
    #expect(history.processor.allSatisfy { $0 == nil } && history.received.allSatisfy { $0 == nil })
    for _ in 0..<500 { history.add(state(usage: 0.25, rates: []), at: Self.date) }
    #expect(history.processor == [Double?](repeating: 0.25, count: SampleHistory.capacity))
    history.pause(until: Self.date.addingTimeInterval(59))
    #expect(history.processor.last == 0.25)
    history.pause(until: Self.date.addingTimeInterval(60))
    history.pause(until: Self.date.addingTimeInterval(600))
    #expect(history.processor.suffix(2) == [0.25, nil])
  }
}
