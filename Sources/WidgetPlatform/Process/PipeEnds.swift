import CPlatform
import Glibc

/// Both ends of a new pipe, closed on exec; the caller must close them.
struct PipeEnds {
  let read: Int32
  let write: Int32

  /// One end of a pipe.
  enum End {
    case read
    case write
  }

  /// Creates a pipe whose end for the host never blocks.
  init(nonBlocking end: End) throws(HostError) {
    var ends: [Int32] = [-1, -1]
    let result = unsafe platform_pipe(&ends)
    guard result == 0 else { throw .system("open a pipe", result) }
    (read, write) = (ends[0], ends[1])
    _ = fcntl(end == .read ? read : write, F_SETFL, O_NONBLOCK)
  }

  /// How many bytes are in the pipe of which `descriptor` is an end.
  static func unread(in descriptor: Int32) -> Int { Int(platform_pipe_bytes(descriptor)) }
}
