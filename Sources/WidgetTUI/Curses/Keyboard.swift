import CNcurses
import CPlatform
import Glibc

/// What is typed, on its way from the terminal to ncurses, in portions that lose no click.
///
/// ncurses reads everything that has come before it says that the mouse did something, and keeps
/// the last eight of its events: of five clicks that come together, as after a pause of the
/// terminal's line, the first would be lost. So it reads a pipe, which never holds more than that.
///
/// A class because it owns descriptors, for as long as the program runs.
final class Keyboard {
  /// The descriptor that ncurses reads.
  let descriptor: Int32
  private let terminal: Int32
  private let writer: Int32
  private var typed: [UInt8] = []

  /// How long the rest of a key's sequence is waited for; a person is not that fast.
  private static let sequencePatience: Int32 = 25

  /// Opens it; nil if the system gives no descriptors.
  init?(terminal: Int32) {
    // A descriptor that nobody shares never waits.
    let own = platform_terminal_reopen(terminal)
    self.terminal = own >= 0 ? own : terminal
    var ends: [Int32] = [-1, -1]
    guard unsafe platform_pipe(&ends) == 0 else { return nil }
    (descriptor, writer) = (ends[0], ends[1])
    for end in ends { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
  }

  /// Whether ncurses has read everything that was passed on.
  var isEmpty: Bool { !Self.isReadable(descriptor, within: 0) }

  /// Lets ncurses read the next portion of what was typed.
  ///
  /// - Returns: How many bytes there are for it now; 0 if nothing was typed.
  func passOn() -> Int {
    if typed.isEmpty { receive() }
    let portion = KeyBytes.portion(of: typed)
    guard portion > 0 else { return 0 }
    let count = unsafe typed.withUnsafeBytes { bytes in
      unsafe write(writer, bytes.baseAddress, portion)
    }
    typed.removeFirst(portion)
    return max(0, count)
  }

  /// Takes everything that the terminal has, and waits only for the rest of a sequence.
  private func receive() {
    var buffer = [UInt8](repeating: 0, count: KeyBytes.portionLimit)
    var wait: Int32 = 0
    while Self.isReadable(terminal, within: wait) {
      let count = unsafe read(terminal, &buffer, buffer.count)
      guard count > 0 else { return }
      typed += buffer.prefix(count)
      wait = KeyBytes.isCut(typed) ? Self.sequencePatience : 0
    }
  }

  private static func isReadable(_ descriptor: Int32, within milliseconds: Int32) -> Bool {
    var state = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return unsafe poll(&state, 1, milliseconds) > 0 && state.revents & Int16(POLLIN) != 0
  }
}

/// The bytes of keys and of the mouse, as far as their ends are concerned.
nonisolated enum KeyBytes {
  /// The most bytes that are passed on together; a pipe takes them without waiting.
  static let portionLimit = 4096

  /// How many of the first bytes ncurses may get together: no more events of the mouse than it
  /// keeps, and no sequence cut.
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

  /// Whether the bytes end in the middle of a sequence, or in one that may go on.
  static func isCut(_ bytes: [UInt8]) -> Bool {
    guard let start = bytes.suffix(longestSequence).lastIndex(of: escape) else { return false }
    let rest = bytes[(start + 1)...]
    switch rest.first {
    case nil: return true
    case UInt8(ascii: "O"): return rest.count == 1
    case UInt8(ascii: "["):
      let parameters = rest.dropFirst()
      // What the mouse did in its oldest form: three bytes of any value.
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
