import FoundationEssentials
import Glibc
import WidgetKitCore
import WidgetPlatform

/// The sockets at which proxies of the session bus listen: one for each run of a widget.
///
/// Each is removed when its run has ended. One that a host left which was killed is removed when another is made.
enum BusSocket {
  /// The bytes of a path that a socket can have, without the NUL at its end (unix(7)).
  private static let pathLimit = 107
  private static let digits = 20

  /// The folder of the sockets.
  static func folder(_ folders: StateFolders) -> String { "\(folders.runtime)/bus" }

  /// Why there can be no sockets in a folder, as their paths would be too long; nil if there can.
  static func obstacle(in folder: String) -> String? {
    folder.utf8.count + digits <= pathLimit
      ? nil : "\(folder) is too long a path for sockets; XDG_RUNTIME_DIR can be a shorter one"
  }

  /// Chooses the path of a new socket.
  ///
  /// - Throws: ``HostError`` if the folder cannot be made.
  static func make(in folder: String, number: Int) throws(HostError) -> String {
    guard StateFolders.make(folder) else {
      throw HostError(
        code: .file,
        description: "could not make \(folder), for the socket of the session bus; make it writable"
      )
    }
    for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    where isLeft(name) {
      remove("\(folder)/\(name)")
    }
    let path = "\(folder)/\(getpid())-\(number)"
    remove(path)
    return path
  }

  /// Removes a socket; nothing happens if there is none.
  static func remove(_ path: String) { _ = unsafe unlink(path) }

  /// Whether a socket is that of a host that has ended.
  private static func isLeft(_ name: String) -> Bool {
    let parts = name.split(separator: "-")
    guard parts.count == 2, Int(parts[1]) != nil, let host = pid_t(parts[0]), host > 0 else {
      return false
    }
    return kill(host, 0) < 0 && errno == ESRCH
  }
}
