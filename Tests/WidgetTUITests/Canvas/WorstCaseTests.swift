import FoundationEssentials
import Glibc
import Testing
import WidgetHost
import WidgetKitCore
import WidgetTesting

@testable import WidgetTUI

/// Every pass over a view is linear: four times the size takes about four times as long.
///
/// CPU times of this thread are compared, so that a busy machine does not matter.
/// Nothing here runs on the main actor, which tests with deadlines need.
@Suite(.serialized) nonisolated struct `The costliest views within the limits` {
  private static let smaller = 1.0 / 64
  private static let larger = 1.0 / 16

  @Test(arguments: WorstCase.all.map(\.name))
  @concurrent func `cost in proportion to their size`(name: String) async throws {
    let worst = try #require(WorstCase.all.first { $0.name == name })
    let small = try cost(of: worst, Self.smaller)
    let large = try cost(of: worst, Self.larger)
    for (pass, seconds) in large {
      let before = max(try #require(small[pass]), 0.001)
      // Sixteen times as much where each part looks at all others.
      #expect(seconds < before * 9, "\(pass): \(before) s, then \(seconds) s")
    }
  }

  @Test(arguments: WorstCase.all.map(\.name))
  @concurrent func `are within the limits`(name: String) async throws {
    let worst = try #require(WorstCase.all.first { $0.name == name })
    let line = Self.line(worst, 1)
    #expect(line.count <= 256 * 1024)
    _ = try IncomingLine(line[...]).decode(SetViewNotification.self)
  }

  private static func line(_ worst: WorstCase, _ share: Double) -> [UInt8] {
    Array(
      #"{"jsonrpc":"2.0","method":"setView","params":{"view":\#(worst.view(share: share))}}"#.utf8
    )
  }

  /// Seconds of processor time of each pass.
  private func cost(of worst: WorstCase, _ share: Double) throws -> [String: Double] {
    let line = Self.line(worst, share)
    let environment = LayoutEnvironment(now: Date(timeIntervalSince1970: 1_795_181_527))
    var view = ViewNode(.spacer(minLength: 0))
    var body = LaidOutView(size: .zero)
    var cost: [String: Double] = [:]
    cost["decoding"] = try Self.fastest {
      view = try IncomingLine(line[...]).decode(SetViewNotification.self).view
    }
    cost["layout"] = Self.fastest { body = ViewLayout.layOut(view, width: 60, in: environment) }
    var canvas = Canvas(size: .zero)
    cost["drawing"] = Self.fastest {
      canvas = Canvas(size: Size(columns: 60, rows: min(body.size.rows, 2_000)))
      for run in body.runs { canvas.put(run, in: canvas.bounds) }
    }
    let card = CardBody(size: body.size, from: body, to: body, progress: 0.5)
    cost["blending"] = Self.fastest { _ = MotionFrame.runs(of: card) }
    cost["comparing"] = Self.fastest {
      _ = CanvasDiff.segments(from: Canvas(size: canvas.size), to: canvas)
    }
    cost["writing"] = Self.fastest {
      _ = ANSIWriter(theme: Theme(depth: .full)).text(canvas)
      _ = SVGWriter(theme: Theme(depth: .full)).text(canvas)
    }
    cost["encoding"] = try Self.fastest { _ = try JSONEncoder().encode(view) }
    return cost
  }

  private static func fastest(_ work: () throws -> Void) rethrows -> Double {
    var least = Double.infinity
    for _ in 0..<3 {
      let start = time
      try work()
      least = min(least, time - start)
      if least > 0.02 { break }
    }
    return least
  }

  /// Seconds of CPU time of this thread.
  private static var time: Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
