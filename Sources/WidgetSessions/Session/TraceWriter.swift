package import FoundationEssentials
import Glibc
package import WidgetKitCore
public import WidgetPlatform

/// Writes what happens between the host and its widgets to a file, a JSON line each.
///
/// ```
/// {"trace":1,"t":12.345001,"date":"2031-02-03T04:05:06.007Z","width":120,"height":40,"theme":"dark"}
/// {"t":12.345678,"widget":"org.today.Clock","run":1,"direction":"host","event":"start","reason":"appear","name":"Clock"}
/// {"t":12.345901,"widget":"org.today.Clock","run":1,"direction":"to","message":{…}}
/// ```
///
/// `t` is in seconds of CLOCK_MONOTONIC, so that traces of several hosts can be laid beside each other; with a
/// clock that is advanced by a test or a person, it is when it would have been, so that it can be played again
/// with the same times. A message that is no JSON stands as a string.
@MainActor public final class TraceWriter {
  private let file: Descriptor
  private let clock: any HostClock
  /// CLOCK_MONOTONIC when the clock of the host was at zero.
  private let beginning: Duration
  /// The end of a line that a reader of a pipe had no room for.
  private var unwritten: ArraySlice<UInt8> = []

  /// How often the process of each widget was started.
  private var runs: [ExtensionIdentity: Int] = [:]

  /// Which way a message goes, seen from the host.
  public enum Direction: String, Sendable {
    /// From the host to the widget.
    case to
    /// From the widget to the host.
    case from
  }

  /// Opens the file anew, readable by its owner alone.
  ///
  /// A file that is there is replaced if it is empty or a trace. It may be a pipe that somebody reads: then lines that
  /// the reader has no room for are left out.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - clock: The clock of the host.
  /// - Throws: ``HostError`` if the file cannot be written, or is one that a trace must not replace.
  public init(path: String, clock: any HostClock = SystemClock()) throws(HostError) {
    do throws(FileFault) {
      file = try Self.open(path)
    } catch {
      throw .file("write the trace", path, error)
    }
    self.clock = clock
    var time = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    beginning = .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec) - clock.uptime
  }

  private static func open(_ path: String) throws(FileFault) -> Descriptor {
    let isShared = isShared(OwnPath.split(path).folder)
    let flags = O_WRONLY | O_CREAT | O_APPEND | O_NONBLOCK | O_NOCTTY | O_CLOEXEC
    let number = unsafe Glibc.open(path, isShared ? flags | O_NOFOLLOW : flags, 0o600)
    guard number >= 0 else {
      switch errno {
      case ENXIO: throw .refused("the pipe has no reader")
      case ELOOP where isShared: throw .refused("a link in a folder that others can write to")
      default: throw .system(errno)
      }
    }
    let file = Descriptor(number)
    guard let status = file.status(), status.st_mode & S_IFMT == S_IFREG else { return file }
    guard !isShared || status.st_uid == geteuid() else {
      throw .refused("a file of another user")
    }
    guard status.st_size > 0 else { return file }
    guard isTrace(number) else {
      throw .refused("a file that is no trace; choose another name, or remove it")
    }
    guard ftruncate(number, 0) == 0 else { throw .system(errno) }
    return file
  }

  /// Whether others can put files into a folder, which may be links to any file of the user.
  private static func isShared(_ folder: String) -> Bool {
    var status = stat()
    guard unsafe stat(folder, &status) == 0 else { return false }
    return status.st_mode & S_IWOTH != 0 || ![0, geteuid()].contains(status.st_uid)
  }

  /// Whether a file begins as a trace does.
  private static func isTrace(_ number: Int32) -> Bool {
    // It was opened for writing alone, as a pipe must be.
    let reader = unsafe Glibc.open("/proc/self/fd/\(number)", O_RDONLY | O_CLOEXEC)
    guard reader >= 0 else { return false }
    let beginning = Descriptor(reader).read(16)
    return [#"{"trace":"#, #"{"t":"#].contains { beginning.starts(with: $0.utf8) }
  }

  /// Adds a message, given as the bytes of its line; `isOfTest` if the host does not know of it.
  public func write(
    _ direction: Direction,
    widget: ExtensionIdentity,
    message: some Collection<UInt8>,
    isJSON: Bool,
    isOfTest: Bool = false
  ) {
    var line = start(widget)
    if isOfTest { line += Array(",\"test\":true".utf8) }
    line += Array(#","direction":"\#(direction.rawValue)","message":"#.utf8)
    line += isJSON ? Array(message) : Self.quoted(message)
    add(line)
  }

  /// Adds the first line: the time, and the screen.
  ///
  /// - Parameters:
  ///   - date: The time of the wall clock.
  ///   - screen: The columns and rows of the screen; nil without one.
  ///   - theme: `dark` or `light`.
  ///   - isDiskFull: Whether the widgets can write nothing, as in a test.
  package func begin(date: Date, screen: Size?, theme: String, isDiskFull: Bool) {
    let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
    let words = date.formatted(style)
    var line = Array(#"{"trace":1,"t":\#(time),"date":"\#(words)""#.utf8)
    if let screen { line += Array(#","width":\#(screen.columns),"height":\#(screen.rows)"#.utf8) }
    line += Array(#","theme":"\#(theme)""#.utf8)
    if isDiskFull { line += Array(#","disk":"full""#.utf8) }
    add(line)
  }

  /// Adds something that the host has done or found.
  ///
  /// - Parameters:
  ///   - event: What it is.
  ///   - widget: The widget; nil if it is about all of them.
  package func write(_ event: TraceEvent, widget: ExtensionIdentity? = nil) {
    if let widget, case .start = event { runs[widget, default: 0] += 1 }
    var line = widget.map(start) ?? Array(#"{"t":\#(time)"#.utf8)
    line += Array(#","direction":"host","event":"\#(event.name)""#.utf8)
    for (name, value) in event.details {
      line += Array(",\"\(name)\":".utf8)
      switch value {
      case .number(let number): line += Array("\(number)".utf8)
      case .text(let text): line += Self.quoted(text.utf8)
      }
    }
    add(line)
  }

  /// The members that every line of a widget has.
  private func start(_ widget: ExtensionIdentity) -> [UInt8] {
    let begin = #"{"t":\#(time),"widget":"#
    let end = ",\"run\":\(runs[widget] ?? 0)"
    return Array(begin.utf8) + Self.quoted(widget.description.utf8) + Array(end.utf8)
  }

  /// Adds a line without its end.
  private func add(_ members: [UInt8]) {
    let line = members + Array("}\n".utf8)
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

  private var time: String {
    let (seconds, attoseconds) = (beginning + clock.uptime).components
    let microseconds = String(attoseconds / 1_000_000_000_000)
    return "\(seconds)." + String(repeating: "0", count: 6 - microseconds.count) + microseconds
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
