import Dispatch
import FoundationEssentials
import Glibc
import Synchronization

/// What `nvidia-smi` says, asked in the background: it can take seconds to answer while a card is asleep.
final class NvidiaQuery: Sendable {
  private static let byteLimit = 16 * 1024
  private static let seconds = 4

  private struct State {
    var found: [GraphicsProcessor] = []
    var isRunning = false
  }

  private let state = Mutex(State())
  private let driver: String
  private let program: String

  /// Creates a query.
  ///
  /// - Parameters:
  ///   - driver: The folder that is there where the driver is.
  ///   - program: The program, which is looked for in `PATH`.
  init(driver: String = "/proc/driver/nvidia", program: String = "nvidia-smi") {
    self.driver = driver
    self.program = program
  }

  /// What the last answer said.
  var found: [GraphicsProcessor] { state.withLock(\.found) }

  /// Asks again, unless there is no driver or an answer is waited for.
  func ask() {
    guard access(driver, F_OK) == 0 else { return }
    let begins = state.withLock { state in
      defer { state.isRunning = true }
      return !state.isRunning
    }
    guard begins else { return }
    DispatchQueue.global(qos: .utility).async { [self] in
      let found = GraphicsProcessor.all(printed: answer())
      state.withLock { $0 = State(found: found) }
    }
  }

  /// What the program prints; empty if there is none, or it takes too long.
  func answer() -> String {
    let command = "exec timeout \(Self.seconds) \(program) "
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
