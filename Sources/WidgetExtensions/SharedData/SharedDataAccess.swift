import FoundationEssentials
package import WidgetKitCore
import WidgetPlatform

/// The process for which a ``SharedDataAccess`` is made.
@MainActor package protocol SharedDataAccessOwner: AnyObject {
  /// The answer to a request.
  func answer(_ answer: Result<SharedDataAnswer, WireError>, to id: MessageID)
  /// A notification was refused, or could not be performed.
  func sharedDataHasTrouble(_ error: WireError)
  /// Another process did something with shared data.
  func sharedDataDidChange(_ change: SharedDataChange)
}

/// The answer to a request about shared data.
package enum SharedDataAnswer: Hashable, Sendable {
  case values([String: DefaultsValue])
  case written
  /// A coordinated access, by its number.
  case access(Int)

  /// The most bytes of values in an answer, which the widget has to read at once.
  static let valueBytes = 1 << 17

  /// Checks that values are not too large for an answer; off the main thread, as they may have 1 MiB.
  ///
  /// - Throws: ``HostError`` with `tooLarge`.
  static func check(_ values: [String: DefaultsValue]) throws(HostError) {
    guard let bytes = try? JSONEncoder().encode(values), bytes.count > valueBytes else { return }
    throw HostError(
      code: .tooLarge,
      description: "the values have more than \(valueBytes) bytes; ask for some of the keys"
    )
  }
}

/// What one process of a widget does with data that it shares, and what it hears of others.
///
/// Files are read and written off the main thread, in the order of the requests.
@MainActor package final class SharedDataAccess {
  private unowned let owner: any SharedDataAccessOwner
  private let scope: SharedDataScope
  private let watch: SharedDataWatch
  private lazy var coordination = FileCoordination(
    owner: owner,
    groups: scope.groups,
    folders: watch.folders,
    clock: watch.clock
  )
  private var number: Int?
  /// What reads, writes and posts wait for others of this process.
  private var queue = SharedDataQueue()
  /// The suites that will be compared.
  private var comparing: Set<String> = []
  private var observed: [String: PostCount?] = [:]
  /// The suites that are followed, with their values as the widget knows them.
  private var known: [String: [String: DefaultsValue]] = [:]

  /// The most names that a process observes.
  private static let observerLimit = 64
  /// The most posts of a name that are reported at once.
  private static let postLimit = 64

  init(owner: any SharedDataAccessOwner, scope: SharedDataScope, watch: SharedDataWatch) {
    self.owner = owner
    self.scope = scope
    self.watch = watch
  }

  /// Takes over what a process has of shared data from a host that has ended.
  package convenience init(
    owner: any SharedDataAccessOwner,
    _ handover: SharedDataHandover,
    watch: SharedDataWatch
  ) {
    self.init(owner: owner, scope: handover.scope, watch: watch)
    coordination.take(handover)
  }

  isolated deinit {
    if let number { watch.end(number) }
  }

  /// Performs a request, and answers it if it has an identifier.
  package func perform(_ request: SharedDataRequest, _ id: MessageID?) {
    if let refusal = request.refusal(for: scope.bundleIdentifier, groups: scope.groups) {
      return refuse(refusal, id)
    }
    switch request {
    case .read(let request): read(request, id)
    case .write(let request): write(request, id)
    case .observe(let name):
      guard observed.count < Self.observerLimit || observed.keys.contains(name) else {
        let words = "\(Self.observerLimit) names are observed, the limit"
        return refuse(WireError(code: .overLimit, message: words), id)
      }
      if !observed.keys.contains(name) { observed.updateValue(count(of: name), forKey: name) }
      listen()
    case .removeObserver(let name): removeObserver(name)
    case .post(let name): post(name)
    case .coordinate(let request):
      if let id { coordination.begin(request, id) }
    case .endCoordination(let token): coordination.end(token)
    }
  }

  /// Whether nothing is being read or written.
  var isAtRest: Bool { queue.isEmpty && !coordination.isOpening }

  /// Passes on what the process has, so that it is served after the host.
  func handOver() -> SharedDataHandover {
    var handover = SharedDataHandover(scope: scope)
    coordination.handOver(to: &handover)
    return handover
  }

  /// The process was suspended; returns the file to which it has access, nil if there is none.
  func suspend() -> String? { coordination.suspend() }

  /// The process continues.
  func resume() {
    coordination.resume()
    // What was posted meanwhile is reported once.
    hearPosts(Array(observed.keys), limit: 1)
  }

  private func refuse(_ error: WireError, _ id: MessageID?) {
    if let id { owner.answer(.failure(error), to: id) } else { owner.sharedDataHasTrouble(error) }
  }

  // MARK: - Requests

  private func file(_ suite: String) -> DefaultsFile {
    let isGroup = scope.groups.contains(suite)
    return DefaultsFile(container: isGroup ? watch.folders.group(suite) : scope.data, suite: suite)
  }

  private func read(_ request: DefaultsReadRequest, _ id: MessageID?) {
    let file = file(request.suite)
    work { () throws(HostError) in
      var values = try file.read()
      if let keys = request.keys { values = values.filter { keys.contains($0.key) } }
      try SharedDataAnswer.check(values)
      return SharedDataAnswer.values(values)
    } then: { access, answer in
      if let id { access.owner.answer(answer, to: id) }
    }
  }

  private func write(_ request: DefaultsWriteRequest, _ id: MessageID?) {
    let file = file(request.suite)
    work { () throws(HostError) in
      try file.write(request.values)
      return SharedDataAnswer.written
    } then: { access, answer in
      // What the widget has written itself is not a change for it.
      if case .success = answer, access.known[request.suite] != nil {
        for (key, value) in request.values { access.known[request.suite]?[key] = value }
      }
      if let id { access.owner.answer(answer, to: id) }
    }
  }

  private func count(of name: String) -> PostCount? {
    SharedNotices.group(of: name, among: scope.groups).flatMap {
      SharedNotices(watch.folders).count(of: name, inGroup: $0)
    }
  }

  /// Ends to observe a name, which is forgotten then: other observers hear it when it is posted again.
  private func removeObserver(_ name: String) {
    guard observed.removeValue(forKey: name) != nil,
      let group = SharedNotices.group(of: name, among: scope.groups)
    else { return }
    let notices = SharedNotices(watch.folders)
    work { () throws(HostError) in
      notices.remove(name, inGroup: group)
      return SharedDataAnswer.written
    } then: { _, _ in
    }
  }

  private func post(_ name: String) {
    guard let group = SharedNotices.group(of: name, among: scope.groups) else { return }
    let notices = SharedNotices(watch.folders)
    work { () throws(HostError) in
      try notices.post(name, inGroup: group)
      return SharedDataAnswer.written
    } then: { access, answer in
      if case .failure(let error) = answer { access.owner.sharedDataHasTrouble(error) }
    }
  }

  /// Runs `body` on another thread, after what was begun before, and `completion` then with its result.
  ///
  /// A process that keeps the thread at work waits.
  private func work<Value: Sendable>(
    _ body: @escaping @Sendable () throws(HostError) -> Value,
    then completion: @escaping @MainActor (SharedDataAccess, Result<Value, WireError>) -> Void
  ) {
    let done: @MainActor (Result<Value, WireError>, Duration) -> Void = {
      [weak self]
      answer,
      time in
      guard let self else { return }
      queue.end(after: time, at: watch.clock.now)
      beginWork()
      completion(self, answer)
    }
    let isThere = queue.append {
      Worker.background.async {
        let start = ThreadTime.now
        let answer = Result { () throws(HostError) in try body() }.mapError(WireError.init)
        let time = ThreadTime.now - start
        MainQueue.perform { done(answer, time) }
      }
    }
    guard isThere else {
      let words = "\(SharedDataQueue.limit) accesses to shared data wait, the limit"
      return completion(self, .failure(WireError(code: .tooManyRequests, message: words)))
    }
    beginWork()
  }

  private func beginWork() {
    queue.begin(on: watch.clock) { [weak self] in self?.beginWork() }
  }

  // MARK: - Changes by others

  /// Follows the suites that the widget may read, because it wants to be told of changes.
  func followDefaults() {
    for suite in scope.groups + [scope.bundleIdentifier] {
      let file = file(suite)
      work { () throws(HostError) in
        try file.read()
      } then: { access, values in
        // What cannot be read now is a change when it can.
        access.known[suite] = (try? values.get()) ?? [:]
        access.watch.add([file.folder])
        access.compare(suite)
      }
    }
    listen()
  }

  private func listen() {
    let notices = SharedNotices(watch.folders)
    if number == nil { number = watch.listen { [weak self] in self?.heard($0) } }
    if !observed.isEmpty { watch.add(scope.groups.map(notices.folder)) }
  }

  private func heard(_ names: Set<String>) {
    hearPosts(observed.keys.filter { names.isEmpty || names.contains($0) }, limit: Self.postLimit)
    for suite in known.keys.sorted() where names.isEmpty || names.contains(file(suite).name) {
      compare(suite)
    }
  }

  /// Tells the widget each post once, however many of them a look finds, and however often it is looked.
  private func hearPosts(_ names: [String], limit: Int) {
    for name in names.sorted() {
      guard let before = observed[name], let now = count(of: name) else { continue }
      observed.updateValue(now, forKey: name)
      for _ in 0..<now.posts(since: before, limit: limit) {
        owner.sharedDataDidChange(.posted(name))
      }
    }
  }

  /// Tells the widget which values of a suite differ from those that it knows.
  private func compare(_ suite: String) {
    guard comparing.insert(suite).inserted else { return }
    let file = file(suite)
    work { () throws(HostError) in
      try file.read()
    } then: { access, values in
      access.comparing.remove(suite)
      guard case .success(let values) = values, let before = access.known[suite] else { return }
      let keys = Set(before.keys).union(values.keys).filter { before[$0] != values[$0] }
      guard !keys.isEmpty else { return }
      access.known[suite] = values
      access.owner.sharedDataDidChange(.defaults(suite: suite, keys: keys))
    }
  }
}

extension WireError {
  /// The error that a widget gets when its data could not be read or written.
  fileprivate init(_ error: HostError) {
    let code: Code =
      switch error.code {
      case .tooLarge: .overLimit
      case .setting: .invalidParams
      default: .internalError
      }
    self.init(code: code, message: error.description)
  }
}
