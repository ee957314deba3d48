import Dispatch
import FoundationEssentials
import Glibc

/// One request, made by the program `curl`.
///
/// A program of its own, as FoundationNetworking would add its libraries to a widget that mostly has no
/// server, and as curl sends no credentials along with a redirection to another host.
struct CurlRun: Sendable {
  /// More of an answer is not read.
  static let byteLimit = 8 * 1024 * 1024

  private static let configurationLimit = 32 * 1024
  private static let noteLimit = 8 * 1024

  var url: String
  /// The method, if it is not GET.
  var method: String?
  var headers: [String] = []
  /// What is sent.
  var body: String?
  /// The user and the password, with a colon.
  var credentials: String?
  /// How long it may take.
  var seconds = 20

  /// What a server answered.
  struct Answer: Hashable, Sendable {
    var status: Int
    var body: [UInt8] = []
    var entityTag: String?
    var lastModified: String?
  }

  /// Makes the request; an answer of any status is no error.
  func run() async throws(ServerError) -> Answer {
    let outcome: Result<Answer, ServerError> = await withCheckedContinuation { continuation in
      // It waits for another process, which no thread of the cooperative pool should do.
      DispatchQueue.global().async {
        do throws(ServerError) {
          continuation.resume(returning: .success(try perform()))
        } catch {
          continuation.resume(returning: .failure(error))
        }
      }
    }
    return try outcome.get()
  }

  // MARK: - The configuration

  /// The options as a file for curl, so that no other process reads them in a command line.
  private var configuration: String {
    var lines = [
      "silent", "show-error", "globoff", "location", "max-redirs = 5", "connect-timeout = 10",
      "max-time = \(seconds)", "max-filesize = \(Self.byteLimit)", "proto = \"=http,https\"",
      "proto-redir = \"\(url.hasPrefix("https:") ? "=https" : "=http,https")\"",
      "user-agent = \"today\"",
      "post301", "post302", "post303",
      #"write-out = "%{stderr}\ntoday:%{http_code}\t%header{etag}\t%header{last-modified}\n""#,
      "url = \(Self.quoted(url))",
    ]
    if let method { lines.append("request = \(Self.quoted(method))") }
    if let body { lines.append("data-raw = \(Self.quoted(body))") }
    if let credentials { lines += ["basic", "user = \(Self.quoted(credentials))"] }
    lines += headers.map { "header = \(Self.quoted($0))" }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func quoted(_ text: String) -> String {
    var quoted = "\""
    for character in text.unicodeScalars {
      switch character {
      case "\\": quoted += "\\\\"
      case "\"": quoted += "\\\""
      case "\n": quoted += "\\n"
      case "\r": quoted += "\\r"
      case "\t": quoted += "\\t"
      default: quoted.unicodeScalars.append(character)
      }
    }
    return quoted + "\""
  }

  // MARK: - The process

  private func perform() throws(ServerError) -> Answer {
    let configuration = Array(configuration.utf8)
    guard configuration.count <= Self.configurationLimit else {
      throw ServerError("the settings are too long")
    }
    var input = PipePair()
    var output = PipePair()
    var notes = PipePair()
    defer { for pipe in [input, output, notes] { pipe.close() } }
    guard input.open(), output.open(), notes.open() else {
      throw ServerError("curl could not be started: \(Self.words(errno))")
    }
    // All of it fits into the pipe, so that nothing has to wait.
    let written = unsafe write(input.writer, configuration, configuration.count)
    guard written == configuration.count else {
      throw ServerError("curl could not be started: its options were not written")
    }
    input.closeWriter()
    let process = try spawn(input: input, output: output, notes: notes)
    output.closeWriter()
    notes.closeWriter()
    var body: [UInt8] = []
    var words: [UInt8] = []
    let isWhole = collect([(output.reader, Self.byteLimit), (notes.reader, Self.noteLimit)]) {
      index,
      chunk in
      if index == 0 { body += chunk } else { words += chunk }
    }
    // After its end this does nothing: it has not been waited for yet.
    if !isWhole { kill(process, SIGKILL) }
    var status: Int32 = 0
    while unsafe waitpid(process, &status, 0) < 0, errno == EINTR {}
    if body.count >= Self.byteLimit { throw ServerError("the calendar is larger than 8 MiB") }
    guard isWhole else { throw ServerError.late(seconds) }
    return try answer(body, notes: String(decoding: words, as: UTF8.self), exit: status >> 8 & 0xff)
  }

  private func spawn(
    input: PipePair,
    output: PipePair,
    notes: PipePair
  ) throws(ServerError) -> pid_t {
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    unsafe posix_spawn_file_actions_adddup2(&actions, input.reader, 0)
    unsafe posix_spawn_file_actions_adddup2(&actions, output.writer, 1)
    unsafe posix_spawn_file_actions_adddup2(&actions, notes.writer, 2)
    let environment = ProcessInfo.processInfo.environment.map { "\($0.key)=\($0.value)" }
    var words = unsafe Self.copies(["curl", "-q", "-K", "-"])
    var variables = unsafe Self.copies(environment)
    defer {
      // A loop would need “for unsafe”, which the formatter does not know.
      // swift-format-ignore: ReplaceForEachWithForLoop
      unsafe (words + variables).forEach { unsafe free($0) }
    }
    var process: pid_t = 0
    let code = unsafe posix_spawnp(&process, "curl", &actions, nil, &words, &variables)
    if code == ENOENT {
      throw ServerError("curl is not installed; install it with: apt install curl")
    }
    guard code == 0 else {
      throw ServerError("curl could not be started: \(Self.words(code))")
    }
    return process
  }

  /// Texts as C has them, with a nil at the end.
  private static func copies(_ texts: [String]) -> [UnsafeMutablePointer<CChar>?] {
    var copies: [UnsafeMutablePointer<CChar>?] = unsafe texts.map { unsafe strdup($0) }
    unsafe copies.append(nil)
    return unsafe copies
  }

  /// An error of the system in words.
  private static func words(_ code: Int32) -> String {
    unsafe String(cString: strerror(code))
  }

  /// Reads several descriptors until all have ended; false if one has more than its limit, or if they take too
  /// long.
  private func collect(
    _ readers: [(descriptor: Int32, limit: Int)],
    take: (Int, ArraySlice<UInt8>) -> Void
  ) -> Bool {
    let deadline = ContinuousClock.now + .seconds(seconds + 3)
    var waiting = readers.map { pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0) }
    var counts = readers.map { _ in 0 }
    var chunk = [UInt8](repeating: 0, count: 64 * 1024)
    while waiting.contains(where: { $0.fd >= 0 }) {
      let rest = ContinuousClock.now.duration(to: deadline) / .milliseconds(1)
      guard rest > 0 else { return false }
      if unsafe poll(&waiting, nfds_t(waiting.count), Int32(rest.rounded(.up))) < 0 {
        guard errno == EINTR else { return false }
        continue
      }
      for index in waiting.indices where waiting[index].fd >= 0 && waiting[index].revents != 0 {
        let count = unsafe read(waiting[index].fd, &chunk, chunk.count)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else {
          waiting[index].fd = -1
          continue
        }
        let wanted = min(count, readers[index].limit - counts[index])
        counts[index] += wanted
        take(index, chunk[..<wanted])
        if wanted < count { return false }
      }
    }
    return true
  }

  private func answer(
    _ body: [UInt8],
    notes: String,
    exit: Int32
  ) throws(ServerError) -> Answer {
    let lines = notes.split(separator: "\n")
    switch exit {
    case 0: break
    case 6: throw ServerError("the name of the server cannot be resolved")
    case 7: throw ServerError("there is no connection to the server")
    case 28: throw ServerError.late(seconds)
    case 18, 52, 55, 56: throw ServerError("the server broke the connection off")
    case 47: throw ServerError("the server redirects too often")
    case 63: throw ServerError("the calendar is larger than 8 MiB")
    default:
      // As in “curl: (6) Could not resolve host: example.com”.
      let line = lines.last { $0.hasPrefix("curl: ") }
      let words = line?.drop { $0 != ")" }.dropFirst(2).prefix(120)
      throw ServerError(words.map { String($0) } ?? "curl ended with \(exit)")
    }
    let fields = lines.last { $0.hasPrefix("today:") }?.dropFirst("today:".utf8.count)
      .split(separator: "\t", omittingEmptySubsequences: false)
    guard let fields, let status = Int(fields[0]) else { throw ServerError("curl told no status") }
    // Before curl 7.84 the fields are written as they are asked for.
    let rest = fields.dropFirst().map { field -> String? in
      let words = field.filter { $0.isASCII && $0 != "\r" }
      return words.isEmpty || words.hasPrefix("%header") || words.count > 1000 ? nil : words
    }
    return Answer(
      status: status,
      body: body,
      entityTag: rest.first ?? nil,
      lastModified: rest.count > 1 ? rest[1] : nil
    )
  }
}

/// Why a server gave no calendar, as text for the card.
struct ServerError: Error, Hashable, CustomStringConvertible {
  let description: String

  init(_ description: String) {
    self.description = description
  }

  /// An answer that did not come in time.
  static func late(_ seconds: Int) -> ServerError {
    ServerError("the server did not answer within \(seconds) s")
  }

  /// A status that is no calendar.
  static func status(_ status: Int) -> ServerError {
    switch status {
    case 401, 403: ServerError("the server refuses the user name or the password (\(status))")
    case 404, 410: ServerError("the server has no such calendar (\(status))")
    default: ServerError("the server answered \(status)")
    }
  }
}

/// Both ends of a pipe; −1 for one that is closed.
private struct PipePair {
  private(set) var reader: Int32 = -1
  private(set) var writer: Int32 = -1

  mutating func open() -> Bool {
    var ends: [Int32] = [-1, -1]
    guard unsafe pipe(&ends) == 0 else { return false }
    (reader, writer) = (ends[0], ends[1])
    // Nothing else in this program starts processes, so that it need not be done by one call.
    return ends.allSatisfy { fcntl($0, F_SETFD, FD_CLOEXEC) == 0 }
  }

  mutating func closeWriter() {
    Glibc.close(writer)
    writer = -1
  }

  func close() {
    for end in [reader, writer] where end >= 0 { Glibc.close(end) }
  }
}
