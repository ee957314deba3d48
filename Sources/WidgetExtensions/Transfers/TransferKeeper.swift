import FoundationEssentials
import WidgetKitCore
public import WidgetPlatform

/// Keeps one transfer until its end was reported: a process of its own, which outlives the widget and the
/// dashboard that have requested it.
///
/// The events go to the process that holds the lock of the session. While that is a host, the keeper waits; if nobody
/// does, or not any more, it starts the containing app with them.
@MainActor public final class TransferKeeper {
  private let book: TransferBook
  private let folders: StateFolders
  private let environment: [String: String]
  private let executable: String
  private let secrets: SecretStorage
  private let clock: any HostClock
  private let apps: AppConfinement
  private let afterPress: Bool
  private var record: TransferRecord
  private let lock: TransferLock
  private var agent: TransferAgent?
  private var launch: TransferAppLaunch?
  private var completion: (() -> Void)?
  private var watch: FolderFollower?
  private var timer: (any HostTimer)?
  private var progress = TransferProgress(bytes: 0, total: nil)
  private var progressTimer: (any HostTimer)?

  /// How often it looks whether it is its turn, if it was told nothing.
  private static let patience: Duration = .seconds(20)
  private static let progressPause: Duration = .seconds(1)
  /// How often the program that transfers may end without a word, and the first pause then.
  private static let agentLimit = 8
  private static let agentPause: Duration = .milliseconds(500)
  private var agentEnds = 0
  /// How far the transfer was when that happened last.
  private var furthest = 0

  /// Begins to keep a transfer; nil if there is none of this name, or if another process keeps it.
  ///
  /// - Parameters:
  ///   - task: The name of the transfer.
  ///   - environment: The user's environment.
  ///   - executable: The path of the program `today`.
  ///   - secrets: Where the secrets are that a transfer can send.
  ///   - sandbox: Whether the app runs in a sandbox.
  ///   - afterPress: Whether the app may be started although the user does not trust it.
  ///   - clock: The clock, or nil for the system's.
  public init?(
    task: String,
    environment: [String: String],
    executable: String,
    secrets: SecretStorage,
    sandbox: SandboxMode = .automatic,
    afterPress: Bool = false,
    clock: (any HostClock)? = nil
  ) {
    self.afterPress = afterPress
    apps = AppConfinement(
      Sandbox(sandbox, environment: environment),
      environment: environment,
      executable: executable
    )
    self.secrets = secrets
    folders = StateFolders(environment: environment)
    book = TransferBook(folders)
    guard TransferBook.isTask(task), let lock = book.lock(task), let record = book.read(task) else {
      return nil
    }
    (self.lock, self.record, self.environment) = (lock, record, environment)
    (self.executable, self.clock) = (executable, clock ?? SystemClock())
  }

  /// Transfers the file and sees to its report; `completion` is called once.
  public func run(completion: @escaping () -> Void) {
    self.completion = completion
    watch = FolderFollower(
      [book.folder],
      clock: clock,
      onChange: { [weak self] in self?.didChange($0) },
      onTrouble: { _ in }
    )
    watch?.start()
    if record.result == nil { transfer() } else { report() }
  }

  private func end() {
    for timer in [timer, progressTimer] { timer?.cancel() }
    watch = nil
    let completion = completion
    self.completion = nil
    completion?()
  }

  /// Something in the folder has changed: this transfer was cancelled or reported, or a lock has ended.
  private func didChange(_ names: Set<String>) {
    guard completion != nil else { return }
    let isOwn = names.isEmpty || names.contains { TransferBook.task(of: $0) == record.task }
    if isOwn, book.read(record.task) == nil {
      agent?.stop()
      TransferFiles(record, book, folders).removePart()
      return end()
    }
    if record.result == nil {
      if isOwn, book.isCancelled(record.task) { cancel() }
    } else if isOwn || names.contains(TransferBook.locks) {
      report()
    }
  }

  // MARK: - The transfer

  private func transfer() {
    guard !book.isCancelled(record.task) else { return cancel() }
    guard let program = HelperProgram.transferAgent.path(beside: executable) else {
      return finish(failed: "missing", nil, "the program transfer-agent is not installed")
    }
    let files = TransferFiles(record, book, folders)
    let agent = TransferAgent { [weak self] in self?.take($0) }
    self.agent = agent
    do throws(FileFault) {
      let part = try files.openPart()
      switch record.kind {
      case .download: start(agent, program, part, nil)
      case .upload:
        let source = try files.openSource()
        start(agent, program, part, source.number)
      }
    } catch {
      finish(failed: "storage", nil, error.words)
    }
  }

  private func start(
    _ agent: TransferAgent,
    _ program: String,
    _ part: borrowing Descriptor,
    _ source: Int32?
  ) {
    let credential: String?
    do throws(WireError) {
      credential = try record.credential?.line(secrets)
    } catch {
      return finish(failed: "credential", nil, error.message)
    }
    do throws(HostError) {
      try agent.start(
        record,
        credential: credential,
        program,
        part: part,
        source: source,
        environment: environment
      )
    } catch {
      finish(failed: "missing", nil, error.description)
    }
  }

  private func take(_ report: TransferAgent.Report) {
    guard record.result == nil else { return }
    switch report {
    case .progress(let bytes, let total):
      progress = TransferProgress(bytes: bytes, total: total)
      noteProgress()
    case .validator(let validator):
      record.validator = validator
      try? book.write(record)
    case .done(let status):
      do throws(FileFault) {
        let path = try TransferFiles(record, book, folders).complete()
        finish(TransferRecord.Ending(path: path, status: status))
      } catch {
        finish(failed: "storage", status, error.words)
      }
    case .failed(let reason, let status, let words):
      finish(failed: reason, status, words)
    case .ended(let status): agentDidEnd(status)
    }
  }

  /// Goes on with another process, where the transfer has come to.
  private func agentDidEnd(_ status: TerminationStatus) {
    agent = nil
    let words = "the transfer program ended: \(status)"
    // The server may have acted on it.
    let isRepeatable = record.method != "POST" || progress.bytes == 0
    if progress.bytes > furthest {
      furthest = progress.bytes
      agentEnds = 0
    }
    agentEnds += 1
    guard isRepeatable, agentEnds < Self.agentLimit else {
      return finish(failed: "missing", nil, words)
    }
    let pause = Self.agentPause * (1 << (agentEnds - 1))
    timer = clock.schedule(after: pause) { [weak self] in
      guard let self, record.result == nil, completion != nil else { return }
      transfer()
    }
  }

  /// Writes how far the transfer is, at most once a second.
  private func noteProgress() {
    guard progressTimer == nil else { return }
    book.set(progress, of: record.task)
    let written = progress
    progressTimer = clock.schedule(after: Self.progressPause) { [weak self] in
      guard let self else { return }
      progressTimer = nil
      if progress != written, record.result == nil { noteProgress() }
    }
  }

  private func cancel() {
    timer?.cancel()
    agent?.stop()
    finish(failed: "cancelled", nil, "the transfer was cancelled")
  }

  private func finish(failed reason: String, _ status: Int?, _ words: String) {
    TransferFiles(record, book, folders).removePart()
    finish(TransferRecord.Ending(error: words, reason: reason, status: status))
  }

  private func finish(_ result: TransferRecord.Ending) {
    record.result = result
    record.headers = [:]
    record.validator = nil
    // Without the record there would be no report; the next keeper transfers the file again.
    guard (try? book.write(record)) != nil else { return end() }
    report()
  }

  // MARK: - The report

  /// Starts the app with all events of the session, unless a host or another keeper does that.
  private func report() {
    guard launch == nil, completion != nil else { return }
    timer?.cancel()
    guard let session = book.lock(record.session) else {
      timer = clock.schedule(after: Self.patience) { [weak self] in self?.report() }
      return
    }
    let records = book.records().filter { $0.session == record.session }
    guard records.contains(where: { $0.task == record.task }) else { return end() }
    // The last one that ends reports all.
    let isLast = !records.contains { $0.result == nil && book.isKept($0.task) }
    guard isLast else { return end() }
    let ended = records.filter { $0.result != nil }
    let launch = TransferAppLaunch(apps, afterPress: afterPress, clock: clock)
    self.launch = launch
    launch.start(ended) { [weak self] refusal in
      self?.wasReported(ended, refusal)
      withExtendedLifetime(session) {}
    }
  }

  private func wasReported(_ records: [TransferRecord], _ refusal: String?) {
    if let refusal {
      for var record in records {
        record.refusals = record.refusals.addingSaturated(1)
        try? book.write(record)
      }
      let log = WidgetLog(path: folders.log(of: ExtensionIdentity(record.widget)), clock: clock)
      log.writeEnd(SafeText("the transfers of “\(record.identifier)” were not taken: \(refusal)"))
    } else {
      book.remove(records.map(\.task))
    }
    end()
  }
}
