import CPlatform
import Glibc
import WidgetPlatform

/// The time in which the terminal is the program's, and its end: nothing of it is left for the shell.
///
/// A class because the terminal must be restored.
final class TerminalSession {
  let keyboard: Keyboard
  let output = TerminalOutput()
  /// The answers that are on their way.
  var answers = TerminalAnswers()
  /// Called when a picture can be shown again after the output was not empty.
  var onReady: () -> Void = {}
  /// Whether the terminal is the program's.
  private(set) var isOpen = true
  /// Called when the terminal has been released; empty unless a release is in progress.
  private var waiting: [() -> Void] = []
  private var patience: (any HostTimer)?
  /// Reads answers that are on their way while the terminal is given back; nil otherwise.
  private var answerWatch: DescriptorWatch?
  private var answerLimit: (any HostTimer)?
  private var typedAhead = TypedAhead()

  /// How long a slow terminal may take for the end of the last picture.
  private static let patienceTime: Duration = .milliseconds(500)

  init(_ keyboard: Keyboard) {
    self.keyboard = keyboard
    output.onEmpty = { [weak self] in self?.outputIsEmpty() }
  }

  /// Whether the terminal has been closed, so that there are no more keys.
  var isClosed: Bool { platform_terminal_is_closed(STDIN_FILENO) != 0 }

  /// Takes the terminal.
  func open() {
    isOpen = true
    platform_terminal_enter_screen()
    platform_guardian_hold_terminal()
  }

  /// Restores the terminal for the shell or for an app, or before the program exits.
  ///
  /// `completion` is called when the terminal has accepted all output and is restored. After half a
  /// second, the rest of the last picture is discarded and only the restore sequence is written.
  /// `farewell` makes the last bytes that are sent.
  func release(
    on clock: any HostClock,
    farewell: () -> [UInt8],
    then completion: @escaping () -> Void
  ) {
    guard isOpen || !waiting.isEmpty else { return completion() }
    waiting.append(completion)
    guard isOpen else { return }
    isOpen = false
    output.send(farewell())
    awaitAnswers(on: clock)
    if !output.isEmpty {
      patience = clock.schedule(after: Self.patienceTime) { [weak self] in
        self?.settle(hasSentAll: false)
      }
    }
    settleWhenDone()
  }

  /// Restores the terminal immediately.
  func release(farewell: () -> [UInt8]) {
    guard isOpen else { return }
    isOpen = false
    output.send(farewell())
    settle(hasSentAll: output.isEmpty)
  }

  /// Reads and discards the answers that are on their way, for a short time, so that no shell reads them.
  private func awaitAnswers(on clock: any HostClock) {
    guard answers.areExpected(at: .now) else { return }
    let watch = DescriptorWatch(keyboard.source, for: .reading) { [weak self] in
      self?.readAnswers()
    }
    answerWatch = watch
    answerLimit = clock.schedule(after: TerminalAnswers.farewellPatience) { [weak self] in
      guard let self else { return }
      readAnswers()
      answers.forget()
      settleWhenDone()
    }
    watch.resume()
  }

  private func readAnswers() {
    typedAhead.take(keyboard.drain { answers.areExpected(at: .now) })
    if isClosed { answers.forget() }
    settleWhenDone()
  }

  /// Gives the terminal back if it has taken everything, and has answered.
  private func settleWhenDone() {
    guard !isOpen, !waiting.isEmpty, output.isEmpty, !answers.areExpected(at: .now) else { return }
    settle(hasSentAll: true)
  }

  private func settle(hasSentAll: Bool) {
    for timer in [patience, answerLimit] { timer?.cancel() }
    (patience, answerLimit) = (nil, nil)
    answerWatch?.pause()
    answerWatch = nil
    answers.forget()
    output.discard()
    // What waits was typed behind it, and stays behind it.
    if !typedAhead.isEmpty { typedAhead.take(keyboard.drain { true }) }
    if hasSentAll { platform_terminal_leave_screen() } else { platform_terminal_restore() }
    typedAhead.giveBack(to: STDIN_FILENO)
    let completions = waiting
    waiting = []
    for completion in completions { completion() }
  }

  private func outputIsEmpty() {
    if isOpen {
      onReady()
    } else {
      settleWhenDone()
    }
  }
}
