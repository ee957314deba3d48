import Glibc
import WidgetKitCore

/// Writes every message between the host and its widgets to a file, a JSON line each.
///
/// `{"t":12.345678,"widget":"org.today.Clock","direction":"to","message":{…}}`; `t` is in seconds
/// of CLOCK_MONOTONIC, so that traces of several hosts can be laid beside each other. A line that
/// is no JSON stands as a string.
public final class TraceWriter {
  private let descriptor: Int32

  /// Which way a message goes, seen from the host.
  public enum Direction: String {
    /// From the host to the widget.
    case to
    /// From the widget to the host.
    case from
  }

  /// Opens the file anew, readable by its owner alone.
  public init(path: String) throws(HostError) {
    descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw .file("write the trace", path, errno) }
  }

  deinit {
    close(descriptor)
  }

  /// Adds a message, given as the bytes of its line.
  public func write(
    _ direction: Direction,
    widget: CardID,
    message: some Collection<UInt8>,
    isJSON: Bool
  ) {
    var line = Array(#"{"t":\#(Self.time),"widget":"#.utf8)
    line += Self.quoted(widget.description.utf8)
    line += Array(#","direction":"\#(direction.rawValue)","message":"#.utf8)
    line += isJSON ? Array(message) : Self.quoted(message)
    line += Array("}\n".utf8)
    var sent = 0
    while sent < line.count {
      let count = unsafe line[sent...].withUnsafeBytes { buffer in
        unsafe Glibc.write(descriptor, buffer.baseAddress, buffer.count)
      }
      guard count > 0 || errno == EINTR else { return }
      sent += max(0, count)
    }
  }

  private static var time: String {
    var time = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    let microseconds = String(time.tv_nsec / 1000)
    return "\(time.tv_sec)." + String(repeating: "0", count: 6 - microseconds.count) + microseconds
  }

  private static func quoted(_ bytes: some Collection<UInt8>) -> [UInt8] {
    var result = Array("\"".utf8)
    for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
      switch scalar {
      case "\"": result += Array("\\\"".utf8)
      case "\\": result += Array("\\\\".utf8)
      case "\u{0}"..<"\u{20}", "\u{7f}"..<"\u{a0}":
        let hex = String(scalar.value, radix: 16)
        result += Array(("\\u" + String(repeating: "0", count: 4 - hex.count) + hex).utf8)
      default: result += Array(String(scalar).utf8)
      }
    }
    return result + Array("\"".utf8)
  }
}
