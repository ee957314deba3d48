import Glibc
import WidgetKitCore
package import WidgetPlatform

/// The sockets of connections to other machines, each of one process and one machine.
package enum ConnectionSocket {
  private static let prefix = "ssh-"

  /// The name of the socket of this process; ssh makes it under a longer one at first.
  static func name(of destination: RemoteDestination) -> String {
    // Several pages have connections of their own, which end with them.
    let hash = StableHash.value(of: destination.description)
    return "\(prefix)\(getpid())-\(String(hash, radix: 36))"
  }

  /// Removes the sockets of programs that were killed: their processes are gone, and nobody answers.
  ///
  /// This function reads the disk: call it off the main actor.
  package static func removeStale(in folders: StateFolders) {
    guard let folder = try? OwnFolder.open(folders.runtime) else { return }
    for name in folder.names() where name.hasPrefix(prefix) {
      guard let status = folder.status(name), status.st_mode & S_IFMT == S_IFSOCK,
        status.st_uid == geteuid(), !isInUse(name), !answers("\(folders.runtime)/\(name)")
      else { continue }
      folder.remove(name)
    }
  }

  /// Whether the process of a socket is there; one that has got its number keeps the file until it ends.
  private static func isInUse(_ name: String) -> Bool {
    let number = name.dropFirst(prefix.count).prefix { $0 != "-" }
    return pid_t(number).map { !ProcFile.hasEnded($0) } ?? false
  }

  /// Whether somebody listens at a socket: a process that cannot be seen from here, as in another container.
  private static func answers(_ path: String) -> Bool {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let bytes = Array(path.utf8)
    let room = MemoryLayout.size(ofValue: address.sun_path)
    guard bytes.count < room else { return true }
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: bytes) }
    let number = socket(
      AF_UNIX,
      Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue),
      0
    )
    guard number >= 0 else { return true }
    defer { close(number) }
    let result = unsafe withUnsafePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe connect(number, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    return result == 0 || errno != ECONNREFUSED
  }
}
