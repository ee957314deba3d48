import FoundationEssentials
import WidgetHost
import WidgetKitCore

/// `today refresh`: asks widgets for new data now and keeps what comes.
struct RefreshCommand: Command {
  var options: CommonOptions
  var identifiers: [String] = []
  var timeout: Duration = .seconds(30)

  init(_ reader: inout ArgumentReader, _ options: CommonOptions) throws(CommandError) {
    self.options = options
    while let argument = reader.next() {
      if try self.options.take(argument, from: &reader) { continue }
      switch argument {
      case "--timeout": timeout = try reader.seconds(of: argument)
      default:
        guard !argument.hasPrefix("-") else { throw reader.unknown(argument) }
        identifiers.append(argument)
      }
    }
  }

  func run() async throws(CommandError) -> ExitCode {
    let headless = try HeadlessCenter(options, reason: .update, naming: identifiers)
    let center = headless.center
    center.load()
    let ids = try headless.choose(identifiers)
    let renderer = PageRenderer(width: 80, date: Date())
    center.setPage(innerWidth: renderer.innerWidth(cardCount: ids.count))
    let start = ContinuousClock.now
    var failed = false
    var answered: Set<CardID> = []
    center.onUpdate = { id, result, error in
      answered.insert(id)
      let took = start.duration(to: .now)
      let milliseconds =
        took.components.seconds * 1000 + took.components.attoseconds / 1_000_000_000_000_000
      StandardStreams.writeLine(SafeText("\(id) \(result.rawValue) \(milliseconds)"))
      if result == .failed {
        failed = true
        StandardStreams.complain("\(id): \(error ?? "the update failed")")
      }
    }
    for id in ids { center.refresh(id) }
    await headless.settle(ids, within: timeout)
    for card in center.allCards where ids.contains(card.id) && !center.isSettled(card.id) {
      failed = true
      StandardStreams.complain("\(card.id): timed out after \(timeout.components.seconds) s")
    }
    for card in center.allCards where ids.contains(card.id) {
      guard card.state == .failed || card.state == .stopped, let message = card.message else {
        continue
      }
      failed = true
      StandardStreams.complain("\(card.id): \(message)")
    }
    for id in ids where !answered.contains(id) && center.hasNothingToUpdate(id) {
      StandardStreams.writeLine(SafeText("\(id) noData 0"))
    }
    headless.complainAboutProblems()
    await headless.shutdown()
    return failed ? .failure : .success
  }
}
