import FoundationEssentials
import WidgetHost
import WidgetKitCore
import WidgetTesting

/// `today measure`: how long the host takes for the most expensive views that the limits allow.
///
/// For the benchmarks, and therefore not listed in the help: one line of columns for each view.
struct MeasureCommand: Command {
  /// If set, only the cases whose name contains it.
  private var filter: String?
  /// The share of each limit that is used.
  private var share = 1.0
  private var width = 120

  init(_ reader: inout ArgumentReader, _ options: CommonOptions) throws(CommandError) {
    while let argument = reader.next() {
      switch argument {
      case "--share": share = Double(try reader.value(of: argument)) ?? 1
      case "--width": width = Int(try reader.value(of: argument)) ?? width
      default: filter = argument
      }
    }
  }

  func run() async throws(CommandError) -> ExitCode {
    let columns = ["total", "decode", "layout", "draw", "blend", "compare", "encode"]
    StandardStreams.writeLine(SafeText((columns + ["bytes", "view"]).joined(separator: " ")))
    for worst in WorstCase.all where filter.map({ worst.name.contains($0) }) ?? true {
      let view = worst.view(share: share)
      let line = Array(#"{"jsonrpc":"2.0","method":"setView","params":{"view":\#(view)}}"#.utf8)
      do {
        let times = try Self.measure(line, width: width)
        let words = times.map { "\(($0 * 100).rounded() / 100)" } + ["\(line.count)", worst.name]
        StandardStreams.writeLine(SafeText(words.joined(separator: " ")))
      } catch {
        throw .failure("\(worst.name): \(error)")
      }
    }
    return .success
  }

  /// Milliseconds of decoding, layout and drawing together, and then of each pass.
  private static func measure(_ line: [UInt8], width: Int) throws -> [Double] {
    var view = ViewNode(.spacer(minLength: 0))
    let decode = try fastest {
      view = try IncomingLine(line[...]).decode(SetViewNotification.self).view
    }
    let environment = LayoutEnvironment(now: Date(timeIntervalSince1970: 1_795_181_527))
    var body = LaidOutView(size: .zero)
    let layout = fastest {
      body = ViewLayout.layOut(view, width: width, in: environment)
    }
    let screen = Size(columns: width, rows: 60)
    let before = Canvas(size: screen)
    let draw = fastest {
      var canvas = Canvas(size: screen)
      for run in body.runs { canvas.put(run, in: canvas.bounds) }
      _ = CanvasDiff.segments(from: before, to: canvas)
    }
    let card = CardBody(size: body.size, from: body, to: body, progress: 0.5)
    let blend = fastest { _ = MotionFrame.runs(of: card) }
    let copy = try IncomingLine(line[...]).decode(SetViewNotification.self).view
    let compare = fastest { _ = copy == view }
    let encode = try fastest { _ = try JSONEncoder().encode(view) }
    return [decode + layout + draw, decode, layout, draw, blend, compare, encode]
  }

  /// Milliseconds of the fastest of five runs; of one run if that takes more than 200 ms.
  private static func fastest(_ work: () throws -> Void) rethrows -> Double {
    var least = Double.infinity
    for _ in 0..<5 {
      let duration = try ContinuousClock().measure(work)
      least = min(least, duration / .milliseconds(1))
      if least > 200 { break }
    }
    return least
  }
}
