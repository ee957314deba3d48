import WidgetCards
public import WidgetExtensions
public import WidgetKitCore
public import WidgetPlatform
import WidgetScripts
import WidgetSessions

/// The commands that scripts of a page run after presses, each with the consent of the user.
///
/// The answer is kept for the script and the command, see ``CommandConsent``. The command of a script in the sandbox
/// runs in that sandbox. A class because commands and the question call it back.
public final class PageCommands {
  private let page: PageCards
  private let urls: PageURLs
  private let notices: PageNotices
  private let clock: any HostClock
  private let permissions: StoredPermissions
  private let environment: [String: String]
  private let confinement: WidgetConfinement
  private var running: [Int: ChildRun] = [:]
  private var count = 0
  private var asked: Asked?

  /// A command that waits for the answer of the user.
  private struct Asked {
    var command: RequestedCommand
    var completion: (CommandRefusal?) -> Void
  }

  init(
    page: PageCards,
    urls: PageURLs,
    notices: PageNotices,
    folders: StateFolders,
    environment: [String: String],
    confinement: WidgetConfinement,
    clock: any HostClock
  ) {
    self.confinement = confinement
    self.page = page
    self.urls = urls
    self.notices = notices
    self.clock = clock
    self.environment = environment
    permissions = StoredPermissions(folders)
  }

  /// The question that is open.
  public private(set) var question: CommandQuestion? {
    didSet { if question != oldValue { onQuestion?(question) } }
  }

  /// Called with a question for the user, and with nil when it needs no answer any more; without it
  /// nothing is asked, and nothing runs that is not permitted yet.
  public var onQuestion: ((CommandQuestion?) -> Void)?

  /// Runs a command for a card, and answers its request when it has ended.
  ///
  /// - Parameters:
  ///   - request: The command.
  ///   - call: Takes the answer.
  ///   - id: The card.
  ///   - sincePress: The time since the user acted on it; nil if the user has not, or the page is locked.
  func perform(
    _ request: RunCommandRequest,
    _ call: ServiceCall,
    of id: CardID,
    sincePress: Duration?
  ) {
    guard let card = page[id], let bundle = card.session?.bundle, let script = bundle.script
    else {
      return call.answer(refusal: .methodNotFound(RunCommandRequest.method))
    }
    let name = bundle.displayName
    let place = script.options.host.map {
      RequestedCommand.Place(machine: $0, folder: script.options.folderThere)
    }
    run(request, of: id, bundle, at: place, sincePress: sincePress) {
      [weak self, weak card] refusal in
      guard let refusal else { return call.answer(with: RunCommandRequest.Reply()) }
      card?.log("command: \(refusal.words)")
      if refusal != .notNow { self?.notices.sayUnlessLocked("\(name): \(refusal.words)") }
      call.answer(refusal: refusal.wireError)
    }
  }

  private func run(
    _ request: RunCommandRequest,
    of card: CardID,
    _ bundle: WidgetBundle,
    at place: RequestedCommand.Place?,
    sincePress: Duration?,
    completion: @escaping (CommandRefusal?) -> Void
  ) {
    if urls.lock.isLocked { return completion(.locked) }
    guard OpenURLPolicy.refusal(sincePress: sincePress) == nil else {
      return completion(.nobodyPressed)
    }
    guard let first = request.words.first,
      let program = place.map({ $0.path(of: first) }) ?? path(of: first, in: request.folder)
    else {
      return completion(.missing(program: request.words.first ?? ""))
    }
    let command = RequestedCommand(
      card: card,
      holder: bundle.permissionHolder,
      name: bundle.displayName,
      request: request,
      program: program,
      place: place,
      script: bundle.script?.path ?? bundle.path,
      confined: confinement.isConfined(bundle) ? bundle : nil,
      lacksSandbox: bundle.script?.isSandboxed == true && !confinement.isConfined(bundle)
    )
    begin(command, completion)
  }

  /// Starts a command that the user permits, and asks about one that the user was not asked about.
  private func begin(_ command: RequestedCommand, _ completion: @escaping (CommandRefusal?) -> Void)
  {
    let answers = permissions.read(command.holder).commands
    if let pattern = command.pattern, answers[pattern] == false { return completion(.notPermitted) }
    switch command.consent.answer(in: answers) {
    case true?: start(command, completion)
    case false?: completion(.notPermitted)
    case nil: ask(command, completion)
    }
  }

  /// Runs a command of the user that was declared for a key, with the consent of the user as for that of a script;
  /// what becomes of it is said below the page.
  ///
  /// - Parameters:
  ///   - own: The command.
  ///   - key: The name of the key.
  ///   - row: What has the focus; nil if nothing has.
  ///   - advice: How a row is selected, said if the command needs one.
  public func run(_ own: OwnCommand, on key: SafeText, row: OwnCommand.Row?, advice: SafeText) {
    let name = own.title ?? "Key \(key)"
    if urls.lock.isLocked { return notices.say(urls.lock.words) }
    if own.needsRow, row == nil { return notices.say("\(name): \(advice)") }
    let words: [String]
    switch own.filled(with: row) {
    case .success(let filled): words = filled
    case .failure(let missing):
      return notices.say("\(name): this row has nothing for \(SafeText(missing.place.rawValue)).")
    }
    let home = HomeFolder(environment)
    let folder = home.path ?? "/"
    guard let first = words.first, let program = path(of: home.expanded(first), in: folder) else {
      let missing = CommandRefusal.missing(program: words.first ?? "")
      return notices.say("\(name): \(missing.words)")
    }
    let command = RequestedCommand(
      card: nil,
      holder: OwnCommand.holder,
      name: name,
      key: own.title == nil ? key : nil,
      request: RunCommandRequest(words: words, folder: folder, terminal: own.usesTerminal),
      program: program,
      script: program,
      pattern: own.consent(program)
    )
    begin(command) { [weak self] refusal in
      guard let refusal, refusal != .notNow else { return }
      self?.notices.sayUnlessLocked("\(name): \(refusal.words)")
    }
  }

  /// The path of a program; one with a slash is relative to the folder, and others are looked for in `PATH`.
  private func path(of program: String, in folder: String) -> String? {
    guard program.contains("/") else { return ToolSearch.path(of: program, in: environment) }
    let name = program.hasPrefix("./") ? program.dropFirst(2) : program[...]
    let path = program.hasPrefix("/") ? program : "\(folder)/\(name)"
    return ToolSearch.isProgram(path) ? path : nil
  }

  /// Ends all commands that run, because the page is closed.
  func endAll() {
    for command in running.values { command.endGently() }
  }

  // MARK: - Asking

  private func ask(_ command: RequestedCommand, _ completion: @escaping (CommandRefusal?) -> Void) {
    guard onQuestion != nil else { return completion(.notPermitted) }
    guard asked == nil else { return completion(.busy) }
    asked = Asked(command: command, completion: completion)
    question = CommandQuestion(
      name: command.asker,
      line: command.shown.text,
      hasInvisibleCharacters: !command.shown.isPlain,
      machine: command.place.map { SafeText($0.machine.description) },
      usesTerminal: command.request.terminal,
      sandbox: command.confined != nil
        ? "in its sandbox"
        : command.lacksSandbox ? "outside of the sandbox, as there is none" : nil,
      program: command.withAnyArguments == nil
        ? nil : SafeText(OwnPath.split(command.program).name),
      isForEveryRow: command.pattern != nil
    )
  }

  /// The user answers the question that is open.
  ///
  /// - Returns: Why the answer could not be stored; nil if it was.
  @discardableResult
  public func answer(_ answer: CommandQuestion.Answer) -> HostError? {
    guard let asked else { return nil }
    self.asked = nil
    question = nil
    var trouble: HostError?
    if let (key, isGranted) = Self.kept(answer, asked.command) {
      do throws(HostError) {
        try permissions.setCommand(key, isGranted, of: asked.command.holder)
      } catch {
        trouble = error
      }
    }
    if [.always, .anyArguments, .once].contains(answer) {
      start(asked.command, asked.completion)
    } else {
      asked.completion(answer == .notNow ? .notNow : .notPermitted)
    }
    return trouble
  }

  /// What is kept of an answer; nil for nothing.
  private static func kept(
    _ answer: CommandQuestion.Answer,
    _ command: RequestedCommand
  ) -> (key: String, isGranted: Bool)? {
    switch answer {
    // What was not seen is permitted once.
    case .always:
      command.shown.isPlain ? (command.pattern ?? command.consent.exact, true) : nil
    case .anyArguments: command.withAnyArguments.map { ($0, true) }
    case .never: (command.pattern ?? command.consent.exact, false)
    case .once, .notNow: nil
    }
  }

  // MARK: - Running

  private func start(_ command: RequestedCommand, _ completion: @escaping (CommandRefusal?) -> Void)
  {
    if let bundle = command.confined { return start(command, inSandboxOf: bundle, completion) }
    guard let place = command.place else {
      let launch = LaunchDescription(
        program: command.program,
        arguments: Array(command.request.words.dropFirst()),
        environment: environment,
        folder: command.request.folder
      )
      return start(command, launch, completion)
    }
    RemoteHosts.shared.endPause(of: place.machine)
    RemoteHosts.shared.host(place.machine, environment: environment).connect { [weak self] result in
      guard let self else { return }
      switch result {
      case .failure(let failure): completion(.didNotStart(failure.description))
      case .success(let connection):
        let request = command.request
        let launch = LaunchDescription(
          program: connection.program,
          arguments: connection.command(
            request.words,
            in: place.folder,
            onTerminal: request.terminal
          ),
          environment: environment
        )
        start(command, launch, completion)
      }
    }
  }

  /// Starts the command of a script that is in the sandbox: it sees and may what the script does.
  private func start(
    _ command: RequestedCommand,
    inSandboxOf bundle: WidgetBundle,
    _ completion: @escaping (CommandRefusal?) -> Void
  ) {
    // A command on another machine would be outside.
    guard command.place == nil, let card = command.card else { return completion(.notPermitted) }
    let containers = StateFolders(environment: environment).containers(
      of: bundle.runner(of: card)
    )
    let launch = LaunchDescription(
      program: command.program,
      arguments: Array(command.request.words.dropFirst()),
      environment: WidgetEnvironment.make(
        from: environment,
        bundle: command.request.folder,
        containers: containers
      ),
      folder: command.request.folder
    )
    do throws(HostError) {
      start(command, try confinement.confine(launch, bundle, card), completion)
    } catch {
      completion(.noSandbox(error.description))
    }
  }

  private func start(
    _ command: RequestedCommand,
    _ launch: LaunchDescription,
    _ completion: @escaping (CommandRefusal?) -> Void
  ) {
    guard !command.request.terminal else { return startOnTerminal(launch, completion) }
    count += 1
    let number = count
    let words = command.request.words
    func isIts(_ action: String) -> Bool { ScriptCommand(action: action)?.words == words }
    do throws(HostError) {
      running[number] = try ChildRun(
        launch,
        Self.terms(isElsewhere: command.place != nil),
        clock: clock
      ) {
        [weak self] end in
        self?.running[number] = nil
        if let card = command.card {
          self?.page[card]?.send(.command(isRunning: false, isIts))
        }
        if end.failure != nil { return completion(.tooSlow(Self.timeLimit)) }
        guard end.status == .exited(0) else {
          return completion(.failed(end.status, lastLine: end.lines.last))
        }
        self?.notices.sayUnlessLocked("\(command.name): \(end.lines.last ?? "done")")
        completion(nil)
      }
      if let card = command.card { page[card]?.send(.command(isRunning: true, isIts)) }
      notices.sayUnlessLocked("\(command.name): \(command.shown.text) …")
    } catch {
      completion(.didNotStart(error.description))
    }
  }

  /// How a command runs without a terminal: what it has started goes on after it, as with a command at a prompt;
  /// the command itself ends with the page, also if the program is killed.
  private static func terms(isElsewhere: Bool) -> ChildRun.Terms {
    ChildRun.Terms(
      isolation: .command,
      // On another machine the end of standard input would end it.
      input: isElsewhere ? .pipe(OutputQueue()) : .nothing,
      output: .lines { _ in },
      errors: .withOutput,
      time: timeLimit,
      teardown: [.terminate]
    )
  }

  /// The time that a command may take.
  private static let timeLimit = Duration.seconds(60)

  private func startOnTerminal(
    _ launch: LaunchDescription,
    _ completion: @escaping (CommandRefusal?) -> Void
  ) {
    guard let handover = urls.terminalHandover else { return completion(.noScreen) }
    let program = TerminalProgram(launch) { hasStarted in
      if !hasStarted { completion(.didNotStart("\(launch.program) was not started")) }
    } didEnd: { status in
      completion(status == .exited(0) ? nil : .failed(status, lastLine: nil))
    }
    handover(program)
  }
}
