extension ZoneTable {
  /// Reads a TZif file of version 1 to 4 (RFC 9636); nil for anything else.
  ///
  /// Later versions are read as version 4. Of version 2 and later, only the part with numbers of 64
  /// bits is used.
  init?(parsing file: some Sequence<UInt8>) {
    var reader = Reader(rest: Array(file)[...])
    guard var header = reader.header() else { return nil }
    let hasLargeNumbers = header.version >= UInt8(ascii: "2")
    if hasLargeNumbers {
      guard reader.skip(header.byteCount(ofTime: 4)), let second = reader.header() else {
        return nil
      }
      header = second
    }
    guard let table = reader.table(header, bytesPerTime: hasLargeNumbers ? 8 : 4) else {
      return nil
    }
    self = table
    guard hasLargeNumbers else { return }
    guard let footer = reader.footer() else { return nil }
    guard !footer.isEmpty else { return }
    guard let rule = ZoneRule(parsing: footer) else { return nil }
    self.rule = rule
  }
}

/// The numbers at the start of each part (RFC 9636 §3.1).
private struct Header {
  var version: UInt8
  var utcIndicators: Int
  var standardIndicators: Int
  var leapSeconds: Int
  var transitions: Int
  var types: Int
  var characters: Int

  /// The length of the data after the header; the counts have 32 bits, so this cannot overflow.
  func byteCount(ofTime time: Int) -> Int {
    transitions * (time + 1) + types * 6 + characters + leapSeconds * (time + 4)
      + standardIndicators + utcIndicators
  }
}

/// The rest of a file while it is read.
private struct Reader {
  var rest: ArraySlice<UInt8>

  mutating func skip(_ count: Int) -> Bool {
    guard count <= rest.count else { return false }
    rest = rest.dropFirst(count)
    return true
  }

  /// Reads a signed number with the most significant byte first; the caller has checked the length.
  private mutating func number(bytes count: Int) -> Int {
    let bytes = rest.prefix(count)
    rest = rest.dropFirst(count)
    let isNegative = bytes.first.map { $0 >= 0x80 } ?? false
    return bytes.reduce(isNegative ? -1 : 0) { $0 << 8 | Int($1) }
  }

  mutating func header() -> Header? {
    guard rest.count >= 44, rest.starts(with: "TZif".utf8), skip(4) else { return nil }
    let version = rest.removeFirst()
    guard skip(15) else { return nil }
    let counts = (0..<6).map { _ in number(bytes: 4) & 0xFFFF_FFFF }
    return Header(
      version: version,
      utcIndicators: counts[0],
      standardIndicators: counts[1],
      leapSeconds: counts[2],
      transitions: counts[3],
      types: counts[4],
      characters: counts[5]
    )
  }

  /// Reads the data after a header (RFC 9636 §3.2).
  mutating func table(_ header: Header, bytesPerTime: Int) -> ZoneTable? {
    guard rest.count >= header.byteCount(ofTime: bytesPerTime),
      (1...256).contains(header.types), header.leapSeconds <= ZoneTable.leapSecondLimit
    else { return nil }
    let moments = (0..<header.transitions).map { _ in number(bytes: bytesPerTime) }
    let types = (0..<header.transitions).map { _ in number(bytes: 1) & 0xFF }
    let offsets = (0..<header.types).map { _ in
      let offset = number(bytes: 4)
      _ = skip(2)
      return offset
    }
    _ = skip(header.characters)
    let leapSeconds = (0..<header.leapSeconds).map { _ in
      ZoneTable.LeapSecond(moment: number(bytes: bytesPerTime), correction: number(bytes: 4))
    }
    _ = skip(header.standardIndicators + header.utcIndicators)

    guard types.allSatisfy(offsets.indices.contains), isAscending(moments),
      isAscending(leapSeconds.map(\.moment)), offsets.allSatisfy(ZoneTable.offsets.contains),
      leapSeconds.allSatisfy({ abs($0.correction) <= 2 * ZoneTable.leapSecondLimit })
    else { return nil }
    return ZoneTable(
      initialOffset: offsets[0],
      transitions: zip(moments, types).map {
        ZoneTable.Transition(moment: $0, offset: offsets[$1])
      },
      leapSeconds: leapSeconds
    )
  }

  private func isAscending(_ numbers: [Int]) -> Bool {
    zip(numbers, numbers.dropFirst()).allSatisfy { $0 < $1 }
  }

  /// Reads the rule between two line feeds; nil without them.
  mutating func footer() -> ArraySlice<UInt8>? {
    guard rest.popFirst() == 0x0A, let end = rest.firstIndex(of: 0x0A) else { return nil }
    return rest[..<end]
  }
}
