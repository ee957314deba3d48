import WidgetExtensions
package import WidgetKitCore
package import WidgetPlatform

/// The other side of a ``RemotePage``: runs the widgets of a page for a program on another machine, which reads and
/// writes all their messages through standard input and output.
@MainActor package final class PageServer {
  /// Finds the settings of a widget; why it cannot be started, if it lacks one.
  package typealias Configure = (
    _ member: ServedPage.Placement,
    _ completion: @escaping (Result<WidgetConfiguration?, HostError>) -> Void
  ) -> Void

  private var page: ServedPage
  private let terms: ServingTerms
  private let configure: Configure
  private let completion: (SafeText?) -> Void
  private let input = PipeReader(descriptor: 0)
  private let output: PipeWriter
  private var framer: LineFramer
  private var widgets: [Int: Entry] = [:]
  private var isHeld = false
  private var isEnding = false

  /// The widget with a number.
  private enum Entry {
    /// Its settings are being read; these lines wait.
    case preparing([ArraySlice<UInt8>])
    case running(ServedWidget)
  }

  /// The most widgets that run at once.
  package nonisolated static let cardLimit = 200
  /// The bytes that wait for the page before the widgets are read no more, so that one that says much ends no other.
  private let heldBytes: Int

  /// Begins to serve; standard input and output belong to the page from now on.
  ///
  /// - Parameters:
  ///   - page: The page.
  ///   - terms: What its widgets have here.
  ///   - configure: Finds the settings of a widget.
  ///   - completion: Called once, when the other program is gone and all widgets have ended, with why it was
  ///     refused if it was.
  package init(
    _ page: ServedPage,
    _ terms: ServingTerms,
    configure: @escaping Configure,
    completion: @escaping (SafeText?) -> Void
  ) {
    (self.page, self.terms, self.configure) = (page, terms, configure)
    self.completion = completion
    let limits = terms.limits
    framer = LineFramer(byteLimit: limits.lineBytes + PageFrame.headBytes)
    heldBytes = limits.queuedBytes
    var queue = OutputQueue()
    queue.messageLimit = limits.queuedMessages * Self.cardLimit
    queue.byteLimit = limits.queuedBytes * 16
    output = PipeWriter(descriptor: 1, queue: queue)
    StandardPipes.unblock()
    output.onDrain = { [weak self] in self?.hold(false) }
    input.start { [weak self] in self?.read() }
    var news = PageNews()
    news.protocol = PageFrame.protocolVersion
    news.today = terms.version
    (news.page, news.cards) = (page.name, page.cards)
    tell(news)
  }

  /// The page has other cards now.
  package func change(to page: ServedPage) {
    let isOther = page.cards != self.page.cards
    self.page = page
    guard isOther, !isEnding else { return }
    var news = PageNews()
    (news.page, news.cards) = (page.name, page.cards)
    tell(news)
  }

  // MARK: - From the other program

  private func read() {
    if let bytes = input.read(atMost: 64 * 1024) {
      framer.append(bytes)
      do {
        while let line = try framer.next() { take(line) }
      } catch {
        end("ended: \(SafeText("\(error)"))")
      }
    } else if !input.isOpen {
      end(nil)
    }
  }

  private func take(_ line: ArraySlice<UInt8>) {
    guard !isEnding else { return }
    guard let frame = PageFrame(line) else { return end("ended: a line without a number came") }
    guard frame.card == PageFrame.page else { return pass(frame) }
    guard let order = PageCoding.decode(PageOrder.self, frame.message) else { return }
    if let version = order.protocol, version > PageFrame.protocolVersion {
      // These words are read on the other machine.
      return end(
        "the page needs version \(version), but today \(SafeText(terms.version)) on this machine supports \(PageFrame.protocolVersion); update it there"
      )
    }
    if let opening = order.open { open(opening) }
    if let number = order.close { close(number) }
    if let number = order.terminate { widget(number)?.signal(.terminate) }
    if let number = order.kill { kill(number) }
    if let number = order.suspend { widget(number)?.suspend() }
    if let number = order.resume { widget(number)?.signal(.resume) }
  }

  private func pass(_ frame: PageFrame) {
    switch widgets[frame.card] {
    case .preparing(let lines):
      guard lines.count < terms.limits.queuedMessages else { return }
      widgets[frame.card] = .preparing(lines + [frame.message])
    case .running(let widget): widget.send(frame.message)
    // It has ended, which the other side does not know yet.
    case nil: break
    }
  }

  private func widget(_ number: Int) -> ServedWidget? {
    if case .running(let widget) = widgets[number] { widget } else { nil }
  }

  private func open(_ opening: PageOrder.Opening) {
    let number = opening.number
    guard widgets[number] == nil, number > PageFrame.page else { return }
    guard widgets.count < Self.cardLimit,
      let member = page.members.first(where: { $0.card.id == opening.card })
    else { return fail(number, "it is not on the page there any more") }
    widgets[number] = .preparing([])
    configure(member) { [weak self] in self?.start(number, member, $0) }
  }

  private func start(
    _ number: Int,
    _ member: ServedPage.Placement,
    _ configuration: Result<WidgetConfiguration?, HostError>
  ) {
    guard case .preparing(let lines) = widgets[number], !isEnding else { return }
    do throws(HostError) {
      let widget = try ServedWidget(
        member.bundle,
        member.id,
        terms,
        settings: .own(try configuration.get()),
        pass: { [weak self] in self?.write(number, $0) ?? false },
        log: { [weak self] in self?.note(number, $0) },
        completion: { [weak self] in self?.didEnd(number, $0) }
      )
      widgets[number] = .running(widget)
      if isHeld { widget.holdBack(true) }
      for line in lines { widget.send(line) }
    } catch {
      fail(number, error.description)
    }
  }

  private func close(_ number: Int) {
    switch widgets[number] {
    case .running(let widget): widget.close()
    case .preparing: didEnd(number, .exited(0))
    case nil: break
    }
  }

  private func kill(_ number: Int) {
    switch widgets[number] {
    case .running(let widget): widget.signal(.kill)
    case .preparing: didEnd(number, .signaled(9))
    case nil: break
    }
  }

  // MARK: - To the other program

  private func tell(_ news: PageNews) { send(news.line) }

  private func write(_ number: Int, _ line: ArraySlice<UInt8>) -> Bool {
    send(PageFrame.line(number, line))
  }

  @discardableResult
  private func send(_ line: [UInt8]) -> Bool {
    guard !isEnding else { return true }
    guard output.send(line) else {
      end("ended: the page does not read; \(SafeText(output.waiting))")
      return false
    }
    if output.waitingBytes > heldBytes { hold(true) }
    return true
  }

  private func hold(_ isHeld: Bool) {
    guard isHeld != self.isHeld else { return }
    self.isHeld = isHeld
    for case .running(let widget) in widgets.values { widget.holdBack(isHeld) }
  }

  private func note(_ number: Int, _ words: SafeText) {
    var news = PageNews()
    news.log = PageNews.Log(number: number, lines: [words.string])
    tell(news)
  }

  private func fail(_ number: Int, _ words: String) {
    var news = PageNews()
    news.failed = PageNews.Failure(number: number, words: words)
    tell(news)
    didEnd(number, .unknown)
  }

  private func didEnd(_ number: Int, _ status: TerminationStatus) {
    widgets[number] = nil
    var news = PageNews()
    news.ended = PageNews.End(number, status)
    tell(news)
    endIfDone()
  }

  // MARK: - The end

  /// Why the other program was refused.
  private var refusal: SafeText?

  private func end(_ refusal: SafeText?) {
    guard !isEnding else { return }
    isEnding = true
    self.refusal = refusal
    input.stop()
    for (number, entry) in widgets {
      switch entry {
      case .preparing: widgets[number] = nil
      case .running(let widget):
        // A widget that is stopped or held back could not end.
        widget.signal(.resume)
        widget.holdBack(false)
        widget.close()
      }
    }
    endIfDone()
  }

  private func endIfDone() {
    guard isEnding, widgets.isEmpty else { return }
    // What calls this is still at work with the last widget.
    MainQueue.perform { self.completion(self.refusal) }
  }
}
