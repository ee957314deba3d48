import FoundationEssentials
import Testing

@testable import Clock

struct StopwatchTests {
  private func date(_ seconds: Double) -> Date {
    Date(timeIntervalSince1970: 1_800_000_000 + seconds)
  }

  @Test func `it runs, stands, runs on and is reset`() {
    var watch = Stopwatch()
    #expect(!watch.hasRun)
    let isKnown = watch.perform("start", at: date(0))
    #expect(isKnown)
    _ = watch.perform("start", at: date(5))
    #expect(watch.elapsed(at: date(10)) == 10)
    _ = watch.perform("stop", at: date(10))
    #expect(watch.elapsed(at: date(1000)) == 10)
    _ = watch.perform("stop", at: date(1000))
    #expect(watch.elapsed(at: date(2000)) == 10)
    _ = watch.perform("start", at: date(2000))
    #expect(watch.elapsed(at: date(2005)) == 15)
    #expect(watch.origin(at: date(2005)) == date(1990))
    _ = watch.perform("reset", at: date(2005))
    #expect(watch == Stopwatch())
    let isOther = watch.perform("open", at: date(0))
    #expect(!isOther)
  }

  @Test func `laps have their lengths, and there are at most 99`() {
    var watch = Stopwatch()
    _ = watch.perform("lap", at: date(0))
    #expect(watch.laps.isEmpty)
    _ = watch.perform("start", at: date(0))
    for second in [3.0, 10, 12] { _ = watch.perform("lap", at: date(second)) }
    #expect(watch.lastLaps(2).map(\.number) == [3, 2])
    #expect(watch.lastLaps(5).map(\.length) == [2, 7, 3])
    #expect(watch.lastLaps(5).map(\.end) == [12, 10, 3])
    for second in 13..<200 { _ = watch.perform("lap", at: date(Double(second))) }
    #expect(watch.laps.count == Stopwatch.lapLimit)
  }

  @Test func `it runs on while nothing is there, and a clock that is set back does no harm`() throws
  {
    var watch = Stopwatch()
    _ = watch.perform("start", at: date(0))
    _ = watch.perform("lap", at: date(4))
    let data = try #require(watch.data)
    let stored = try #require(Stopwatch(data))
    #expect(stored == watch)
    #expect(stored.elapsed(at: date(3600)) == 3600)
    #expect(stored.elapsed(at: date(-3600)) == 0)
    var again = stored
    _ = again.perform("lap", at: date(-3600))
    #expect(again.laps == [4, 4])
    let later = try #require(again.data)
    #expect(Stopwatch(later) == again)
  }

  @Test(
    arguments: [
      "", "[]", "{}", #"{"before":-1,"laps":[]}"#, #"{"before":1e300,"laps":[]}"#,
      #"{"before":1e999,"laps":[]}"#, #"{"before":0,"laps":[2,1]}"#, #"{"before":0,"laps":["1"]}"#,
      #"{"before":0,"laps":[],"start":1e300}"#, #"{"before":0,"laps":[],"start":-1}"#,
      #"{"before":0,"laps":[-1]}"#, #"{"before":"0","laps":[]}"#,
      #"{"before":0,"laps":["# + String(repeating: "1,", count: 99) + "1]}",
    ]
  )
  func `what is no stopwatch is none`(text: String) {
    #expect(Stopwatch(Data(text.utf8)) == nil)
  }

  @Test(
    arguments: [
      (0.0, "0:00"), (42.9, "0:42"), (3723.0, "1:02:03"), (-5.0, "0:00"),
      (Double.infinity, "555555:33:20"),
    ]
  )
  func `seconds are written as the host writes them`(seconds: Double, words: String) {
    #expect(Stopwatch.words(seconds) == words)
  }
}
