import Dispatch
import FoundationEssentials
import Glibc
import Synchronization

/// What `nvidia-smi` says, asked in the background: it can take seconds to answer while a card is asleep.
final class NvidiaQuery: Sendable {
  private static let byteLimit = 16 * 1024
  /// How long an answer is shown while there is no newer one.
  private static let age = Duration.seconds(60)

  private struct State {
    var found: [GraphicsProcessor] = []
    /// When that was asked.
    var date: ContinuousClock.Instant?
    var isRunning = false
  }

  private let state = Mutex(State())
  private let driver: String
  private let program: String
  private let seconds: Int

  /// Creates a query.
  ///
  /// - Parameters:
  ///   - driver: The folder that is there where the driver is.
  ///   - program: The program, which is looked for in `PATH`.
  ///   - seconds: How long it has for an answer; a second later it is killed.
  init(driver: String = "/proc/driver/nvidia", program: String = "nvidia-smi", seconds: Int = 4) {
    self.driver = driver
    self.program = program
    self.seconds = seconds
  }

  /// What the last answer said, unless it is old: a driver that hangs cannot be killed.
  func found(at now: ContinuousClock.Instant) -> [GraphicsProcessor] {
    state.withLock { state in
      guard let date = state.date, date.duration(to: now) < Self.age else { return [] }
      return state.found
    }
  }

  /// Asks again, unless there is no driver or an answer is waited for.
  func ask(at now: ContinuousClock.Instant) {
    guard access(driver, F_OK) == 0 else { return }
    let begins = state.withLock { state in
      defer { state.isRunning = true }
      return !state.isRunning
    }
    guard begins else { return }
    DispatchQueue.global(qos: .utility).async { [self] in
      let found = GraphicsProcessor.all(printed: answer())
      state.withLock { $0 = State(found: found, date: now) }
    }
  }

  /// What the program prints; empty if there is none, or it takes too long.
  func answer() -> String {
    let command = "exec timeout -k 1 \(seconds) \(program) "
    guard
      let stream = popen(
        command + GraphicsProcessor.query.joined(separator: " ") + " 2>/dev/null </dev/null",
        "re"
      )
    else { return "" }
    defer { pclose(stream) }
    var bytes = [UInt8](repeating: 0, count: Self.byteLimit)
    let count = fread(&bytes, 1, bytes.count, stream)
    return String(decoding: bytes[..<count], as: UTF8.self)
  }
}
