import Glibc
import WidgetHost
import WidgetKitCore

/// `today open URL`: opens a URL as a widget would, through the router.
struct OpenCommand: Command {
  var options: CommonOptions
  var url: String

  init(_ reader: inout ArgumentReader, _ options: CommonOptions) throws(CommandError) {
    self.options = options
    var urls: [String] = []
    while let argument = reader.next() {
      if try self.options.take(argument, from: &reader) { continue }
      guard !argument.hasPrefix("-") else { throw reader.unknown(argument) }
      urls.append(argument)
    }
    guard urls.count == 1, let url = urls.first else {
      throw .usage("expected one URL; see “today help open”")
    }
    self.url = url
  }

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
    if let notice = center.notice { StandardStreams.writeLine(notice.onOneLine) }
    if let refusal { throw .failure("cannot open \(url): \(refusal)") }
    return .success
  }
}
