import Glibc
import Testing

@testable import WidgetHost

/// Whether a widget can have a network of its own here.
@MainActor enum OwnNetwork {
  private static let network = Sandbox(
    .required,
    environment: ["PATH": "/usr/local/bin:/usr/bin:/bin"]
  ).network

  static let isThere = network == .own
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
}
