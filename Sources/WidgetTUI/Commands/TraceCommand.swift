import PageRecords
import WidgetExtensions
import WidgetKitCore
import WidgetPlatform
import WidgetTesting

/// `today trace FILE [ID]`: a trace in lines for a person.
struct TraceCommand: Command {
  static let name = "trace"
  static let syntax = CommandSyntax<TraceCommand>(
    name,
    "print a trace readably, with times and broken rules",
    expected: "the file of a trace",
    details: """
      Prints what “--trace FILE” has recorded, a line for each message and event: seconds, widget, run, direction
      (→ to the widget, ← from it, · of the page), method, and how long the answer took. What breaks a rule of
      the protocol is marked by “!”: late and missing answers, answers to nothing, refusals, lines that are
      not messages. ID is a widget; without it, all are printed.
      """,
    operands: [.one("FILE", .path, \.path), .optional("ID", .text, \.widget)]
  )

  var options = CommonOptions()
  private var path = ""
  private var widget: String?

  func run() async throws(CommandError) -> ExitCode {
    let trace = try Trace.read(path)
    let widget = try widget.map { name throws(CommandError) in try trace.widget(name, options) }
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

  /// The widget in it that an argument names: as the trace does, or by the name of an installed one.
  ///
  /// - Throws: ``CommandError`` if it is not in the trace, or several have the name.
  func widget(_ name: String, _ options: CommonOptions) throws(CommandError) -> String {
    if widgets.contains(name) { return name }
    let cards = PageBook(options).catalog.cards(named: name).map(\.description)
    let found = widgets.filter(cards.contains)
    guard found.count < 2 else {
      throw .usage("“\(SafeText(name))” is ambiguous; use one of: \(found.joined(separator: ", "))")
    }
    guard let only = found.first else {
      let list = widgets.joined(separator: ", ")
      throw .missing("no “\(SafeText(name))” in the trace; there is \(list)")
    }
    return only
  }
}
