internal import CTestPlatform
internal import Glibc

/// A program in the foreground of a new terminal, as if a shell had started it.
///
/// Its output goes to a `TestScreen`, and typed keys go to it. Nothing here sleeps: every
/// wait is a `poll` that ends when the condition holds, or at the one deadline. It is a class
/// because it owns a session and its descriptors; `deinit` kills the program.
package final class PseudoTerminal {
  package let screen: TestScreen
  package private(set) var status: ProgramStatus = .running
  /// The program's pid, which is also its process group; nil until it has started.
  package private(set) var pid: Int32?
  /// The terminal's settings before the program could change them.
  package let originalAttributes: TerminalAttributes

  /// The limit of bytes to read; nil for no limit.
  ///
  /// At 0 the terminal is blocked, and the output of the program fills it.
  package var readLimit: Int?

  /// Whether questions of the program are answered at once; otherwise the answers are kept.
  package var answersQuestions = true
  /// What the terminal would have answered.
  package private(set) var keptAnswers: [UInt8] = []

  private var terminal: Int32
  private var control: Int32 = -1
  private let leader: Int32

  package init(_ program: ProgramDescription, columns: Int = 80, rows: Int = 24) throws {
    screen = TestScreen(columns: columns, rows: rows)
    let master = test_terminal_open(UInt16(columns), UInt16(rows))
    guard master >= 0 else { throw SystemCallFailure(call: "posix_openpt", code: -master) }
    terminal = master
    originalAttributes = TerminalAttributes(terminal: master)
    var socket: Int32 = -1
    let leader = unsafe program.withProgram { unsafe test_session_start(master, $0, &socket) }
    self.leader = leader
    guard leader > 0 else {
      close(master)
      throw SystemCallFailure(call: "fork", code: -leader)
    }
    control = socket
  }

  deinit {
    hangUp()
    // The leader kills the program when this end of the socket is gone.
    close(control)
    _ = test_wait(leader)
  }

  // MARK: - What a person does

  /// Types bytes; keys that are more than a character are in `Key`.
  package func type(_ keys: some Collection<UInt8>) throws {
    var left = Array(keys)[...]
    let deadline = TestDeadline.next
    while !left.isEmpty {
      let count = unsafe left.withUnsafeBytes { unsafe write(terminal, $0.baseAddress, $0.count) }
      if count > 0 {
        left = left.dropFirst(count)
      } else if count < 0, errno != EAGAIN, errno != EINTR {
        throw SystemCallFailure(call: "write to the terminal", code: errno)
      } else if count < 0, ContinuousClock.now >= deadline {
        throw SystemCallFailure(call: "write to a program that does not read", code: EAGAIN)
      } else {
        try pump(until: min(deadline, .now + .milliseconds(10)))
      }
    }
  }

  package func type(_ keys: String) throws { try type(Array(keys.utf8)) }

  /// Presses a key; after Esc as much time passes as between the keys of a person, as it would otherwise be Alt with
  /// the next key.
  package func press(_ key: Key) throws {
    try type(key.bytes)
    guard case .escape = key else { return }
    try pass(.milliseconds(120))
  }

  /// Types the same keys repeatedly, as with a key that is held down, until the condition holds:
  /// for elements that move when other cards grow.
  package func hold(
    _ keys: some Collection<UInt8>,
    for condition: String,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    until holds: (TestScreen) -> Bool
  ) throws {
    var next = ContinuousClock.now
    let deadline = TestDeadline.next
    while !holds(screen), .now < deadline, !status.hasEnded {
      if .now >= next {
        try type(keys)
        next = .now + .milliseconds(30)
      }
      try pump(until: next)
    }
    try wait(for: condition, fileID: fileID, line: line, until: holds)
  }

  /// Clicks the given text, or turns the wheel there.
  package func click(_ words: String, with button: MouseButton = .left) throws {
    try waitForText(words)
    guard let place = screen.position(of: words) else { return }
    try type(screen.click(button, column: place.column, row: place.row))
  }

  /// Presses the button over one text, and lets it go over another.
  package func drag(_ words: String, to target: String) throws {
    try waitForText(words)
    guard let start = screen.position(of: words), let end = screen.position(of: target) else {
      return
    }
    // A click is the report of a press, and that of its end.
    let press = screen.click(.left, column: start.column, row: start.row)
    let release = screen.click(.left, column: end.column, row: end.row)
    try type(press[..<(press.lastIndex(of: 0x1B) ?? press.endIndex)])
    try type(release[(release.lastIndex(of: 0x1B) ?? release.startIndex)...])
  }

  /// Presses the button over one text, and moves the pointer to a cell without letting the button go.
  package func hold(_ words: String, overColumn column: Int, row: Int) throws {
    try waitForText(words)
    guard let start = screen.position(of: words) else { return }
    let press = screen.click(.left, column: start.column, row: start.row)
    try type(press[..<(press.lastIndex(of: 0x1B) ?? press.endIndex)])
    try move(toColumn: column, row: row)
  }

  /// Moves the pointer to a cell with the button held down (xterm, Button-event tracking).
  package func move(toColumn column: Int, row: Int) throws {
    try type("\u{1B}[<32;\(column + 1);\(row + 1)M")
  }

  /// Lets the button go over a cell.
  package func letGo(overColumn column: Int, row: Int) throws {
    let release = screen.click(.left, column: column, row: row)
    try type(release[(release.lastIndex(of: 0x1B) ?? release.startIndex)...])
  }

  /// Changes the size of the terminal, as when resizing a window.
  package func resize(columns: Int, rows: Int) throws {
    screen.resize(columns: columns, rows: rows)
    let result = test_terminal_resize(terminal, UInt16(columns), UInt16(rows))
    guard result == 0 else { throw SystemCallFailure(call: "TIOCSWINSZ", code: -result) }
  }

  /// Tells the program another size than the screen has.
  package func claim(columns: Int, rows: Int) throws {
    let result = test_terminal_resize(terminal, UInt16(columns), UInt16(rows))
    guard result == 0 else { throw SystemCallFailure(call: "TIOCSWINSZ", code: -result) }
  }

  /// Sends a signal to the program alone, not to its group.
  package func signal(_ number: Int32) { request(TEST_REQUEST_SIGNAL, number) }

  /// Puts a stopped program into the foreground again, as the shell's `fg`.
  package func foreground() { request(TEST_REQUEST_FOREGROUND, 0) }

  /// Stops the output of the terminal, as another program can (tcflow(3)).
  package func stopOutput() throws {
    let result = test_terminal_stop(terminal)
    guard result == 0 else { throw SystemCallFailure(call: "tcflow", code: -result) }
  }

  /// Closes the terminal, as closing its window does.
  package func hangUp() {
    guard terminal >= 0 else { return }
    close(terminal)
    terminal = -1
  }

  /// The terminal's settings now.
  package var attributes: TerminalAttributes { TerminalAttributes(terminal: terminal) }

  // MARK: - Waiting

  /// Reads output until the condition holds, for `patience` times the usual deadline.
  /// - Throws: `WaitFailure` with the screen when the deadline passes, or the program ends before.
  package func wait(
    for condition: String,
    patience: Int = 1,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    until holds: (TestScreen) -> Bool
  ) throws {
    try wait(for: condition, patience, orEnd: true, location: "\(fileID):\(line)") {
      holds(screen)
    }
  }

  /// Reads output until the text is on the screen.
  package func waitForText(
    _ words: String,
    fileID: StaticString = #fileID,
    line: UInt = #line
  ) throws {
    try wait(for: "“\(words)” on the screen", orEnd: true, location: "\(fileID):\(line)") {
      screen.contains(words)
    }
  }

  /// Reads output until the program has the status.
  package func wait(
    for condition: String,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    status holds: (ProgramStatus) -> Bool
  ) throws {
    try wait(for: condition, orEnd: false, location: "\(fileID):\(line)") { holds(status) }
  }

  /// Waits for the end of the program and reads all output; returns its status.
  @discardableResult
  package func waitForEnd(
    fileID: StaticString = #fileID,
    line: UInt = #line
  ) throws -> ProgramStatus {
    try wait(for: "the program's end", orEnd: false, location: "\(fileID):\(line)") {
      status.hasEnded
    }
    return status
  }

  /// Reads output until the program has drawn everything and waits, with nothing due for this long.
  ///
  /// - Throws: `WaitFailure` if it does not rest before the deadline.
  package func settle(
    calm: Duration = .milliseconds(20),
    fileID: StaticString = #fileID,
    line: UInt = #line
  ) throws {
    try wait(for: "a program that rests", orEnd: false, location: "\(fileID):\(line)") {
      let rests = pid.map { ProgramRest(pid: $0).lasts(calm) } ?? false
      guard status.hasEnded || rests else { return false }
      // What it wrote before it ended or came to rest has been read when there is nothing more.
      return (try? pump(until: .now + .milliseconds(20))) == false
    }
  }

  /// Lets the time go by in which a person reads a question: the program takes no answer to one that has just come.
  package func readQuestion() throws {
    let deadline = TestDeadline.next
    while try pump(until: min(deadline, .now + .milliseconds(800))), .now < deadline {}
  }

  /// Lets time go by, where it is what the program goes by.
  package func pass(_ duration: Duration) throws {
    let end = ContinuousClock.now + duration
    while .now < end { try pump(until: end) }
  }

  private func wait(
    for condition: String,
    _ patience: Int = 1,
    orEnd: Bool,
    location: String,
    until holds: () -> Bool
  ) throws {
    let limit = TestDeadline.duration * patience
    let deadline = ContinuousClock.now + limit
    while !holds() {
      let hadEnded = status.hasEnded
      // A condition may be about files or processes, of which the terminal brings no news.
      let came = try pump(until: hadEnded ? .now : min(deadline, .now + .milliseconds(20)))
      guard !came, !holds() else { continue }
      let ended = hadEnded && orEnd
      guard ended || .now >= deadline else { continue }
      throw WaitFailure(
        condition: condition,
        reason: ended ? "the program ended: \(status)" : "\(limit) went by",
        picture: "status: \(status), screen \(screen.columns)×\(screen.lineCount):\n\(screen.text)",
        location: location
      )
    }
  }

  /// Waits once for output or a change of status, and handles them; false after the deadline.
  @discardableResult
  package func pump(until deadline: ContinuousClock.Instant) throws -> Bool {
    var watched = [
      pollfd(fd: readLimit == 0 ? -1 : terminal, events: Int16(POLLIN), revents: 0),
      pollfd(fd: control, events: Int16(POLLIN), revents: 0),
    ]
    let count = unsafe poll(&watched, nfds_t(watched.count), deadline.pollTimeout)
    guard count >= 0 || errno == EINTR else {
      throw SystemCallFailure(call: "poll", code: errno)
    }
    guard count > 0 else { return false }
    // The news first: output that came before an end is then read before anyone believes it.
    let hasNews = watched[1].revents != 0 && takeNews()
    let hasOutput = try takeOutput()
    return hasNews || hasOutput
  }

  private func takeOutput() throws -> Bool {
    guard terminal >= 0 else { return false }
    var buffer = [UInt8](repeating: 0, count: 65_536)
    var total = 0
    // Bounded, so that a program that never stops writing cannot keep a test from its deadline.
    while total < 1 << 20 {
      let count = unsafe read(terminal, &buffer, min(buffer.count, readLimit ?? .max))
      guard count > 0 else { break }
      total += count
      readLimit = readLimit.map { $0 - count }
      let answer = screen.write(buffer.prefix(count))
      if !answersQuestions {
        keptAnswers += answer
      } else if !answer.isEmpty {
        try type(answer)
      }
    }
    return total > 0
  }

  private func takeNews() -> Bool {
    var event = test_event()
    let size = MemoryLayout<test_event>.size
    guard unsafe recv(control, &event, size, 0) == size, let news = ProgramStatus(event) else {
      return false
    }
    if event.kind == TEST_EVENT_STARTED.rawValue { pid = event.value }
    status = news
    return true
  }

  private func request(_ kind: test_request_kind, _ value: Int32) {
    var request = test_event(kind: Int32(kind.rawValue), value: value)
    _ = unsafe send(control, &request, MemoryLayout<test_event>.size, Int32(MSG_NOSIGNAL))
  }
}
