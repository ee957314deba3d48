internal import Glibc

/// A TCP server of a test, which takes connections and says nothing.
///
/// It is a class because it owns a descriptor.
package final class ListeningSocket: Sendable {
  /// Who can reach it.
  package enum Place: Sendable {
    /// This machine alone, at 127.0.0.1.
    case loopback
    /// Everybody, at all addresses of this machine.
    case everyAddress
  }

  /// The port, which was free.
  package let port: UInt16
  private let descriptor: Int32

  /// Begins to listen.
  package init(_ place: Place = .loopback) throws {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    if place == .loopback { address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian }
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let descriptor = descriptor
    let isListening = unsafe withUnsafeMutablePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe bind(descriptor, $0, length) == 0 && listen(descriptor, 4) == 0
          && getsockname(descriptor, $0, &length) == 0
      }
    }
    port = UInt16(bigEndian: address.sin_port)
    guard isListening else { throw SystemCallFailure(call: "listen", code: errno) }
  }

  deinit {
    close(descriptor)
  }

  /// Whether somebody has connected to it.
  package var wasReached: Bool {
    var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return unsafe poll(&waiting, 1, 0) > 0
  }
}
