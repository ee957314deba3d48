import FoundationEssentials
import Testing

@testable import System

struct LoadHistoryTests {
  private func date(_ quarter: Int) -> Date {
    Date(timeIntervalSince1970: 1_800_000_000 + Double(quarter) * 900)
  }

  /// `#expect` calls no mutating method.
  private func expect(
    _ isNew: Bool,
    _ expected: Bool,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(isNew == expected, sourceLocation: sourceLocation)
  }

  @Test func `each quarter of an hour has one average, and one without a sample is a gap`() {
    var history = LoadHistory()
    #expect(history.averages(at: date(0)).isEmpty)
    expect(history.add(1, at: date(0)), true)
    expect(history.add(2, at: date(0).addingTimeInterval(800)), false)
    expect(history.add(3, at: date(1)), true)
    expect(history.add(4, at: date(4)), true)
    #expect(history.averages(at: date(4)) == [2, 3, nil, nil, 4])
    #expect(history.averages(at: date(5)) == [2, 3, nil, nil, 4])
    #expect(history.averages(at: date(7)) == [2, 3, nil, nil, 4, nil, nil])
  }

  @Test func `it is a day long, also after a long pause`() {
    var history = LoadHistory()
    for quarter in 0..<200 { _ = history.add(Double(quarter), at: date(quarter)) }
    #expect(history.averages(at: date(199)).count == LoadHistory.capacity)
    #expect(history.averages(at: date(199)).first == 104.0)
    #expect(history.averages(at: date(10_000)).allSatisfy { $0 == nil })
    expect(history.add(7, at: date(10_000)), true)
    #expect(history.averages(at: date(10_000)) == [7])
  }

  @Test func `a clock that is set back begins again, and odd numbers do no harm`() {
    var history = LoadHistory()
    _ = history.add(1, at: date(50))
    expect(history.add(2, at: date(49)), false)
    #expect(history.averages(at: date(50)) == [2])
    expect(history.add(3, at: date(0)), true)
    #expect(history.averages(at: date(0)) == [3])
    for odd in [-1.0, Double.nan, -Double.infinity] { expect(history.add(odd, at: date(1)), false) }
    expect(history.add(1, at: .distantPast), false)
    expect(history.add(.infinity, at: date(1)), true)
    #expect(history.averages(at: date(1)) == [3, 1e6])
  }

  @Test func `what was stored is read again`() throws {
    var history = LoadHistory()
    _ = history.add(0.5, at: date(0))
    _ = history.add(1.5, at: date(2))
    let data = try #require(history.data)
    #expect(LoadHistory(data) == history)
  }

  @Test(
    arguments: [
      "", "{}", "[]", #"{"last":-1,"values":[]}"#, #"{"last":1e30,"values":[]}"#,
      #"{"last":9223372036854775807,"values":[1]}"#, #"{"last":1,"values":[-1]}"#,
      #"{"last":1,"values":[1e300]}"#, #"{"last":1,"values":[1e999]}"#,
      #"{"last":1,"values":["1"]}"#,
      #"{"last":1,"values":["# + String(repeating: "1,", count: 96) + "1]}",
    ]
  )
  func `what is no history is none`(text: String) {
    #expect(LoadHistory(Data(text.utf8)) == nil)
  }
}
