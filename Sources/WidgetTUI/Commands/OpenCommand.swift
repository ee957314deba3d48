import Glibc
import WidgetExtensions
import WidgetKitCore
import WidgetPages

/// `today open URL`: opens a URL as a widget would, through the router.
struct OpenCommand: Command {
  static let name = "open"
  static let syntax = CommandSyntax<OpenCommand>(
    name,
    "open a URL as a widget would",
    expected: "one URL",
    details: """
      Opens a URL with the command that config.json sets for its scheme, the app that registered it,
      the default program of the desktop, or xdg-open. Exits with 1 if nothing could open it.
      """,
    operands: [.one("URL", .text, \.url)]
  )

  var options = CommonOptions()
  private var url = ""

  func run() async throws(CommandError) -> ExitCode {
    let headless = try HeadlessCenter(options)
    let center = headless.center
    guard url.utf8.count <= center.urls.byteLimit else {
      throw .usage(
        "the URL has \(url.utf8.count) bytes, the limit is \(center.urls.byteLimit); "
          + "limits.urlBytes in config.json sets it"
      )
    }
    guard CheckedURL(url, byteLimit: center.urls.byteLimit) != nil else {
      throw .usage("“\(url)” is not a valid URL; expected scheme:rest without control characters")
    }
    if let hops = center.urls.exhaustedHops {
      throw .failure(
        "“\(url)” was opened by \(hops) handlers in sequence, the limit"
      )
    }
    center.load()
    // The terminal, if there is one, belongs to this command: an app may use it until it exits.
    var ended: CheckedContinuation<Void, Never>?
    var hasEnded = true
    center.urls.terminalHandover = { program in
      hasEnded = false
      program.run(terminal: isatty(STDIN_FILENO) == 1 ? STDIN_FILENO : -1) {
        hasEnded = true
        ended?.resume()
        ended = nil
      }
    }
    let refusal = await withCheckedContinuation { continuation in
      center.urls.open(url) { continuation.resume(returning: $0) }
    }
    if !hasEnded { await withCheckedContinuation { ended = $0 } }
    // What the program has answered itself.
    if let notice = center.notices.current { StandardStreams.writeLine(notice.onOneLine) }
    if let refusal { throw .failure("cannot open \(url): \(refusal)") }
    return .success
  }
}
