package import WidgetKitCore
import WidgetPlatform

/// The coordinated accesses of one process of a widget.
///
/// The host holds the locks, so that they end with the process and with the host. A process that is suspended has
/// none: it is ended if it has an access, and what it waits for is refused.
@MainActor final class FileCoordination {
  private unowned let owner: any SharedDataAccessOwner
  private let groups: [String]
  private let folders: StateFolders
  private let clock: any HostClock
  private var accesses: [Int: CoordinationLock] = [:]
  private var waits: [MessageID: Wait] = [:]
  private var lastToken = 0
  private var isSuspended = false

  /// A request that is not answered yet.
  private struct Wait {
    let path: String
    let intent: CoordinationIntent
    let end: ContinuousClock.Instant
    var pause = CoordinationLock.pauses.lowerBound
    var timer: (any HostTimer)?
  }

  /// How long a widget waits for others.
  static let patience: Duration = .seconds(10)
  /// The most accesses of a process, with those that it waits for.
  static let limit = 16

  init(
    owner: any SharedDataAccessOwner,
    groups: [String],
    folders: StateFolders,
    clock: any HostClock
  ) {
    self.owner = owner
    self.groups = groups
    self.folders = folders
    self.clock = clock
  }

  isolated deinit {
    for wait in waits.values { wait.timer?.cancel() }
  }

  /// A file to which the process has access; nil if there is none.
  var accessedPath: String? {
    accesses.min { $0.key < $1.key }?.value.target.description
  }

  /// Whether a lock is being opened.
  var isOpening: Bool { waits.values.contains { $0.timer == nil } }

  /// Passes the accesses on, and those that the process waits for; what fails ends with this process.
  func handOver(to handover: inout SharedDataHandover) {
    handover.lastToken = lastToken
    handover.waits = waits.map { .init(id: $0, path: $1.path, intent: $1.intent) }
    for (token, lock) in accesses {
      let copy = lock.copy()
      guard copy >= 0 else { continue }
      handover.accesses.append(
        .init(token: token, target: lock.target, intent: lock.intent, lock: copy)
      )
    }
  }

  /// Takes over accesses, and waits for those that the process waits for.
  func take(_ handover: SharedDataHandover) {
    lastToken = handover.lastToken
    for access in handover.accesses {
      let file = Descriptor(access.lock)
      accesses[access.token] = CoordinationLock(access.target, for: access.intent, holding: file)
    }
    for wait in handover.waits {
      begin(CoordinateBeginRequest(path: wait.path, intent: wait.intent), wait.id)
    }
  }

  /// Whether the process waits for others.
  var isWaiting: Bool { waits.values.contains { $0.timer != nil } }

  /// Begins an access, and answers when the process has it.
  func begin(_ request: CoordinateBeginRequest, _ id: MessageID) {
    guard !isSuspended else { return refuse(id, Self.suspended(request.path)) }
    guard accesses.count + waits.count < Self.limit else {
      let words = "\(Self.limit) coordinated accesses are open, the limit"
      return refuse(id, WireError(code: .overLimit, message: words))
    }
    waits[id] = Wait(
      path: request.path,
      intent: request.intent,
      end: clock.now + Self.patience
    )
    let (groups, folders) = (groups, folders)
    let opened: @MainActor (Result<CoordinationLock, WireError>) -> Void = { [weak self] result in
      self?.opened(result, id)
    }
    Worker.background.async {
      let result = Result { () throws(WireError) in
        try CoordinationLock(request, groups: groups, folders: folders)
      }
      MainQueue.perform { opened(result) }
    }
  }

  private func opened(_ result: Result<CoordinationLock, WireError>, _ id: MessageID) {
    guard waits[id] != nil else { return }
    switch result {
    case .failure(let error): refuse(id, error)
    case .success(let lock):
      // It would wait for itself.
      let own = accesses.first { _, other in
        other.target == lock.target && (other.intent == .write || lock.intent == .write)
      }
      if let own {
        let words = "params.path: this process has an access already, token \(own.key)"
        return refuse(id, WireError(code: .invalidParams, message: words))
      }
      attempt(lock, id)
    }
  }

  private func attempt(_ lock: CoordinationLock, _ id: MessageID) {
    guard var wait = waits[id] else { return }
    do throws(HostError) {
      if try lock.attempt() { return grant(lock, id) }
      guard clock.now < wait.end else { throw lock.busy(after: Self.patience) }
    } catch {
      return refuse(id, WireError(coordination: error))
    }
    wait.timer = clock.schedule(after: wait.pause) { [weak self] in self?.attempt(lock, id) }
    wait.pause = min(wait.pause * 2, CoordinationLock.pauses.upperBound)
    waits[id] = wait
  }

  private func grant(_ lock: CoordinationLock, _ id: MessageID) {
    waits[id] = nil
    lastToken += 1
    accesses[lastToken] = lock
    owner.answer(.success(.access(lastToken)), to: id)
  }

  private func refuse(_ id: MessageID, _ error: WireError) {
    waits.removeValue(forKey: id)?.timer?.cancel()
    owner.answer(.failure(error), to: id)
  }

  /// Ends an access.
  func end(_ token: Int) {
    guard accesses.removeValue(forKey: token) == nil else { return }
    let words = "params.token: no coordinated access has the number \(token)"
    owner.sharedDataHasTrouble(WireError(code: .invalidParams, message: words))
  }

  /// The process was suspended; returns a file to which it has access, nil if there is none.
  func suspend() -> String? {
    isSuspended = true
    for (id, wait) in waits { refuse(id, Self.suspended(wait.path)) }
    return accessedPath
  }

  /// The process continues.
  func resume() {
    isSuspended = false
  }

  private static func suspended(_ path: String) -> WireError {
    WireError(
      code: .overLimit,
      message: "params.path: “\(path)”: the widget was suspended while it waited; try again"
    )
  }
}

extension CoordinationLock {
  /// Opens the lock that a widget asks for.
  fileprivate convenience init(
    _ request: CoordinateBeginRequest,
    groups: [String],
    folders: StateFolders
  ) throws(WireError) {
    let file: CoordinatedFile
    do throws(CoordinatedFile.Refusal) {
      file = try CoordinatedFile(request.path, groups: groups, folders: folders)
    } catch {
      throw WireError(error)
    }
    do throws(HostError) {
      try self.init(file, for: request.intent)
    } catch {
      throw WireError(coordination: error)
    }
  }
}

extension WireError {
  /// Why a path is not one of a coordinated file.
  package init(_ refusal: CoordinatedFile.Refusal) {
    switch refusal {
    case .invalid(let words): self.init(code: .invalidParams, message: "params.path: \(words)")
    case .outside(let words): self.init(code: .notPermitted, message: "params.path: \(words)")
    }
  }

  fileprivate init(coordination error: HostError) {
    let code: Code = error.code == .busy ? .overLimit : .internalError
    self.init(code: code, message: error.description)
  }
}
