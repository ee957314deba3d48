import FoundationEssentials
import Glibc
import Testing
import WidgetHost
import WidgetKitCore
import WidgetTesting

/// Views that cost the most within the limits: every pass over them is linear.
///
/// How long each of them takes is measured by `make bench`; what is compared here is processor time of
/// one thread with itself, so that a busy machine changes nothing. Nothing here runs on the main actor,
/// which tests with deadlines wait for.
@Suite(.serialized) nonisolated struct `The costliest views within the limits` {
  /// Views that once cost with the square of their size.
  private static let onceQuadratic = [
    "one text: tabs", "one text: blanks", "one text: words after many blanks", "plain spans",
    "ansi with one long sequence", "ansi with a colour for each character",
  ]

  @Test(arguments: onceQuadratic)
  @concurrent func `cost in proportion to their size`(name: String) async throws {
    let worst = try #require(WorstCase.all.first { $0.name == name })
    let small = try cost(of: worst, share: 1.0 / 16)
    let large = try cost(of: worst, share: 1.0 / 4)
    // Four times as much where it is linear, sixteen times where each part looks at all others.
    #expect(large < max(small, 0.001) * 10, "\(small) s, then \(large) s")
  }

  @Test @concurrent func `are within the limits`() async throws {
    for worst in WorstCase.all {
      let line = Self.line(worst, share: 1)
      #expect(line.count <= 256 * 1024, "\(worst.name)")
      #expect(throws: Never.self, "\(worst.name)") {
        try IncomingLine(line[...]).decode(SetViewNotification.self)
      }
    }
  }

  private static func line(_ worst: WorstCase, share: Double) -> [UInt8] {
    Array(
      #"{"jsonrpc":"2.0","method":"setView","params":{"view":\#(worst.view(share: share))}}"#.utf8
    )
  }

  /// Seconds of processor time to decode it and lay it out: the least of five.
  private func cost(of worst: WorstCase, share: Double) throws -> Double {
    let line = Self.line(worst, share: share)
    let environment = LayoutEnvironment(now: Date(timeIntervalSince1970: 1_795_181_527))
    var least = Double.infinity
    for _ in 0..<5 {
      let start = Self.time
      let view = try IncomingLine(line[...]).decode(SetViewNotification.self).view
      _ = ViewLayout.layOut(view, width: 60, in: environment)
      least = min(least, Self.time - start)
    }
    return least
  }

  /// Seconds that this thread has computed.
  private static var time: Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
