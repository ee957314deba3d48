import FoundationEssentials
import Testing
import WidgetKitCore
import WidgetTestSupport

@testable import EngineTestSupport
@testable import WidgetCards
@testable import WidgetPlatform

/// Every view that a widget can send can be stored and read.
///
/// Off the main actor, which other tests need meanwhile.
@Suite nonisolated struct RoundTripTests {
  private let now = Date(timeIntervalSince1970: 1_800_000_000)

  /// The result of the session for a line; nil if it is refused.
  private func reply(
    _ line: String,
    _ limits: HostLimits
  ) -> WidgetPerformUpdateRequest.Reply? {
    guard line.utf8.count <= limits.lineBytes,
      let incoming = try? IncomingLine(Array(line.utf8)[...], depthLimit: limits.jsonDepth)
    else { return nil }
    return try? incoming.decode(
      WidgetPerformUpdateRequest.Reply.self,
      budget: ViewBudget(limits.view)
    )
  }

  /// Stores an accepted view, reads it, and compares the two.
  ///
  /// - Returns: Whether it was accepted.
  private func expectRoundTrip(
    _ line: String,
    _ limits: HostLimits,
    in folder: BundleFolder,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> Bool {
    guard let reply = reply(line, limits), let view = reply.content.view else { return false }
    let snapshot = Snapshot(
      key: Snapshot.Key(ExtensionIdentity("com.example.A"), displayMode: .compact, locale: "en"),
      made: now,
      contentDate: now,
      view: view,
      preferredHeight: 3,
      timeline: reply.timeline
    )
    let generations = SnapshotGenerations(folder: "\(folder.path)/snapshots", limits: limits)
    #expect(try generations.write(snapshot, now: now) { true } == .written)
    guard case .found(let found) = generations.read(snapshot.key) else {
      Issue.record("not read back: \(line.prefix(2_000))", sourceLocation: sourceLocation)
      return true
    }
    #expect(found.view == view, "\(line.prefix(2_000))", sourceLocation: sourceLocation)
    #expect(
      found.timeline == reply.timeline,
      "\(line.prefix(2_000))",
      sourceLocation: sourceLocation
    )
    return true
  }

  @Test("every view that is accepted under any limits can be stored and read", arguments: 0..<6)
  @concurrent func survives(part: UInt64) async throws {
    let folder = try await BundleFolder()
    var accepted = 0
    for number in 0..<100 {
      let seed = part * 1_000 + UInt64(number)
      var random = SeededGenerator(seed: seed)
      var limits = HostLimits()
      limits.lineBytes = Int.random(in: 1024...64 * 1024, using: &random)
      limits.jsonDepth = Int.random(in: 8...256, using: &random)
      limits.view.depth = Int.random(in: 4...64, using: &random)
      limits.view.nodes = Int.random(in: 16...200, using: &random)
      limits.view.gridRows = Int.random(in: 1...10, using: &random)
      limits.view.gridColumns = Int.random(in: 1...10, using: &random)
      limits.view.textBytes = Int.random(in: 64...4096, using: &random)
      var reply = RandomReply(seed: seed)
      if try expectRoundTrip(reply.line(), limits, in: folder) { accepted += 1 }
    }
    #expect(accepted >= 20, "\(accepted) views were accepted")
  }

  @Test(
    "the views that grow most when written can be read",
    // A line with a NUL is refused as a whole.
    arguments: RandomReply.pieces.filter { $0 != #"\u0000"# } + [#"\u001b[1m\u001b[3m"#]
  )
  @concurrent func survivesGrowth(piece: String) async throws {
    let folder = try await BundleFolder()
    var limits = HostLimits()
    for type in ["text", "ansi"] {
      // As many in one text, and as many texts in a line, as are allowed.
      var count = limits.view.textBytes
      while reply(line(type, piece, count), limits) == nil { count /= 2 }
      let text = line(type, piece, count)
      #expect(try expectRoundTrip(text, limits, in: folder))
      limits.lineBytes = text.utf8.count
      #expect(try expectRoundTrip(text, limits, in: folder), "in a line of exactly that length")
      limits = HostLimits()
      let node = #"{"type":"\#(type)","text":"\#(String(repeating: piece, count: 100))"}"#
      let nodes = Array(repeating: node, count: min(4_000, 200_000 / node.utf8.count))
      let many = #""view":{"type":"vstack","children":[\#(nodes.joined(separator: ","))]}"#
      #expect(
        try expectRoundTrip(RandomReply.line(#""result":"newData",\#(many)"#), limits, in: folder)
      )
    }
  }

  private func line(_ type: String, _ piece: String, _ count: Int) -> String {
    let text = String(repeating: piece, count: count)
    return RandomReply.line(#""result":"newData","view":{"type":"\#(type)","text":"\#(text)"}"#)
  }

  @Test("a view within raised limits can be read under the same limits")
  @concurrent func survivesRaisedLimits() async throws {
    let folder = try await BundleFolder()
    var limits = HostLimits()
    limits.lineBytes = 16 << 20
    limits.jsonDepth = 256
    limits.view = ViewLimits(
      depth: 64,
      nodes: 65_536,
      gridRows: 10_000,
      gridColumns: 1_000,
      textBytes: 1 << 20
    )
    let nodes = Array(repeating: #""""#, count: 20_000).joined(separator: ",")
    let deep = String(repeating: #"{"type":"vstack","children":["#, count: 62)
    let rows = Array(repeating: #"["a"]"#, count: 9_000).joined(separator: ",")
    let cells = Array(repeating: #""a""#, count: 900).joined(separator: ",")
    for view in [
      #"{"type":"vstack","children":[\#(nodes)]}"#,
      deep + #""x""# + String(repeating: "]}", count: 62),
      #"{"type":"grid","rows":[\#(rows)]}"#, #"{"type":"grid","rows":[[\#(cells)]]}"#,
      #"{"type":"text","text":"\#(String(repeating: #"\t"#, count: 1_000_000))"}"#,
    ] {
      let line = RandomReply.line(#""result":"newData","view":\#(view)"#)
      #expect(try expectRoundTrip(line, limits, in: folder))
      // Limits that are lowered later may refuse it, and nothing else.
      #expect(reply(line, HostLimits()) == nil)
    }
  }
}
