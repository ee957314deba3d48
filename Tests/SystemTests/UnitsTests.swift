import Testing

@testable import System

struct UnitsTests {
  @Test(arguments: [
    (0.0, "0 B/s"), (999, "999 B/s"), (999.5, "1.0 kB/s"), (1234, "1.2 kB/s"),
    (40_000, "40 kB/s"), (1_200_000, "1.2 MB/s"), (999_600_000, "1.0 GB/s"),
  ])
  func `rates have two or three digits`(rate: Double, words: String) {
    #expect(Units.rate(rate) == words)
  }

  @Test func `used and total amounts share one unit`() {
    let gibibyte: UInt64 = 1 << 30
    #expect(Units.share(gibibyte * 71 / 10, of: gibibyte * 24, Units.binary) == "7.1 of 24 GiB")
    #expect(Units.share(164_000_000_000, of: 252_000_000_000, Units.decimal) == "164 of 252 GB")
    #expect(Units.share(0, of: 0, Units.decimal) == "0.0 of 0.0 B")
  }
}
