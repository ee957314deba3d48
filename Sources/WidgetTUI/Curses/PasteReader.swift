import Glibc

/// Separates pasted text from typed keys, as terminals mark it in mode 2004 (bracketed paste, xterm).
///
/// Parts of a paste are handed on as they come, so that one whose end never comes loses nothing.
nonisolated struct PasteReader: Sendable {
  /// What was read, in order.
  enum Piece: Hashable, Sendable {
    case keys([UInt8])
    /// A part of a pasted text, with whole characters.
    case paste(String)
  }

  /// From now on pasted text is marked.
  static let follow = "\u{1B}[?2004h"
  /// It is not marked any more.
  static let unfollow = "\u{1B}[?2004l"

  private static let start = Array("\u{1B}[200~".utf8)
  private static let end = Array("\u{1B}[201~".utf8)

  /// A paste without its end is over when nothing has come for this time, so that keys work again.
  static let patience: Duration = .seconds(2)

  /// Whether the end of a paste has not come yet.
  private(set) var isPasting = false
  /// Bytes whose meaning depends on those that follow.
  private var held: [UInt8] = []
  private var lastTime: ContinuousClock.Instant?

  /// Takes bytes that were read at a time.
  mutating func take(_ bytes: [UInt8], at now: ContinuousClock.Instant) -> [Piece] {
    var pieces: [Piece] = []
    if isPasting, let lastTime, lastTime.duration(to: now) > Self.patience {
      isPasting = false
      append(paste: held[...], to: &pieces)
      held = []
    }
    lastTime = now
    var rest = (held + bytes)[...]
    held = []
    while !rest.isEmpty {
      let mark = isPasting ? Self.end : Self.start
      guard let place = Self.place(of: mark, in: rest) else { break }
      if isPasting {
        append(paste: Self.withoutLastBreaks(rest[..<place]), to: &pieces)
      } else {
        append(keys: rest[..<place], to: &pieces)
      }
      rest = rest[(place + mark.count)...]
      isPasting.toggle()
    }
    let kept = isPasting ? Self.openPaste(rest) : Self.openKeys(rest)
    held = Array(rest.suffix(kept))
    rest = rest.dropLast(kept)
    if isPasting { append(paste: rest, to: &pieces) } else { append(keys: rest, to: &pieces) }
    return pieces
  }

  private func append(paste bytes: ArraySlice<UInt8>, to pieces: inout [Piece]) {
    if !bytes.isEmpty { pieces.append(.paste(String(decoding: bytes, as: UTF8.self))) }
  }

  /// Appends keys without the end of a paste that was taken to be over.
  private func append(keys bytes: ArraySlice<UInt8>, to pieces: inout [Piece]) {
    var rest = bytes
    while let place = Self.place(of: Self.end, in: rest) {
      if place > rest.startIndex { pieces.append(.keys(Array(rest[..<place]))) }
      rest = rest[(place + Self.end.count)...]
    }
    if !rest.isEmpty { pieces.append(.keys(Array(rest))) }
  }

  private static func place(of mark: [UInt8], in bytes: ArraySlice<UInt8>) -> Int? {
    var index = bytes.startIndex
    while let start = bytes[index...].firstIndex(of: mark[0]) {
      if bytes[start...].starts(with: mark) { return start }
      index = start + 1
    }
    return nil
  }

  /// How many bytes at the end may be the beginning of a paste; fewer than three are more likely a key.
  private static func openKeys(_ bytes: ArraySlice<UInt8>) -> Int {
    let length = beginning(of: start, atEndOf: bytes)
    return length >= 3 ? length : 0
  }

  /// How many bytes at the end of a part may belong to the end mark, to line breaks before it, or to a
  /// character whose rest has not come.
  private static func openPaste(_ bytes: ArraySlice<UInt8>) -> Int {
    let mark = beginning(of: end, atEndOf: bytes)
    let text = bytes.dropLast(mark)
    let whole = withoutLastBreaks(text)
    if whole.count < text.count { return mark + text.count - whole.count }
    return mark + cutCharacter(text)
  }

  private static func beginning(of mark: [UInt8], atEndOf bytes: ArraySlice<UInt8>) -> Int {
    (1..<mark.count).reversed().first { bytes.suffix($0).elementsEqual(mark.prefix($0)) } ?? 0
  }

  private static func withoutLastBreaks(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let count = bytes.reversed().prefix { $0 == 0x0A || $0 == 0x0D }.count
    return bytes.dropLast(count)
  }

  /// How many bytes at the end are the beginning of a character.
  private static func cutCharacter(_ bytes: ArraySlice<UInt8>) -> Int {
    for (index, byte) in bytes.suffix(3).reversed().enumerated() where byte & 0xC0 != 0x80 {
      let length = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : byte >= 0xC0 ? 2 : 1
      return length > index + 1 ? index + 1 : 0
    }
    return 0
  }
}
