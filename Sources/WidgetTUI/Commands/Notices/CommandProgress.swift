/// How far a command is, as it tells its terminal: `OSC 9 ; 4 ; state ; percent`, ended by BEL or ST (ConEmu,
/// “Operating system commands”).
struct CommandProgress: Hashable {
  /// What the command says.
  enum State: Int {
    /// It tells nothing, or nothing any more.
    case none = 0
    case running = 1
    case failing = 2
    /// It does not know how far it is.
    case indeterminate = 3
    case paused = 4
  }

  var state = State.none
  /// 0 to 100; nil if it is not known.
  var percent: Int?
}

/// Finds the progress in what a command writes, also where a sequence comes in parts.
struct ProgressReader {
  /// What was told last.
  private(set) var progress = CommandProgress()
  /// The beginning of a sequence that has not ended; nil outside of one.
  private var text: [UInt8]?
  private var wasEscape = false

  private static let beginning = Array("9;4".utf8)
  private static let longest = 32

  /// Reads what was written.
  mutating func take(_ bytes: ArraySlice<UInt8>) {
    for byte in bytes { take(byte) }
  }

  private mutating func take(_ byte: UInt8) {
    defer { wasEscape = byte == 0x1B }
    if wasEscape, byte == UInt8(ascii: "]") {
      text = []
    } else if byte == 0x07 || wasEscape && byte == UInt8(ascii: "\\") {
      if let text { end(text) }
      text = nil
    } else if byte != 0x1B, let read = text {
      // Any other sequence is of no interest.
      let isOther = read.count < Self.beginning.count && byte != Self.beginning[read.count]
      text = isOther || read.count >= Self.longest ? nil : read + [byte]
    }
  }

  private mutating func end(_ text: [UInt8]) {
    let parts = text.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self) }
    guard parts.count >= 3, parts[1] == "4", let number = Int(parts[2]),
      let state = CommandProgress.State(rawValue: number)
    else { return }
    let percent = parts.count > 3 ? Int(parts[3]).map { min(max($0, 0), 100) } : nil
    switch state {
    case .none, .indeterminate: progress = CommandProgress(state: state)
    case .running: progress = CommandProgress(state: state, percent: percent ?? 0)
    // Without a number the last one stays.
    case .failing, .paused:
      progress = CommandProgress(state: state, percent: percent ?? progress.percent)
    }
  }
}
