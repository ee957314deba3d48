import WidgetKitCore

/// How far one process is: started, initialized, or ending.
nonisolated struct ProcessLife {
  /// The stages, in their order.
  enum Stage: Hashable {
    /// Started; `initialize` is not answered.
    case initializing
    /// `initialize` was answered.
    case running
    /// Was told to exit, or was killed; `failure` is the reason if it counts as a failure.
    case ending(failure: String?)
  }

  private(set) var stage = Stage.initializing
  /// The methods that it listed in its answer to `initialize`; empty before.
  private(set) var implements: Set<String> = []
  /// Whether it said in that answer that the user can edit it.
  private(set) var allowsEditing = false
  /// Whether another process of the same program would end in the same way.
  private(set) var isFinalFailure = false
  /// Whether it has ended because its machine is away.
  private(set) var absence: Absence?

  /// That the machine of a widget is away.
  enum Absence: Hashable {
    /// It was there when this process was started.
    case begun
    /// It was away before.
    case goesOn
  }

  /// Whether it has not been told to exit and has not been killed.
  var isUp: Bool { stage == .initializing || stage == .running }

  /// The optional methods that it can be sent now; none unless it is running.
  var methods: Set<String> { stage == .running ? implements : [] }

  /// Whether it can be sent a method now.
  func sends(_ method: String) -> Bool { stage == .running && implements.contains(method) }

  /// The program was started.
  func launched(_ request: InitializeRequest, _ policy: SessionPolicy) -> [SessionEffect] {
    [.send(.initialize(request)), .arm(.initialize, policy.initialize)]
  }

  /// Sets the deadline of `initialize` again if it is not answered.
  func rearmed(_ policy: SessionPolicy) -> [SessionEffect] {
    stage == .initializing ? [.arm(.initialize, policy.initialize)] : []
  }

  /// Takes the answer to `initialize`; a process that needs another protocol is killed.
  mutating func initialized(_ reply: InitializeRequest.Reply) -> [SessionEffect] {
    guard stage == .initializing else { return [] }
    if let obstacle = Self.obstacle(version: reply.protocolVersion) {
      isFinalFailure = true
      return [.disarm(.initialize)] + kill(obstacle)
    }
    stage = .running
    implements = Set(reply.implements)
    allowsEditing = reply.allowsEditing ?? false
    let mode = reply.largestAvailableDisplayMode.map { [SessionEffect.largestDisplayMode($0)] }
    return [.disarm(.initialize)] + (mode ?? []) + reply.content.effects(.appearance)
  }

  /// Why a process with a version of the protocol cannot be used; nil if it can.
  private static func obstacle(version: Int) -> String? {
    let current = ProtocolVersion.current
    if version < 1 {
      return "Unable to Load: protocolVersion is \(version); expected \(current)"
    }
    guard version > current else { return nil }
    // A number that is out of range is read as the largest.
    return version == .max
      ? "Needs a later protocol version; expected \(current)"
      : "Needs protocol version \(version)"
  }

  /// Kills a process that was sent nothing yet, as would another one of the same program.
  mutating func withheld(_ words: String) -> [SessionEffect] {
    guard stage == .initializing else { return [] }
    isFinalFailure = true
    return kill(words)
  }

  /// `initialize` was answered with an error.
  mutating func initializeFailed(_ error: WireError) -> [SessionEffect] {
    guard stage == .initializing else { return [] }
    return [.disarm(.initialize)] + kill("Unable to Load: \(error.message)")
  }

  /// `initialize` was not answered in time.
  mutating func initializeTimedOut(_ policy: SessionPolicy) -> [SessionEffect] {
    guard stage == .initializing else { return [] }
    let seconds = policy.initialize.components.seconds
    return [.log(noAnswer: InitializeRequest.method, policy.initialize)]
      + kill("Unable to Load: no answer in \(seconds) s")
  }

  /// Asks the process to exit; SIGTERM and SIGKILL follow if it does not.
  mutating func shutdown(_ policy: SessionPolicy) -> [SessionEffect] {
    stage = .ending(failure: nil)
    return [.send(.shutdown), .closeInput, .arm(.shutdown, policy.shutdown)]
  }

  /// Asks the process to exit, and sends SIGTERM without waiting for it.
  mutating func terminate(_ policy: SessionPolicy) -> [SessionEffect] {
    stage = .ending(failure: nil)
    return [
      .send(.shutdown), .closeInput, .signal(.terminate), .arm(.terminate, policy.terminate),
    ]
  }

  /// Kills the process; `failure` is shown in the heading.
  mutating func kill(_ failure: String) -> [SessionEffect] {
    stage = .ending(failure: failure)
    return [.signal(.kill)]
  }

  /// A limit was exceeded; `words` names it.
  mutating func violation(_ words: String) -> [SessionEffect] {
    guard isUp else { return [.signal(.kill)] }
    return [.log("ended: \(words)", isKept: true)] + kill("Unable to Load: \(words)")
  }

  /// Its machine is away, as `words` say.
  mutating func away(_ words: String) -> [SessionEffect] {
    guard isUp else { return [.signal(.kill)] }
    absence = stage == .running ? .begun : .goesOn
    return kill(words)
  }

  /// When it was suspended, it had an exclusive lock on a file that others use.
  mutating func heldLock(_ path: String) -> [SessionEffect] {
    let words = "held an exclusive lock while being suspended"
    return [.log("\(words): \(path)", isKept: true)] + kill("Unable to Load: \(words)")
  }

  /// Warns or kills it because of what it uses.
  mutating func take(_ verdict: ResourceUse.Verdict) -> [SessionEffect] {
    switch verdict {
    case .withinLimits: return []
    case .memoryWarning(let words):
      let isSent = sends(DidReceiveMemoryWarningNotification.method)
      return [.log(words)] + (isSent ? [.send(.didReceiveMemoryWarning)] : [])
    case .exhausted(let reason, let words):
      return [.log(words, isKept: true)] + kill("Unable to Load (\(reason))")
    }
  }
}
