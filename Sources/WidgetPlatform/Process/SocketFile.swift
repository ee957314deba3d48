import Glibc

/// A socket of another program that a widget was granted, held open so that nothing else can take its place before
/// it is shown in the sandbox.
///
/// A class because its descriptor is closed with the last description of a start that has it.
package final class SocketFile: Hashable, Sendable {
  /// Its path, in the sandbox too.
  package let path: String
  private let file: Descriptor

  /// `O_PATH` of open(2), which is imported nowhere: nothing is connected to.
  private static let pathOnly: Int32 = 0o10_000_000

  /// Opens a socket without connecting to it; nil if the path leads to something else, or nowhere.
  package init?(_ path: String) {
    let number = unsafe open(path, Self.pathOnly | O_CLOEXEC)
    guard number >= 0 else { return nil }
    let file = Descriptor(number)
    guard let status = file.status(), status.st_mode & S_IFMT == S_IFSOCK else { return nil }
    self.path = path
    self.file = file
  }

  /// A descriptor for a child, which the caller must close; -1 if there are no free ones.
  func copy() -> Int32 { fcntl(file.number, F_DUPFD_CLOEXEC, 3) }

  package static func == (left: SocketFile, right: SocketFile) -> Bool { left.path == right.path }

  package func hash(into hasher: inout Hasher) { hasher.combine(path) }
}
