import WidgetExtensions
import WidgetKitCore
package import WidgetPlatform

/// A page of another machine, of which the widgets run there: one `today serve --page` for all of its cards, through the
/// connection of the machine.
///
/// It is connected when a card wants it, and its cards are away while it is not; each of them asks again, with growing
/// pauses.
@MainActor package final class RemotePage {
  private let host: RemoteHost
  /// The name of the page there; nil for the first one.
  private let name: String?
  private let environment: [String: String]
  private let limits: HostLimits
  private let clock: any HostClock
  private var state = State.idle
  private var framer: LineFramer
  /// The number of the last run of ssh.
  private var lastRun = 0
  private var budget: InputBudget
  private var cards: [Int: RemoteCard] = [:]
  private var lastNumber = PageFrame.page
  private var deadline: (any HostTimer)?
  private var skippedBytes = 0
  /// The last words of the other side on standard error.
  private var lastWords: SafeText?
  /// Called with the cards of the page when it has told of them.
  package var onCards: (([PageCard]) -> Void)?
  /// Called when it cannot be shown, before any card is told.
  package var onTrouble: ((String) -> Void)?

  private enum State {
    case idle
    case connecting
    /// Started; the other side has not said anything.
    case greeting(ChildRun)
    case open(ChildRun)
  }

  /// The time for the other side to say something.
  private static let patience = Duration.seconds(20)
  /// The bytes that a login shell may print before.
  private static let greetingBytes = 64 * 1024
  /// How many cards may say as much as one may.
  private static let cardsAtOnce = 8
  private static let longPause = Duration.seconds(1)
  /// The messages and bytes that wait for the machine.
  private static let queue = (messages: 4_096, bytes: 4 << 20)

  /// Creates a page without connecting to its machine.
  package init(
    _ name: String?,
    of host: RemoteHost,
    environment: [String: String],
    limits: HostLimits,
    clock: any HostClock = SystemClock()
  ) {
    (self.name, self.host, self.environment) = (name, host, environment)
    (self.limits, self.clock) = (limits, clock)
    framer = LineFramer(byteLimit: limits.lineBytes + PageFrame.headBytes)
    budget = InputBudget(limits)
  }

  /// The machine, for words.
  private var machine: String { host.destination.machine }

  /// Connects to the machine, unless that is being done; ``onCards`` is called then, or ``onTrouble``.
  package func connect() {
    guard case .idle = state else { return }
    state = .connecting
    host.connect { [weak self] result in
      // A card learns of a failure when its session knows it.
      MainQueue.perform { self?.didConnect(result) }
    }
  }

  /// Starts the widget of a card there, now or as soon as there is a connection.
  package func open(
    _ card: String,
    report: @escaping (WidgetReport) -> Void
  ) -> any WidgetConnection {
    lastNumber += 1
    let new = RemoteCard(lastNumber, card, on: self, limits: limits, report: report)
    cards[lastNumber] = new
    if case .open = state { begin(new) } else { connect() }
    return new
  }

  // MARK: - The connection

  private func didConnect(_ result: Result<RemoteCommand, RemoteFailure>) {
    guard case .connecting = state else { return }
    switch result {
    case .failure(let failure): fail(.away(failure.description))
    case .success(let command):
      do throws(HostError) {
        state = .greeting(try start(command))
        deadline = clock.schedule(after: Self.patience) { [weak self] in
          self?.lose("it did not answer in time")
        }
      } catch {
        fail(.violation(error.description))
      }
    }
  }

  private func start(_ command: RemoteCommand) throws(HostError) -> ChildRun {
    framer = LineFramer(byteLimit: limits.lineBytes + PageFrame.headBytes)
    (skippedBytes, lastWords) = (0, nil)
    lastRun += 1
    let number = lastRun
    var queue = OutputQueue()
    (queue.messageLimit, queue.byteLimit) = Self.queue
    let words = "exec today serve --page \(ShellWord.quoted(name ?? ""))"
    let run = try ChildRun(
      LaunchDescription(
        program: command.program,
        arguments: command.arguments(words),
        environment: environment,
        folder: "/"
      ),
      ChildRun.Terms(
        input: .pipe(queue),
        output: .passed { [weak self] in self?.isPresent(number) == true ? self?.read($0) : nil },
        errors: .lines { [weak self] in
          if self?.isPresent(number) == true { self?.lastWords = $0.last }
        }
      ),
      clock: clock
    ) { [weak self] in if self?.isPresent(number) == true { self?.didEnd($0.status) } }
    var order = PageOrder()
    order.protocol = PageFrame.protocolVersion
    _ = run.input?.send(order.line)
    return run
  }

  /// Whether what a run reports is of the present connection: one that was given up may end after the next began.
  private func isPresent(_ number: Int) -> Bool { number == lastRun }

  private var run: ChildRun? {
    switch state {
    case .idle, .connecting: nil
    case .greeting(let run), .open(let run): run
    }
  }

  private func didEnd(_ status: TerminationStatus) {
    let isOpen = if case .open = state { true } else { false }
    guard run != nil else { return }
    switch status {
    case RemoteCommand.connectionFailure:
      fail(.away(RemoteFailure.lost(host.destination).description))
    case .exited(127), .exited(126):
      fail(.violation("today is not installed on \(machine), or not in its PATH"))
    case .exited(64) where !isOpen:
      fail(.violation("today on \(machine) is too old to show its pages; update it there"))
    case _ where !isOpen && status != .exited(0):
      let words = lastWords.map { line in
        line.string.hasPrefix("today: ") ? String(line.string.dropFirst(7)) : line.string
      }
      fail(.violation("\(machine): \(words ?? "\(status)")"))
    default: fail(.away("today on \(machine) has ended: \(lastWords?.string ?? "\(status)")"))
    }
  }

  /// Gives the connection up, as the machine does not keep to what was agreed on.
  private func lose(_ words: String) {
    guard let run else { return }
    run.kill()
    fail(.away("\(machine): \(words)"))
  }

  private func fail(_ reason: WidgetReport) {
    deadline?.cancel()
    state = .idle
    if case .away(let words) = reason { onTrouble?(words) }
    if case .violation(let words) = reason { onTrouble?(words) }
    let open = cards
    cards = [:]
    for (_, card) in open.sorted(by: { $0.key < $1.key }) { card.fail(reason) }
  }

  // MARK: - From the machine

  private func read(_ bytes: [UInt8]) -> Duration? {
    framer.append(bytes)
    var lines = 0
    do throws(LineTooLong) {
      while let line = try framer.next() {
        take(line)
        lines += 1
      }
    } catch {
      lose("too large: \(error)")
      return nil
    }
    // A machine that says too much is read slowly, and its cards are ended by their own limits.
    let part = bytes.count / Self.cardsAtOnce
    switch budget.spend(part, lines: lines, at: clock.now) {
    case .readOn: return nil
    case .pause(let pause): return pause
    case .exhausted: return Self.longPause
    }
  }

  private func take(_ line: ArraySlice<UInt8>) {
    guard let frame = PageFrame(line) else { return skip(line) }
    guard frame.card == PageFrame.page else {
      if case .open = state { cards[frame.card]?.take(frame.message) }
      return
    }
    guard let news = PageCoding.decode(PageNews.self, frame.message) else { return skip(line) }
    switch state {
    case .idle, .connecting: return
    case .greeting(let run):
      guard let version = news.protocol else { return skip(line) }
      greet(run, version, news)
    case .open: break
    }
    guard case .open = state else { return }
    if let cards = news.cards { onCards?(Array(cards.prefix(PageServer.cardLimit))) }
    if let log = news.log { cards[log.number]?.log(log.lines) }
    if let failure = news.failed {
      cards.removeValue(forKey: failure.number)?.fail(.violation(SafeText(failure.words).string))
    }
    if let end = news.ended { cards.removeValue(forKey: end.number)?.didEnd(end.status) }
  }

  /// What a login shell prints before the program is skipped.
  private func skip(_ line: ArraySlice<UInt8>) {
    skippedBytes += line.count
    if case .greeting = state, skippedBytes < Self.greetingBytes { return }
    lose("its answer is not that of today serve; check what its login shell prints")
  }

  private func greet(_ run: ChildRun, _ version: Int, _ news: PageNews) {
    guard version > 0 else {
      return lose("its answer is not that of today serve; check what its login shell prints")
    }
    guard version <= PageFrame.protocolVersion else {
      run.kill()
      let words = SafeText(news.today ?? "").string.prefix(40)
      return fail(
        .violation("today \(words) on \(machine) is newer than this one; update it here")
      )
    }
    deadline?.cancel()
    state = .open(run)
    for (_, card) in cards.sorted(by: { $0.key < $1.key }) { begin(card) }
  }

  // MARK: - To the machine

  private func begin(_ card: RemoteCard) {
    let opening = PageOrder.Opening(number: card.number, card: card.card)
    send(PageOrder(\.open, opening).line)
    card.begin()
  }

  func send(_ line: [UInt8]) {
    guard case .open(let run) = state, let input = run.input else { return }
    if !input.send(line) { lose("it is not responding: \(input.waiting)") }
  }

  /// A card has ended here; nothing of it is taken any more.
  func forget(_ number: Int) { cards[number] = nil }
}
