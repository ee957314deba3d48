import Glibc
import Testing

@testable import WidgetExtensions
@testable import WidgetPlatform

/// Whether a widget can have a network of its own here.
@MainActor enum OwnNetwork {
  private static let network = Sandbox(
    .required,
    environment: ["PATH": "/usr/local/bin:/usr/bin:/bin"]
  ).network

  static let isThere = network == .own(by: "slirp4netns")
  nonisolated static let missing: Comment =
    "slirp4netns does not work here: it is not installed, or /dev/net/tun is missing or not permitted"

  /// An IPv4 address of this machine that is not one of its loopback; nil if it has none.
  static let address: String? = {
    var list: UnsafeMutablePointer<ifaddrs>?
    guard getifaddrs(&list) == 0 else { return nil }
    defer { freeifaddrs(list) }
    var next = list
    while let entry = next?.pointee {
      next = entry.ifa_next
      guard let address = entry.ifa_addr, address.pointee.sa_family == sa_family_t(AF_INET),
        entry.ifa_flags & UInt32(IFF_LOOPBACK) == 0
      else { continue }
      var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
      let length = socklen_t(MemoryLayout<sockaddr_in>.size)
      if getnameinfo(address, length, &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST) == 0 {
        return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init), as: UTF8.self)
      }
    }
    return nil
  }()

  /// The gateway of this machine; nil if it has none.
  static let gateway: String? = {
    for line in (ProcFile.text("/proc/net/route") ?? "").split(separator: "\n") {
      let fields = line.split(separator: "\t")
      guard fields.count > 2, fields[1] == "00000000", let number = UInt32(fields[2], radix: 16),
        number != 0
      else { continue }
      return (0..<4).map { "\(number >> (8 * $0) & 0xFF)" }.joined(separator: ".")
    }
    return nil
  }()

  /// Whether the first name server of this machine takes connections.
  static let nameServerAnswers: Bool = {
    let lines = (ProcFile.text("/etc/resolv.conf") ?? "").split(separator: "\n")
    guard let line = lines.first(where: { $0.hasPrefix("nameserver ") }) else { return false }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = UInt16(53).bigEndian
    guard inet_pton(AF_INET, String(line.dropFirst(11)), &address.sin_addr) == 1 else {
      return false
    }
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    var limit = timeval(tv_sec: 2, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    return withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
  }()
}
