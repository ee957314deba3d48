import WidgetHost
import WidgetKitCore
import WidgetTesting

/// `today trace FILE [ID]`: a trace in lines for a person.
struct TraceCommand: Command {
  private var path: String?
  private var widget: String?

  init(_ reader: inout ArgumentReader, _ options: CommonOptions) throws(CommandError) {
    var options = options
    while let argument = reader.next() {
      if try options.take(argument, from: &reader) { continue }
      guard !argument.hasPrefix("-"), widget == nil else { throw reader.unknown(argument) }
      if path == nil { path = argument } else { widget = argument }
    }
    guard path != nil else { throw .usage("expected the file of a trace; see “today help trace”") }
  }

  func run() async throws(CommandError) -> ExitCode {
    let trace = try Trace.read(path ?? "")
    if let widget, !trace.widgets.contains(widget) { throw trace.absence(of: widget) }
    var listing = TraceListing(trace)
    for line in listing.lines(of: widget) { StandardStreams.writeLine(SafeText(line).onOneLine) }
    return .success
  }
}

extension Trace {
  /// Reads a file that was named on the command line.
  static func read(_ path: String) throws(CommandError) -> Trace {
    do throws(HarnessFailure) {
      return try Trace(path: path)
    } catch {
      throw .missing(error.description)
    }
  }

  /// The error for a widget that is not in it.
  func absence(of widget: String) -> CommandError {
    .missing("no “\(SafeText(widget))” in the trace; there is \(widgets.joined(separator: ", "))")
  }
}
