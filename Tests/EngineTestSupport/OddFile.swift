import FoundationEssentials
import Glibc

/// A kind of foreign file in the place of a file of the program.
nonisolated enum OddFile: String, CaseIterable, Sendable {
  case pipe, socket, folder, danglingLink, linkElsewhere, linkToFolder, circle, hardLink, device

  /// Puts it at `path`; false if this user cannot make one.
  ///
  /// `stranger` is the target of links, which must not be changed.
  func make(at path: String, stranger: String) throws -> Bool {
    switch self {
    case .pipe: return mkfifo(path, 0o600) == 0
    case .socket: return Self.makeSocket(path)
    case .folder:
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    case .danglingLink: return symlink("/nowhere/at/all", path) == 0
    case .linkElsewhere: return symlink(stranger, path) == 0
    case .linkToFolder: return symlink("/tmp", path) == 0
    case .circle: return symlink(path, path) == 0
    case .hardLink: return link(stranger, path) == 0
    case .device: return mknod(path, S_IFCHR | 0o600, dev_t(1 << 8 | 3)) == 0
    }
    return true
  }

  private static func makeSocket(_ path: String) -> Bool {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let bytes = Array(path.utf8CString)
    guard bytes.count <= MemoryLayout.size(ofValue: address.sun_path) else { return false }
    withUnsafeMutableBytes(of: &address.sun_path) { buffer in
      bytes.withUnsafeBytes { buffer.copyMemory(from: $0) }
    }
    let number = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(number) }
    return withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(number, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
      }
    }
  }
}
