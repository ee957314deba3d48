/// The traffic of a network interface since it went up, in bytes.
struct NetworkCounters: Hashable, Sendable {
  static let file = "net/dev"

  /// Its name: `eth0`.
  var name: String
  /// Received bytes.
  var received: UInt64
  /// Sent bytes.
  var sent: UInt64
  /// Received packets.
  var packetsReceived: UInt64 = 0
  /// Sent packets.
  var packetsSent: UInt64 = 0

  /// Reads `/proc/net/dev` without the loopback, in the order of the file (proc_pid_net(5)).
  ///
  /// After two lines of headings: the name, a colon, eight numbers of received and eight of
  /// sent data, the bytes first, then the packets. A line that cannot be read is left out.
  static func interfaces(
    parsing text: String,
    path: String
  ) throws(SourceError) -> [NetworkCounters] {
    var interfaces: [NetworkCounters] = []
    var hasLines = false
    var broken: Substring?
    for line in text.lines {
      guard let colon = line.lastIndex(of: ":"), let name = line[..<colon].words.first else {
        continue
      }
      let numbers = line[line.index(after: colon)...].words.map { UInt64($0) }
      guard numbers.count >= 9, let received = numbers[0], let sent = numbers[8] else {
        broken = broken ?? name
        continue
      }
      hasLines = true
      if name != "lo" {
        let counters = NetworkCounters(
          name: String(name),
          received: received,
          sent: sent,
          packetsReceived: numbers[1] ?? 0,
          packetsSent: (numbers.count > 9 ? numbers[9] : nil) ?? 0
        )
        interfaces.append(counters)
      }
    }
    // That there is nothing but the loopback is said of a table that was read.
    if interfaces.isEmpty, let broken { throw .missing("numbers for “\(broken)”", in: path) }
    guard hasLines else { throw .missing("interface", in: path) }
    return interfaces
  }

  /// Bytes per second since `earlier`; nil if the interface went down in between.
  func rates(
    since earlier: NetworkCounters,
    seconds: Double
  ) -> (received: Double, sent: Double)? {
    guard seconds > 0,
      let received = Self.progress(
        from: earlier.received,
        to: received,
        isGoingOn: packetsReceived > earlier.packetsReceived
      ),
      let sent = Self.progress(
        from: earlier.sent,
        to: sent,
        isGoingOn: packetsSent > earlier.packetsSent
      )
    else { return nil }
    return (Double(received) / seconds, Double(sent) / seconds)
  }

  /// How far a counter came; nil if it was reset.
  ///
  /// Some drivers count with 32 bits: the bytes start again then, while the packets go on.
  private static func progress(from old: UInt64, to new: UInt64, isGoingOn: Bool) -> UInt64? {
    if new >= old { return new - old }
    return isGoingOn && old < 1 << 32 ? new + (1 << 32) - old : nil
  }
}
