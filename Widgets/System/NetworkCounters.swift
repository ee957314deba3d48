/// The traffic of a network interface since it went up, in bytes.
struct NetworkCounters: Hashable, Sendable {
  static let file = "net/dev"

  /// Its name: `eth0`.
  var name: String
  /// Received bytes.
  var received: UInt64
  /// Sent bytes.
  var sent: UInt64

  /// Reads `/proc/net/dev` without the loopback, in the order of the file (proc_pid_net(5)).
  ///
  /// After two lines of headings: the name, a colon, eight numbers of received and eight of
  /// sent data, the bytes first.
  static func interfaces(
    parsing text: String,
    path: String
  ) throws(SourceError) -> [NetworkCounters] {
    var interfaces: [NetworkCounters] = []
    var hasLines = false
    for line in text.lines {
      guard let colon = line.lastIndex(of: ":"), let name = line[..<colon].words.first else {
        continue
      }
      let numbers = line[line.index(after: colon)...].words.map { UInt64($0) }
      guard numbers.count >= 9, let received = numbers[0], let sent = numbers[8] else {
        throw .missing("numbers for “\(name)”", in: path)
      }
      hasLines = true
      if name != "lo" {
        let counters = NetworkCounters(name: String(name), received: received, sent: sent)
        interfaces.append(counters)
      }
    }
    guard hasLines else { throw .missing("interface", in: path) }
    return interfaces
  }

  /// Bytes per second since `earlier`; nil if the interface went down in between.
  func rates(
    since earlier: NetworkCounters,
    seconds: Double
  ) -> (received: Double, sent: Double)? {
    guard seconds > 0, received >= earlier.received, sent >= earlier.sent else { return nil }
    return (
      Double(received - earlier.received) / seconds,
      Double(sent - earlier.sent) / seconds
    )
  }
}
