import CNcurses
import CPlatform
import Glibc
import WidgetKitCore

/// Passes typed bytes from the terminal to ncurses, in portions in which no click is lost.
///
/// ncurses reads all pending bytes before it reports a mouse event, and keeps only the last eight
/// events: of five clicks that arrive together, for example over a slow connection, the first would
/// be lost. So ncurses reads a pipe, which never contains more than eight events.
///
/// A class because it owns descriptors, until the program exits.
final class Keyboard {
  /// The descriptor that ncurses reads.
  let descriptor: Int32
  private let terminal: Int32
  private let writer: Int32
  private var typed: [UInt8] = []
  /// What was read behind that, in order.
  private var waiting: [Portion.Read] = []
  /// The beginning of a report whose rest has not come yet.
  private var held: [UInt8] = []
  private var pastes = PasteReader()
  /// How many bytes may still be read in this turn of the event loop.
  private var bytesLeft = Keyboard.turnBytes

  /// Called with what the terminal says of itself, which is not a key.
  var onReport: (TerminalReport) -> Void = { _ in }
  /// Whether a report may be on its way, so that its beginning is not a key.
  var expectsReport: () -> Bool = { false }

  /// Whether the terminal tells when it gets and loses the focus.
  var followsFocus = false

  /// What can be read next.
  enum Portion {
    /// So many bytes, by ncurses.
    case keys(Int)
    /// A part of a pasted text.
    case paste(String)
    /// The pointer was moved to a cell, with the left button held down.
    case drag(Position)

    /// What was read and not passed on yet.
    fileprivate enum Read {
      case keys([UInt8])
      case other(Portion)
    }
  }

  /// How many bytes are read in one turn of the event loop, which a terminal that never stops to send
  /// does not hold up.
  private static let turnBytes = 256 * 1024

  /// How many milliseconds to wait for the rest of a sequence; nobody types that fast.
  private static let sequencePatience: Int32 = 25

  /// Opens the keyboard; nil if there are no free descriptors.
  init?(terminal: Int32) {
    // A descriptor that is not shared can be non-blocking.
    let own = platform_terminal_reopen(terminal)
    self.terminal = own >= 0 ? own : terminal
    var ends: [Int32] = [-1, -1]
    guard unsafe platform_pipe(&ends) == 0 else { return nil }
    (descriptor, writer) = (ends[0], ends[1])
    for end in ends { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
  }

  /// Whether ncurses has read all bytes that were passed on.
  var isEmpty: Bool { !Self.isReadable(descriptor, within: 0) }

  /// Begins a turn of the event loop.
  func beginTurn() {
    bytesLeft = Self.turnBytes
  }

  /// Passes the next portion of typed bytes to ncurses, or returns a pasted text; nil if nothing was
  /// typed.
  func next() -> Portion? {
    if typed.isEmpty, waiting.isEmpty { receive() }
    while typed.isEmpty, !waiting.isEmpty {
      switch waiting.removeFirst() {
      case .keys(let bytes): typed = bytes
      case .other(let portion): return portion
      }
    }
    let portion = KeyBytes.portion(of: typed)
    guard portion > 0 else { return nil }
    let count = unsafe typed.withUnsafeBytes { bytes in
      unsafe write(writer, bytes.baseAddress, portion)
    }
    typed.removeFirst(portion)
    return .keys(max(0, count))
  }

  /// Reads all typed bytes, and waits only for the rest of a sequence.
  private func receive() {
    let bytes = readTyped()
    guard !bytes.isEmpty else { return }
    for piece in pastes.take(bytes, at: .now) {
      let bytes: [UInt8]
      switch piece {
      case .keys(let typed): bytes = typed
      case .paste(let text):
        waiting.append(.other(.paste(text)))
        continue
      }
      var keys = held + bytes
      let (reports, count) = TerminalReport.extract(
        from: &keys,
        isExpected: expectsReport(),
        followsFocus: followsFocus
      )
      held = keys.suffix(count)
      keys.removeLast(count)
      waiting += DragReport.pieces(of: keys).map { piece in
        switch piece {
        case .keys(let bytes): .keys(bytes)
        case .drag(let position): .other(.drag(position))
        }
      }
      for report in reports { onReport(report) }
    }
  }

  private func readTyped() -> [UInt8] {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: KeyBytes.portionLimit)
    var wait: Int32 = 0
    while bytesLeft > 0, Self.isReadable(terminal, within: wait) {
      let count = unsafe read(terminal, &buffer, buffer.count)
      guard count > 0 else { break }
      bytes += buffer.prefix(count)
      bytesLeft -= count
      wait = KeyBytes.isCut(bytes) ? Self.sequencePatience : 0
    }
    return bytes
  }

  private static func isReadable(_ descriptor: Int32, within milliseconds: Int32) -> Bool {
    var state = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return unsafe poll(&state, 1, milliseconds) > 0 && state.revents & Int16(POLLIN) != 0
  }
}

/// Finds the ends of sequences in the bytes of keys and of the mouse.
nonisolated enum KeyBytes {
  /// The limit of bytes in a portion, which a pipe accepts without blocking.
  static let portionLimit = 4096

  /// The length of the next portion: at most as many mouse events as ncurses keeps, and only whole
  /// sequences.
  static func portion(of bytes: [UInt8]) -> Int {
    var events = 0
    var start = 0
    for index in bytes.indices.prefix(portionLimit) where bytes[index] == escape {
      start = index
      guard isMouse(bytes[index...]) else { continue }
      events += 1
      if events > Int(CN_MOUSE_EVENTS) { return index }
    }
    guard bytes.count > portionLimit else { return bytes.count }
    return start > portionLimit - longestSequence ? start : portionLimit
  }

  /// Whether the bytes end inside a sequence, or with one that may continue.
  static func isCut(_ bytes: [UInt8]) -> Bool {
    guard let start = bytes.suffix(longestSequence).lastIndex(of: escape) else { return false }
    let rest = bytes[(start + 1)...]
    switch rest.first {
    case nil: return true
    case UInt8(ascii: "O"): return rest.count == 1
    case UInt8(ascii: "["):
      let parameters = rest.dropFirst()
      // A mouse event in the oldest format: three bytes of any value.
      if parameters.first == UInt8(ascii: "M") { return parameters.count < 4 }
      return parameters.allSatisfy { (0x20...0x3F).contains($0) }
    default: return false
    }
  }

  private static let escape: UInt8 = 0x1B
  /// Longer than any sequence of a key or of the mouse.
  private static let longestSequence = 32

  private static func isMouse(_ bytes: ArraySlice<UInt8>) -> Bool {
    let start = bytes.dropFirst().prefix(2)
    return start.elementsEqual("[<".utf8) || start.elementsEqual("[M".utf8)
  }
}
