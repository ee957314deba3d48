import Dispatch
import WidgetKitCore

/// The process for which a ``SharedDataAccess`` is made.
protocol SharedDataAccessOwner: AnyObject {
  /// The answer to a request.
  func answer(_ answer: Result<SharedDataAnswer, WireError>, to id: MessageID)
  /// A notification was refused, or could not be performed.
  func sharedDataHasTrouble(_ error: WireError)
  /// Another process did something with shared data.
  func sharedDataDidChange(_ change: SharedDataChange)
}

/// The answer to a request about shared data.
nonisolated enum SharedDataAnswer: Hashable, Sendable {
  case values([String: DefaultsValue])
  case written
  /// A coordinated access, by its number.
  case access(Int)
}

/// What one process of a widget does with data that it shares, and what it hears of others.
///
/// Files are read and written off the main thread, in the order of the requests. A class because the
/// watch and the other thread call it back.
final class SharedDataAccess {
  private unowned let owner: any SharedDataAccessOwner
  private let bundle: WidgetBundle
  private let containers: Containers
  private let watch: SharedDataWatch
  private lazy var coordination = FileCoordination(
    owner: owner,
    groups: bundle.groups,
    folders: watch.folders,
    clock: watch.clock
  )
  private var number: Int?
  private var observed: Set<String> = []
  /// The suites that are followed, with their values as the widget knows them.
  private var known: [String: [String: DefaultsValue]] = [:]

  /// The most names that a process observes.
  private static let observerLimit = 64

  init(
    owner: any SharedDataAccessOwner,
    bundle: WidgetBundle,
    id: ExtensionIdentity,
    watch: SharedDataWatch
  ) {
    self.owner = owner
    self.bundle = bundle
    self.watch = watch
    containers = watch.folders.containers(of: id, bundle)
  }

  isolated deinit {
    if let number { watch.end(number) }
  }

  /// Performs a request, and answers it if it has an identifier.
  func perform(_ request: SharedDataRequest, _ id: MessageID?) {
    if let refusal = request.refusal(for: bundle) { return refuse(refusal, id) }
    switch request {
    case .read(let request): read(request, id)
    case .write(let request): write(request, id)
    case .observe(let name):
      guard observed.count < Self.observerLimit || observed.contains(name) else {
        let words = "\(Self.observerLimit) names are observed, the limit"
        return refuse(WireError(code: .overLimit, message: words), id)
      }
      observed.insert(name)
      listen()
    case .removeObserver(let name): observed.remove(name)
    case .post(let name): post(name)
    case .coordinate(let request):
      if let id { coordination.begin(request, id) }
    case .endCoordination(let token): coordination.end(token)
    }
  }

  /// Whether the process has access to a file that others wait for.
  var isCoordinating: Bool { coordination.accessedPath != nil }

  /// The process was suspended; returns the file to which it has access, nil if there is none.
  func suspend() -> String? { coordination.suspend() }

  /// The process continues.
  func resume() {
    coordination.resume()
  }

  private func refuse(_ error: WireError, _ id: MessageID?) {
    if let id { owner.answer(.failure(error), to: id) } else { owner.sharedDataHasTrouble(error) }
  }

  // MARK: - Requests

  private func file(_ suite: String) -> DefaultsFile {
    DefaultsFile(container: containers.groups[suite] ?? containers.data, suite: suite)
  }

  private func read(_ request: DefaultsReadRequest, _ id: MessageID?) {
    let file = file(request.suite)
    work { () throws(HostError) in
      var values = try file.read()
      if let keys = request.keys { values = values.filter { keys.contains($0.key) } }
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
      // What the widget has written itself is no change for it.
      if case .success = answer, access.known[request.suite] != nil {
        for (key, value) in request.values { access.known[request.suite]?[key] = value }
      }
      if let id { access.owner.answer(answer, to: id) }
    }
  }

  private func post(_ name: String) {
    guard let group = SharedNotices.group(of: name, among: bundle.groups) else { return }
    let notices = SharedNotices(watch.folders)
    work { () throws(HostError) in
      try notices.post(name, inGroup: group)
      return SharedDataAnswer.written
    } then: { access, answer in
      if case .failure(let error) = answer { access.owner.sharedDataHasTrouble(error) }
    }
  }

  /// Runs `body` on another thread, and `completion` then with its result.
  private func work<Value: Sendable>(
    _ body: @escaping @Sendable () throws(HostError) -> Value,
    then completion: @escaping @MainActor (SharedDataAccess, Result<Value, WireError>) -> Void
  ) {
    let done: @MainActor (Result<Value, WireError>) -> Void = { [weak self] answer in
      if let self { completion(self, answer) }
    }
    Worker.background.async {
      let answer = Result { () throws(HostError) in try body() }.mapError(WireError.init)
      DispatchQueue.main.async { MainActor.assumeIsolated { done(answer) } }
    }
  }

  // MARK: - Changes by others

  /// Follows the suites that the widget may read, because it wants to be told of changes.
  func followDefaults() {
    for suite in bundle.groups + [bundle.bundleIdentifier] {
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
    if !observed.isEmpty { watch.add(bundle.groups.map(notices.folder)) }
  }

  private func heard(_ names: Set<String>) {
    for name in observed.sorted() where names.isEmpty || names.contains(name) {
      owner.sharedDataDidChange(.posted(name))
    }
    for suite in known.keys.sorted() where names.isEmpty || names.contains(file(suite).name) {
      compare(suite)
    }
  }

  /// Tells the widget which values of a suite differ from those that it knows.
  private func compare(_ suite: String) {
    let file = file(suite)
    work { () throws(HostError) in
      try file.read()
    } then: { access, values in
      guard case .success(let values) = values, let before = access.known[suite] else { return }
      let keys = Set(before.keys).union(values.keys).filter { before[$0] != values[$0] }
      guard !keys.isEmpty else { return }
      access.known[suite] = values
      access.owner.sharedDataDidChange(.defaults(suite: suite, keys: keys))
    }
  }
}

nonisolated extension WireError {
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
