import FoundationEssentials
import WidgetCards
import WidgetKitCore

/// Prints how long the host takes for the most expensive views that the limits allow.
///
/// Writes one line of columns for each view. The canvas is that of the program, through links.
@main
enum CostliestViews {
  /// Measures the views whose names contain the first argument, or all, 120 columns wide.
  static func main() throws {
    let columns = ["total", "decode", "layout", "draw", "blend", "compare", "encode"]
    print((columns + ["bytes", "view"]).joined(separator: " "))
    let filter = CommandLine.arguments.dropFirst().first
    for worst in WorstCase.all where filter.map({ worst.name.contains($0) }) ?? true {
      let line = Array(
        #"{"jsonrpc":"2.0","method":"setView","params":{"view":\#(worst.view())}}"#.utf8
      )
      let times = try measure(line, width: 120)
      let words = times.map { "\(($0 * 100).rounded() / 100)" } + ["\(line.count)", worst.name]
      print(words.joined(separator: " "))
    }
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
