import CPlatform
import Glibc
import TerminalInput
import WidgetKitCore

/// Reads what the terminal sends: keys for the page, and what the terminal says of itself.
///
/// ncurses reads nothing: it knows only the keys of the terminal's description, keeps eight events of the mouse, and
/// takes Alt for Esc and a letter. A class because it owns descriptors, until the program exits.
final class Keyboard {
  /// A descriptor without bytes, for ncurses.
  let descriptor: Int32
  private let terminal: Int32
  private var encoding = InputEncoding.utf8
  private var expectsPosition = false
  private var extras: () -> ExtraSequences = { ExtraSequences() }
  /// Made when something is read, so that the first picture does not wait for the description's hundred keys.
  private lazy var parser = InputParser(
    encoding: encoding,
    extras: extras(),
    expectsPosition: expectsPosition
  )

  /// Called with what the terminal says of itself, which is not a key.
  var onReport: (TerminalReport) -> Void = { _ in }

  /// Whether the terminal tells when it gets and loses the focus.
  var followsFocus = false

  /// How many bytes are read in one turn of the event loop, which a terminal that never stops to send
  /// does not hold up.
  private static let turnBytes = 256 * 1024
  private static let readBytes = 4096
  /// Up to how many bytes somebody may have typed.
  private static let typedBytes = 1024

  /// Opens the keyboard; nil if there are no free descriptors.
  init?(terminal: Int32) {
    // A descriptor that is not shared can be non-blocking.
    let own = platform_terminal_reopen(terminal)
    self.terminal = own >= 0 ? own : terminal
    var ends: [Int32] = [-1, -1]
    guard unsafe platform_pipe(&ends) == 0 else { return nil }
    // The other end stays open, so that this one never ends.
    descriptor = ends[0]
    for end in ends { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
  }

  /// Sets the characters of the locale, whether the terminal is asked where its cursor is, and the keys of the
  /// terminal; call it before anything is read.
  func prepare(
    _ encoding: InputEncoding,
    expectsPosition: Bool = false,
    _ extras: @escaping () -> ExtraSequences
  ) {
    (self.encoding, self.expectsPosition, self.extras) = (encoding, expectsPosition, extras)
  }

  /// When keys can be read although nothing is sent any more, as the time of what has begun is over.
  var deadline: ContinuousClock.Instant? { parser.deadline }

  /// Whether what was typed behind a key may be for the program that has the terminal next.
  var mayLeave: (Key) -> Bool = { _ in false }

  /// All keys that can be read without waiting, up to one that may leave the terminal to another program.
  func keys() -> [Key] {
    var keys: [Key] = []
    read { event in
      switch event {
      case .key(let stroke):
        guard let key = Key(stroke) else { break }
        keys.append(key)
        return mayLeave(key)
      case .paste(let text):
        if case .paste(let before)? = keys.last {
          keys[keys.count - 1] = .paste(before + text)
        } else {
          keys.append(.paste(text))
        }
      case .pointer(let report):
        guard let event = MouseEvent(report) else { break }
        // Of the places of a pointer that is moved, only the last one matters.
        if event.action == .drag, case .mouse(let before)? = keys.last, before.action == .drag {
          keys.removeLast()
        }
        keys.append(.mouse(event))
      case .focus(let isFocused): if followsFocus { onReport(.focus(isFocused)) }
      case .answer(let sequence): TerminalReport(sequence).map(onReport)
      }
      return false
    }
    return keys
  }

  /// The descriptor that becomes readable.
  var source: Int32 { terminal }

  /// Reads what can be read without waiting while `isNeeded`, and reports what the terminal says; returns the rest.
  func drain(while isNeeded: () -> Bool) -> [InputEvent] {
    var rest: [InputEvent] = []
    guard isNeeded() else { return rest }
    read { event in
      if case .answer(let sequence) = event {
        TerminalReport(sequence).map(onReport)
      } else {
        rest.append(event)
      }
      return !isNeeded()
    }
    return rest
  }

  /// Reads everything that can be read without waiting, or up to an event for which `isLast` returns true.
  ///
  /// What people type is read byte by byte, as a byte that was read cannot be given back to the terminal.
  private func read(until isLast: (InputEvent) -> Bool) {
    var buffer = [UInt8](repeating: 0, count: Self.readBytes)
    var left = Self.turnBytes
    while left > 0, Self.isReadable(terminal) {
      let isTyped = platform_terminal_waiting(terminal) <= Self.typedBytes
      let count = unsafe Glibc.read(terminal, &buffer, isTyped ? 1 : buffer.count)
      guard count > 0 else { break }
      left -= count
      var hasEnded = false
      for event in parser.take(Array(buffer.prefix(count)), at: .now) where isLast(event) {
        hasEnded = true
      }
      if hasEnded { return }
    }
    for event in parser.expire(at: .now) { _ = isLast(event) }
  }

  private static func isReadable(_ descriptor: Int32) -> Bool {
    var state = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return unsafe poll(&state, 1, 0) > 0 && state.revents & Int16(POLLIN) != 0
  }
}

extension Keyboard {
  /// Reads what comes within a time while something is awaited, such as an answer of the terminal; returns the rest.
  func drain(within patience: Duration, while isNeeded: () -> Bool) -> [InputEvent] {
    let end = ContinuousClock.now + patience
    var rest: [InputEvent] = []
    while isNeeded(), ContinuousClock.now < end {
      var state = pollfd(fd: source, events: Int16(POLLIN), revents: 0)
      let left = Int32(ContinuousClock.now.duration(to: end) / .milliseconds(1))
      guard unsafe poll(&state, 1, max(0, left)) > 0 else { break }
      guard state.revents & Int16(POLLHUP | POLLERR) == 0 else { break }
      rest += drain(while: isNeeded)
    }
    return rest
  }

  /// Reads the answers that are on their way, so that no shell reads them.
  ///
  /// - Parameter areExpected: Whether there are any.
  /// - Returns: What was typed meanwhile, which is given back when the terminal is as the shell had it.
  func drainAnswers(while areExpected: () -> Bool) -> TypedAhead {
    var typed = TypedAhead()
    typed.take(drain(within: TerminalAnswers.farewellPatience, while: areExpected))
    // What waits was typed behind it, and stays behind it.
    if !typed.isEmpty { typed.take(drain { true }) }
    return typed
  }
}
