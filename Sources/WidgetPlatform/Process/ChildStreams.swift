import Glibc

/// The streams of a process that is being started; its ends are closed here when it has them.
struct ChildStreams {
  /// Descriptors for 0, 1 and 2; nil for those of the host.
  private(set) var numbers: [Int32?] = []

  func close() {
    // Output and errors may have the same one.
    for number in Set(numbers.compactMap(\.self)) { Glibc.close(number) }
  }

  /// Adds standard input; returns the end of the host, if there is one.
  @MainActor mutating func add(_ input: ChildRun.Input) throws(HostError) -> PipeWriter? {
    switch input {
    case .own: numbers.append(nil)
    case .nothing: try addNowhere()
    case .bytes(let bytes): try add(bytes)
    case .file(let number): try add(fcntl(number, F_DUPFD_CLOEXEC, 3), "pass a file on")
    case .pipe(let queue):
      return PipeWriter(descriptor: try addPipe(nonBlocking: .write).write, queue: queue)
    }
    return nil
  }

  /// Adds standard output, then standard error; returns the end of the host, if there is one.
  @MainActor mutating func add(_ output: ChildRun.Output) throws(HostError) -> PipeReader? {
    switch output {
    case .own: numbers.append(nil)
    case .discarded: try addNowhere()
    case .withOutput: numbers.append(numbers.last ?? nil)
    case .kept, .lines, .passed: return PipeReader(descriptor: try addPipe().read)
    }
    return nil
  }

  /// Adds what is read from a file in memory.
  mutating func add(_ bytes: [UInt8]) throws(HostError) {
    try add(MemoryFile.open(bytes), "open a file in memory")
  }

  mutating func addNowhere() throws(HostError) {
    try add(unsafe Glibc.open("/dev/null", O_RDWR | O_CLOEXEC), "open /dev/null")
  }

  /// Adds an end of a pipe; the other one, which does not block, is the caller's.
  mutating func addPipe(nonBlocking own: PipeEnds.End = .read) throws(HostError) -> PipeEnds {
    let ends = try PipeEnds(nonBlocking: own)
    numbers.append(own == .read ? ends.write : ends.read)
    return ends
  }

  private mutating func add(_ number: Int32, _ deed: String) throws(HostError) {
    guard number >= 0 else { throw .system(deed, errno) }
    numbers.append(number)
  }
}
