import CostliestViews
import FoundationEssentials
import Glibc
import Testing
import WidgetCards
import WidgetKitCore

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
    var small = try cost(of: worst, Self.smaller)
    var large = try cost(of: worst, Self.larger)
    for _ in 0..<3 where large.contains(where: { $1 > bound(small, $0) }) {
      small.merge(try cost(of: worst, Self.smaller), uniquingKeysWith: min)
      large.merge(try cost(of: worst, Self.larger), uniquingKeysWith: min)
    }
    for (pass, seconds) in large {
      #expect(seconds <= bound(small, pass), "\(pass) takes \(seconds) s")
    }
  }

  /// The most that a pass may take: nine times as much, where it would be sixteen times if each part
  /// looked at all others.
  private func bound(_ small: [String: Double], _ pass: String) -> Double {
    max(small[pass] ?? 0, 0.001) * 9
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
    cost["decoding"] = try Self.seconds {
      view = try IncomingLine(line[...]).decode(SetViewNotification.self).view
    }
    cost["layout"] = Self.seconds { body = ViewLayout.layOut(view, width: 60, in: environment) }
    var canvas = Canvas(size: .zero)
    cost["drawing"] = Self.seconds {
      canvas = Canvas(size: Size(columns: 60, rows: min(body.size.rows, 2_000)))
      for run in body.runs { canvas.put(run, in: canvas.bounds) }
    }
    let card = CardBody(size: body.size, from: body, to: body, progress: 0.5)
    cost["blending"] = Self.seconds { _ = MotionFrame.runs(of: card) }
    cost["comparing"] = Self.seconds {
      _ = CanvasDiff.segments(from: Canvas(size: canvas.size), to: canvas)
    }
    cost["writing"] = Self.seconds {
      _ = ANSIWriter(theme: Theme(depth: .full)).text(canvas)
      _ = SVGWriter(theme: Theme(depth: .full)).text(canvas)
    }
    cost["encoding"] = try Self.seconds { _ = try JSONEncoder().encode(view) }
    return cost
  }

  private static func seconds(_ work: () throws -> Void) rethrows -> Double {
    let start = time
    try work()
    return time - start
  }

  /// Seconds of CPU time of this thread.
  private static var time: Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
