import CNcurses
import CPlatform
import Glibc
import Notices
import TerminalInput
import WidgetKitCore

/// Finds out what a terminal can do, without the alternate screen and without leaving anything on it.
enum TerminalProbe {
  /// How long the terminal may take for an answer, in milliseconds.
  private static let patience: Int32 = 1_000

  /// Asks the terminal of the standard streams; nil if there is none.
  static func facts(environment: [String: String]) -> TerminalFacts? {
    guard isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1 else { return nil }
    let kind = TerminalKind(environment: environment)
    let isUTF8 = CharacterLocale(environment).adopt()
    let description = kind.canDraw ? description(kind, environment) : nil
    var facts = TerminalFacts(
      kind: kind,
      identity: TerminalIdentity(environment: environment),
      isUTF8: isUTF8,
      depth: description?.depth ?? .none,
      hasMouse: kind.takesMouse && description?.hasMouse ?? false
    )
    facts.isDescribed = description != nil
    // A terminal of another family could show the questions as text.
    guard kind.answersQuestions, var raw = RawTerminal() else { return facts }
    let questions =
      TerminalFacts.modes.map { "\u{1B}[?\($0)$p" }.joined() + TerminalIdentity.questions
      + "\u{1B}[c"
    guard let answer = raw.ask(questions, endsWith: "c", within: patience) else {
      return facts
    }
    facts.modes = TerminalAnswer.modes(in: answer)
    for report in TerminalAnswer.reports(in: answer) { facts.identity.take(report) }
    guard isUTF8 else { return facts }
    for sample in TerminalFacts.samples {
      let text = "\r\(sample.text)\u{1B}[6n"
      let position = raw.ask(text, endsWith: "R", within: patience)
      raw.send("\r\u{1B}[K")
      guard let position, let column = TerminalAnswer.column(in: position) else { break }
      facts.widths[sample.name] = column - 1
    }
    return facts
  }

  /// The colours of the terminal, and whether it has a mouse, by its description; nil if it has none.
  private static func description(
    _ kind: TerminalKind,
    _ environment: [String: String]
  ) -> (depth: ColorDepth, hasMouse: Bool)? {
    var ends: [Int32] = [-1, -1]
    guard let frame = FrameBuffer(), unsafe platform_pipe(&ends) == 0 else { return (.none, false) }
    let open = { cn_open_screen(ends[0], frame.descriptor) == 0 }
    let opening = TerminalDescription.open(environment, refusesColors: kind.refusesColors, open)
    guard opening != .failed else { return nil }
    let pairs = ColorPairs(
      isWanted: !kind.refusesColors,
      isDirect: opening == .withDirectColors
    )
    return (pairs.depth, unsafe cn_capability("kmous") != nil)
  }
}

/// Reads the answers of a terminal.
nonisolated enum TerminalAnswer {
  /// Which private modes a terminal knows, from its answers `ESC [ ? 2026 ; 2 $ y` (DECRPM).
  static func modes(in bytes: [UInt8]) -> [Int: Bool] {
    var modes: [Int: Bool] = [:]
    for sequence in sequences(in: bytes) where sequence.hasPrefix("?") && sequence.hasSuffix("$y") {
      let numbers = sequence.dropFirst().dropLast(2).split(separator: ";").compactMap { Int($0) }
      // 0: not known; 4: never on.
      if numbers.count == 2 { modes[numbers[0]] = (1...3).contains(numbers[1]) }
    }
    return modes
  }

  /// What a terminal says of itself.
  static func reports(in bytes: [UInt8]) -> [TerminalReport] {
    var parser = InputParser(expectsPosition: true)
    return parser.take(bytes, at: .now).compactMap { event in
      if case .answer(let sequence) = event { TerminalReport(sequence) } else { nil }
    }
  }

  /// The column of the cursor, from 1, from the answer `ESC [ 4 ; 7 R` (CPR).
  static func column(in bytes: [UInt8]) -> Int? {
    for sequence in sequences(in: bytes) where sequence.hasSuffix("R") {
      let numbers = sequence.dropLast().split(separator: ";").compactMap { Int($0) }
      if numbers.count == 2, (1...10_000).contains(numbers[1]) { return numbers[1] }
    }
    return nil
  }

  /// The control sequences in bytes, without `ESC [`.
  private static func sequences(in bytes: [UInt8]) -> [String] {
    bytes.split(separator: 0x1B).compactMap { part in
      guard part.first == UInt8(ascii: "[") else { return nil }
      let rest = part.dropFirst()
      // Keys may follow the final byte.
      guard let end = rest.firstIndex(where: { (0x40...0x7E).contains($0) }) else { return nil }
      return String(decoding: rest[...end], as: UTF8.self)
    }
  }
}
