import Glibc
import WidgetTestSupport

/// Sockets of a test, which a widget in a sandbox must not reach.
///
/// It is a class because it owns descriptors.
final class OuterSockets {
  /// The path of the first one.
  let path: String
  /// The abstract name of the second one.
  let name: String
  private let server: ListeningSocket
  private var descriptors: [Int32] = []

  init(in folder: String) throws {
    server = try ListeningSocket()
    path = "\(folder)/socket"
    name = "today-test-\(getpid())-\(UInt32.random(in: 0 ... .max))"
    listenLocally(Array(path.utf8))
    listenLocally([0] + Array(name.utf8))
    listenLocally(Array("\(path).datagrams".utf8), SOCK_DGRAM)
    listenLocally([0] + Array("\(name).datagrams".utf8), SOCK_DGRAM)
  }

  deinit {
    for descriptor in descriptors { close(descriptor) }
  }

  /// Whether somebody has connected to one of them.
  var wereReached: Bool {
    server.wasReached
      || descriptors.contains { descriptor in
        var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&waiting, 1, 0) > 0
      }
  }

  /// Their addresses as the fixture reads them.
  var text: String { "[\"\(path)\", \"\(name)\", \(server.port), 9]" }

  private func listenLocally(_ bytes: [UInt8], _ kind: __socket_type = SOCK_STREAM) {
    let descriptor = socket(AF_UNIX, Int32(kind.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    let length = socklen_t(MemoryLayout<sa_family_t>.size + bytes.count)
    let result = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, length) }
    }
    precondition(
      result == 0 && (kind == SOCK_DGRAM || listen(descriptor, 4) == 0),
      "a local socket"
    )
    descriptors.append(descriptor)
  }
}
