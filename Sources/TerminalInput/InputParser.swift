/// Reads what a terminal sends: keys, the mouse, pasted text, and answers to questions.
///
/// The bytes may come in any portions. Incomplete input is held: an `ESC` for a short time, after which it is the key
/// Esc; a sequence for a longer one, after which it is discarded, as a part of a sequence is not a key. A text without
/// an end is dropped to a limit of length.
///
/// ```swift
/// var parser = InputParser()
/// parser.take([0x1B], at: start)                    // []
/// parser.take([0x5B, 0x41], at: start + .seconds(0.06)) // [.key(KeyStroke(.up))]
/// ```
package struct InputParser: Sendable {
  /// How long to wait for the rest of what has begun.
  package struct Patience: Sendable {
    /// After `ESC`: over a network the bytes of one key may come apart, and nobody types a key so soon after Esc.
    package var escape: Duration = .milliseconds(100)
    /// After `ESC [` and `ESC O`.
    package var introducer: Duration = .milliseconds(300)
    /// After more of a sequence, and after the beginning of a character.
    package var sequence: Duration = .seconds(1)
    /// For the end of a paste, when nothing has come of it.
    package var paste: Duration = .seconds(2)
    /// How much later bytes may be read that came in time, when the program was busy.
    package var lateness: Duration = .milliseconds(500)

    package init() {}
  }

  private enum State: Sendable {
    case keys
    case paste(PastedText)
    /// A sequence that is too long; how many bytes of it were dropped.
    case dropping(InputScanner.Overlong, Int)
  }

  private let scanner: InputScanner
  private let patience: Patience
  private var state = State.keys
  /// The beginning of a key, a sequence or a character.
  private var pending: [UInt8] = []
  private var wait = InputScanner.Wait.sequence
  private var lastTime: ContinuousClock.Instant?

  /// How many bytes of a text without an end are dropped before keys are read again.
  package static let droppedLimit = 256 * 1024

  /// Creates a parser to which nothing was sent.
  ///
  /// - Parameters:
  ///   - encoding: how characters are read.
  ///   - extras: the keys in the description of the terminal.
  ///   - expectsPosition: whether the terminal is asked for the position of the cursor, whose answer is otherwise a
  ///     key on some places of the screen.
  ///   - patience: how long what has begun is awaited.
  package init(
    encoding: InputEncoding = .utf8,
    extras: ExtraSequences = ExtraSequences(),
    expectsPosition: Bool = false,
    patience: Patience = Patience()
  ) {
    scanner = InputScanner(
      encoding: encoding,
      extras: extras,
      expectsPosition: expectsPosition
    )
    self.patience = patience
  }

  /// When ``expire(at:)`` is due unless more bytes have come by then; nil if nothing has begun.
  package var deadline: ContinuousClock.Instant? {
    guard let lastTime else { return nil }
    switch state {
    case .paste: return lastTime + patience.paste
    case .dropping: return lastTime + patience.sequence
    case .keys where pending.isEmpty: return nil
    case .keys:
      return switch wait {
      case .escape: lastTime + patience.escape
      case .introducer: lastTime + patience.introducer
      case .sequence: lastTime + patience.sequence
      }
    }
  }

  /// How many bytes are kept.
  package var pendingCount: Int { pending.count }

  /// Takes bytes that were read at a time.
  package mutating func take(
    _ bytes: [UInt8],
    at now: ContinuousClock.Instant
  ) -> [InputEvent] {
    guard !bytes.isEmpty else { return [] }
    var events: [InputEvent] = []
    if let deadline, now > deadline + patience.lateness { events = expire(at: now) }
    lastTime = now
    let all = pending + bytes
    pending = []
    read(all[...], &events)
    return events
  }

  /// Ends what has begun, when its time is over; nothing happens before that.
  package mutating func expire(at now: ContinuousClock.Instant) -> [InputEvent] {
    guard let deadline, now >= deadline else { return [] }
    var events: [InputEvent] = []
    if case .paste(var text) = state {
      if let rest = text.giveUp() { events.append(.paste(rest)) }
    }
    state = .keys
    while !pending.isEmpty {
      let (event, length) = scanner.giveUp(pending[...])
      if let event { events.append(event) }
      let rest = pending.dropFirst(max(1, length))
      pending = []
      read(rest, &events)
    }
    return events
  }

  private mutating func read(_ bytes: ArraySlice<UInt8>, _ events: inout [InputEvent]) {
    var rest = bytes
    while !rest.isEmpty {
      switch state {
      case .keys: rest = readKey(rest, &events)
      case .paste(var text):
        let (part, behind) = text.take(rest)
        if let part { events.append(.paste(part)) }
        state = behind == nil ? .paste(text) : .keys
        rest = behind ?? []
      case .dropping(let kind, let count): rest = drop(kind, count, rest)
      }
    }
  }

  /// Reads the first key or sequence; returns the bytes behind it.
  private mutating func readKey(
    _ bytes: ArraySlice<UInt8>,
    _ events: inout [InputEvent]
  ) -> ArraySlice<UInt8> {
    switch scanner.scan(bytes) {
    case .event(let event, let length):
      if let event { events.append(event) }
      return bytes.dropFirst(max(1, length))
    case .pasteStart(let length):
      state = .paste(PastedText())
      return bytes.dropFirst(length)
    case .unfinished(let wait):
      pending = Array(bytes)
      self.wait = wait
      return []
    case .overlong(let kind):
      state = .dropping(kind, 0)
      return bytes.dropFirst(2)
    }
  }

  /// Drops bytes up to the end of a sequence; returns those behind it.
  private mutating func drop(
    _ kind: InputScanner.Overlong,
    _ count: Int,
    _ bytes: ArraySlice<UInt8>
  ) -> ArraySlice<UInt8> {
    let inside: ClosedRange<UInt8> = kind == .control ? 0x20...0x3F : 0x20...0xFF
    let body = bytes.prefix(min(bytes.count, Self.droppedLimit - count))
    guard let end = body.firstIndex(where: { !inside.contains($0) }) else {
      let total = count + body.count
      state = total < Self.droppedLimit ? .dropping(kind, total) : .keys
      return bytes.dropFirst(body.count)
    }
    switch (kind, bytes[end]) {
    case (.control, 0x40...0x7E), (.text, 0x07):
      state = .keys
      return bytes[(end + 1)...]
    case (.text, 0x1B):
      if end + 1 == bytes.endIndex {
        // The rest of the end mark is awaited in this state.
        (pending, wait) = ([0x1B], .sequence)
        state = .dropping(kind, count)
        return []
      }
      state = .keys
      return bytes[(bytes[end + 1] == UInt8(ascii: "\\") ? end + 2 : end)...]
    default:
      state = .keys
      return bytes[end...]
    }
  }
}
