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
  private var parser = InputParser()

  /// Called with what the terminal says of itself, which is not a key.
  var onReport: (TerminalReport) -> Void = { _ in }

  /// Whether the terminal tells when it gets and loses the focus.
  var followsFocus = false

  /// How many bytes are read in one turn of the event loop, which a terminal that never stops to send
  /// does not hold up.
  private static let turnBytes = 256 * 1024
  private static let readBytes = 4096

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

  /// Reads the characters of a locale and the keys of a terminal from now on.
  func prepare(_ encoding: InputEncoding, _ extras: ExtraSequences) {
    parser = InputParser(encoding: encoding, extras: extras)
  }

  /// When keys can be read although nothing is sent any more, as the time of what has begun is over.
  var deadline: ContinuousClock.Instant? { parser.deadline }

  /// All keys that can be read without waiting.
  func keys() -> [Key] {
    var keys: [Key] = []
    for event in events() {
      switch event {
      case .key(let stroke): Key(stroke).map { keys.append($0) }
      case .paste(let text): keys.append(.paste(text))
      case .pointer(let report):
        guard let event = MouseEvent(report) else { continue }
        // Of the places of a pointer that is moved, only the last one matters.
        if event.action == .drag, case .mouse(let before)? = keys.last, before.action == .drag {
          keys.removeLast()
        }
        keys.append(.mouse(event))
      case .focus(let isFocused): if followsFocus { onReport(.focus(isFocused)) }
      case .answer(let sequence): TerminalReport(sequence).map(onReport)
      }
    }
    return keys
  }

  /// The descriptor that becomes readable.
  var source: Int32 { terminal }

  /// Reads everything that can be read without waiting, and reports what the terminal says; returns the rest.
  func drain() -> [InputEvent] {
    events().filter { event in
      guard case .answer(let sequence) = event else { return true }
      TerminalReport(sequence).map(onReport)
      return false
    }
  }

  /// Everything that can be read without waiting.
  private func events() -> [InputEvent] {
    var events: [InputEvent] = []
    var buffer = [UInt8](repeating: 0, count: Self.readBytes)
    var left = Self.turnBytes
    while left > 0, Self.isReadable(terminal) {
      let count = unsafe read(terminal, &buffer, buffer.count)
      guard count > 0 else { break }
      events += parser.take(Array(buffer.prefix(count)), at: .now)
      left -= count
    }
    return events + parser.expire(at: .now)
  }

  private static func isReadable(_ descriptor: Int32) -> Bool {
    var state = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return unsafe poll(&state, 1, 0) > 0 && state.revents & Int16(POLLIN) != 0
  }
}
