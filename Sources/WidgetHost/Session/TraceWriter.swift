import Glibc
import WidgetKitCore

/// Writes every message between the host and its widgets to a file, a JSON line each.
///
/// `{"t":12.345678,"widget":"org.today.Clock","direction":"to","message":{…}}`; `t` is in seconds
/// of CLOCK_MONOTONIC, so that traces of several hosts can be laid beside each other. A line that
/// is no JSON stands as a string.
public final class TraceWriter {
  private let file: Descriptor
  /// The end of a line that a reader of a pipe had no room for.
  private var unwritten: ArraySlice<UInt8> = []

  /// Which way a message goes, seen from the host.
  public enum Direction: String {
    /// From the host to the widget.
    case to
    /// From the widget to the host.
    case from
  }

  /// Opens the file anew, readable by its owner alone.
  ///
  /// It may be a pipe that somebody reads: then lines that the reader has no room for are left out.
  public init(path: String) throws(HostError) {
    let flags = O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_NONBLOCK | O_NOCTTY | O_CLOEXEC
    let number = unsafe open(path, flags, 0o600)
    guard number >= 0 else {
      throw errno == ENXIO
        ? .file("write the trace", path, FileFault.refused("the pipe has no reader"))
        : .file("write the trace", path, errno)
    }
    file = Descriptor(number)
  }

  /// Adds a message, given as the bytes of its line.
  public func write(
    _ direction: Direction,
    widget: ExtensionIdentity,
    message: some Collection<UInt8>,
    isJSON: Bool
  ) {
    var line = Array(#"{"t":\#(Self.time),"widget":"#.utf8)
    line += Self.quoted(widget.description.utf8)
    line += Array(#","direction":"\#(direction.rawValue)","message":"#.utf8)
    line += isJSON ? Array(message) : Self.quoted(message)
    line += Array("}\n".utf8)
    unwritten = send(unwritten)
    guard unwritten.isEmpty else { return }
    let rest = send(line[...])
    // A line that was begun is ended before the next one.
    if rest.count < line.count { unwritten = rest }
  }

  /// Writes as much as there is room for; returns the rest.
  private func send(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var rest = bytes
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes { buffer in
        unsafe Glibc.write(file.number, buffer.baseAddress, buffer.count)
      }
      guard count > 0 || errno == EINTR else { break }
      rest = rest.dropFirst(max(0, count))
    }
    return rest
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
