import CPlatform
import Glibc
import Synchronization
public import WidgetKitCore
public import WidgetPlatform

/// The lock of one access to a ``CoordinatedFile``; it ends with this object, and with its process.
///
/// The locks are bytes of one file for each group, two for each coordinated file, which belong to the
/// opened file (F_OFD_SETLK): the access itself, and the gate before it. Whoever waits for the access has
/// locked the gate, so that writers are not kept out by readers who come later.
public final class CoordinationLock: Sendable {
  /// The file that is locked.
  public let target: CoordinatedFile
  /// What it is locked for.
  public let intent: CoordinationIntent
  private let file: Descriptor
  private let stage = Mutex(Stage.outside)

  private enum Stage {
    case outside
    case atGate
    case inside
  }

  private static let access: Int32 = 0
  private static let gate: Int32 = 1
  /// The pauses between two attempts of somebody who waits.
  static let pauses = Duration.milliseconds(1)...Duration.milliseconds(20)

  /// Opens the locks of a group.
  ///
  /// - Throws: ``HostError`` if that is not possible.
  public init(_ target: CoordinatedFile, for intent: CoordinationIntent) throws(HostError) {
    self.target = target
    self.intent = intent
    do throws(FileFault) {
      file = try OwnFolder.open(target.lockFolder, makes: true)
        .file(CoordinatedFile.locks, O_RDWR | O_CREAT)
    } catch {
      throw .file("lock", "\(target.lockFolder)/\(CoordinatedFile.locks)", error)
    }
  }

  /// Takes over an access that another process has had, with the descriptor of its lock.
  init(
    _ target: CoordinatedFile,
    for intent: CoordinationIntent,
    holding file: consuming Descriptor
  ) {
    self.target = target
    self.intent = intent
    self.file = file
    stage.withLock { $0 = .inside }
  }

  /// A copy of the descriptor, which holds the lock beside this object; −1 if there can be none.
  func copy() -> Int32 { fcntl(file.number, F_DUPFD_CLOEXEC, 3) }

  /// Gets the access if nobody else prevents it; it may be tried again.
  ///
  /// - Throws: ``HostError`` if locking is not possible.
  func attempt() throws(HostError) -> Bool {
    let failure = stage.withLock { stage -> Int32 in
      let lock = intent == .write ? platform_byte_exclusive : platform_byte_shared
      if stage == .outside {
        let failure = platform_change_byte_lock(file.number, target.place, Self.gate, lock)
        if failure != 0 { return failure }
        stage = .atGate
      }
      if stage == .atGate {
        let failure = platform_change_byte_lock(file.number, target.place, Self.access, lock)
        if failure != 0 { return failure }
        stage = .inside
        platform_change_byte_lock(file.number, target.place, Self.gate, platform_byte_free)
      }
      return 0
    }
    switch failure {
    case 0: return true
    case EAGAIN, EACCES, EINTR: return false
    default: throw .system("lock \(target.lockFolder)/\(CoordinatedFile.locks)", failure)
    }
  }

  /// Waits for the access.
  ///
  /// - Throws: ``HostError`` with `busy` if others prevent it for longer than `patience`.
  public func take(patience: Duration) throws(HostError) {
    let end = ContinuousClock.now + patience
    var pause = Self.pauses.lowerBound
    while try !attempt() {
      guard ContinuousClock.now < end else { throw busy(after: patience) }
      usleep(useconds_t(pause / .microseconds(1)))
      pause = min(pause * 2, Self.pauses.upperBound)
    }
  }

  /// The error of somebody who has waited in vain.
  func busy(after patience: Duration) -> HostError {
    let others =
      intent == .write
      ? "another program is reading or writing it" : "another program is writing it"
    let tenths = Int((patience / .milliseconds(100)).rounded())
    let seconds = tenths % 10 == 0 ? "\(tenths / 10) s" : "\(tenths / 10).\(tenths % 10) s"
    return HostError(
      code: .busy,
      description: "\(target): \(others), and has not ended within \(seconds); try again"
    )
  }

  /// Becomes another program, which has the access until it and all that it starts have ended.
  ///
  /// - Throws: ``HostError`` with `launch` if it cannot be started; the access is kept.
  public func become(_ arguments: [String]) throws(HostError) {
    guard !arguments.isEmpty else { return }
    throw HostProcess.become(arguments, keeping: file.number)
  }
}
