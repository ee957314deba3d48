import Glibc
import TerminalInput

/// The terminal without echo and lines, for as long as this value exists, to ask it something.
///
/// What is typed meanwhile is given back to the terminal at the end, where the system allows that.
nonisolated struct RawTerminal: ~Copyable {
  private var saved = termios()
  private var parser = InputParser(expectsPosition: true)
  private var typedAhead = TypedAhead()
  /// The last byte of an answer that has not come.
  private var missing: Character?
  private var isInterrupted = false

  /// The most bytes of an answer.
  private static let answerLimit = 4_096

  init?() {
    guard unsafe tcgetattr(STDIN_FILENO, &saved) == 0 else { return nil }
    var raw = saved
    raw.c_lflag &= ~UInt32(ICANON | ECHO | ISIG)
    guard unsafe tcsetattr(STDIN_FILENO, TCSANOW, &raw) == 0 else { return nil }
  }

  deinit {
    var (saved, typedAhead, parser) = (saved, typedAhead, parser)
    if let missing, !isInterrupted {
      // An answer that comes now would be typed into the shell.
      _ = Self.read(
        until: missing,
        within: TerminalAnswers.farewellPatience,
        &parser,
        &typedAhead
      )
    }
    // What waits was typed behind it, and stays behind it.
    while !typedAhead.isEmpty, let byte = Self.nextByte(within: 0) {
      typedAhead.take(parser.take([byte], at: .now))
    }
    unsafe tcsetattr(STDIN_FILENO, TCSANOW, &saved)
    typedAhead.giveBack(to: STDIN_FILENO)
  }

  func send(_ text: String) {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes {
        unsafe write(STDOUT_FILENO, $0.baseAddress, $0.count)
      }
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }

  /// Sends a question and reads until the last byte of the answer; nil if it does not come in time, and after
  /// Ctrl-C.
  mutating func ask(
    _ text: String,
    endsWith end: Character,
    within milliseconds: Int32
  ) -> [UInt8]? {
    guard !isInterrupted else { return nil }
    send(text)
    missing = end
    let result = Self.read(
      until: end,
      within: .milliseconds(Int(milliseconds)),
      &parser,
      &typedAhead
    )
    switch result {
    case .answer(let bytes):
      missing = nil
      return bytes
    case .interrupted:
      isInterrupted = true
      return nil
    case .late: return nil
    }
  }

  private enum Result {
    case answer([UInt8])
    case interrupted
    case late
  }

  /// The next byte; nil if none comes in some milliseconds.
  private static func nextByte(within milliseconds: Int32) -> UInt8? {
    var state = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
    guard unsafe poll(&state, 1, milliseconds) > 0 else { return nil }
    var byte: UInt8 = 0
    return unsafe Glibc.read(STDIN_FILENO, &byte, 1) == 1 ? byte : nil
  }

  private static func read(
    until end: Character,
    within time: Duration,
    _ parser: inout InputParser,
    _ typedAhead: inout TypedAhead
  ) -> Result {
    var answer: [UInt8] = []
    let deadline = ContinuousClock.now + time
    while answer.count < answerLimit {
      let left = Int32((ContinuousClock.now.duration(to: deadline) / .milliseconds(1)).rounded(.up))
      guard left > 0, let byte = nextByte(within: left) else { return .late }
      answer.append(byte)
      let events = parser.take([byte], at: .now)
      let hasEnded = events.contains { event in
        guard case .answer(.control(let sequence)) = event else { return false }
        return Character(Unicode.Scalar(sequence.final)) == end
      }
      if hasEnded { return .answer(answer) }
      if events.contains(.key(KeyStroke(.character("c"), .control))) { return .interrupted }
      typedAhead.take(events)
    }
    return .late
  }
}
