import Brokers
import FoundationEssentials
import PageRecords
import WidgetCards
import WidgetKitCore
import WidgetPages
import WidgetPlatform
import WidgetScripts

/// `today publish`: a page for others to read, in a folder or on a broker.
struct PublishCommand: Command {
  /// What is done with the service that publishes.
  enum Switch: String, CaseIterable {
    case on
    case off
  }

  static let name = "publish"
  static let syntax = CommandSyntax<PublishCommand>(
    name,
    "publish a page for others to read",
    expected: "a page and --to",
    details: """
      Runs the widgets of a page, and writes the page as one HTML file without scripts, and it and its cards as
      SVG, into a folder of this machine, or through ssh of another one. To a broker of MQTT it publishes each card
      as JSON under today/NAME/CARD, and whether it is there under today/NAME/$state. It goes on until it is
      ended, and writes only when something has changed. Updates are shared with an open page. With “on”,
      systemd does so from now on, also after the next login; “off” ends that.

      The first time, the cards are listed, and it asks. Cards that come to the page later are published when
      you have agreed to them too. What is private is covered, as on a locked page; links lead to the web
      alone; nothing can be pressed, and the words of errors are left out.

      Exit status: 66 if there is no such page, 69 if the place cannot be reached, with --once, 77 if you have not
      agreed, or the folder has files of others.
      """,
    operands: [.one("PAGE", .page, \.page), .optional("on|off", .choice, \.service)],
    options: [
      .value("--to PLACE", .path, isRequired: true) { $0.place = $1 }: """
      a folder, user@host:folder, or a broker such as mqtts://broker
      """,
      .values("--only ID", .widget, \.only): """
      publish this card alone; may be given several times
      """,
      .value("--every TIME", .time, \.interval):
        "look every TIME, such as 60s, whether something has changed; 60s by default",
      .value("--as NAME", .text, \.publisher):
        "the name of this machine, in the heading and in topics",
      .flag("--once", \.isOnce): "publish once, and end",
      .flag("--yes", \.isAgreed): """
      agree to all cards of the page, and to a folder with files of others
      """,
    ]
  )

  var options = CommonOptions()
  private var page = PageName.home
  private var service: Switch?
  private var place = ""
  private var only: [String] = []
  private var interval: Duration = .seconds(60)
  private var publisher: String?
  private var isOnce = false
  private var isAgreed = false

  private static let longestInterval: Duration = .seconds(86_400)
  /// The longest name of a machine in bytes.
  private static let nameLimit = 64

  func validate() throws(CommandError) {
    guard service == nil || !isOnce else { throw Self.misused("--once needs no service") }
    guard service == nil || options.widgetFolders.isEmpty else {
      throw Self.misused("a service publishes pages without --widgets")
    }
    guard interval <= Self.longestInterval else { throw .usage("--every: expected at most 1d") }
    if let publisher, publisher.isEmpty || publisher.utf8.count > Self.nameLimit {
      throw .usage("--as: expected a name of 1 to \(Self.nameLimit) bytes")
    }
  }

  func run() async throws(CommandError) -> ExitCode {
    let working = FileManager.default.currentDirectoryPath
    let destination = try PublishDestination(place, folder: working)
    let unit = PublishUnit(
      key: PublishAgreement.key(page, destination),
      environment: options.environment
    )
    if service == .off { return try await stop(unit) }
    let book = PageBook(options)
    let page = try PageChoice(book.pages, options).existing(page)
    if case .broker = destination { try checkName(of: page, at: destination, book.pages) }
    var choice = PublishChoice(
      book: book,
      page: page,
      destination: destination,
      environment: options.environment,
      only: only
    )
    choice.question.isAgreed = isAgreed
    let ids = try choice.cards()
    guard service == .on else { return try await publish(ids, of: page, to: destination) }
    try await checkManager(unit)
    // What is wrong with the place is said here, and not in the journal alone.
    let code = try await publish(ids, of: page, to: destination)
    guard code == .success else { return code }
    return try await start(unit, page, destination)
  }

  /// Refuses a name that topics cannot have, and that of another page, whose cards would be mixed with these.
  private func checkName(
    of page: PageName,
    at destination: PublishDestination,
    _ pages: [PageName]
  ) throws(CommandError) {
    let other = TopicRecord.otherPage(
      than: PublishAgreement.key(page, destination),
      under: try topics().state,
      at: destination.name,
      environment: options.environment
    )
    guard let other, pages.contains(where: { $0.rawValue == other }) else { return }
    throw CommandError(
      exitCode: .refused,
      description: "\(destination.name) has the page “\(other)” under this name; "
        + "publish this page with another one: --as NAME"
    )
  }

  private func topics() throws(CommandError) -> BrokerTopics {
    guard let topics = BrokerTopics(host: publisher ?? BrokerTopics.hostName) else {
      throw .usage("--as: expected a name without blanks, /, +, # and $")
    }
    return topics
  }

  /// Publishes cards, once or until it is ended.
  private func publish(
    _ ids: [CardID],
    of page: PageName,
    to destination: PublishDestination
  ) async throws(CommandError) -> ExitCode {
    let isOnce = isOnce || service == .on
    let headless = try HeadlessCenter(options, following: Set(ids))
    headless.center.load()
    let place = try await makePlace(ids, of: page, at: destination, headless)
    var maker = EditionMaker(
      center: headless.center,
      ids: Set(ids),
      page: page,
      publisher: publisher.map { SafeText($0) },
      interval: interval,
      screen: headless.settings.screen,
      clock: headless.clock
    )
    if case .broker = destination { maker.isForPeople = false }
    return await Publisher(
      headless: headless,
      maker: maker,
      place: place,
      interval: interval,
      isOnce: isOnce,
      words: Self.words(ids.count, destination, isOnce ? nil : interval)
    ).run()
  }

  private func makePlace(
    _ ids: [CardID],
    of page: PageName,
    at destination: PublishDestination,
    _ headless: HeadlessCenter
  ) async throws(CommandError) -> any PublishedPlace {
    let environment = options.environment
    let stored = PublishAgreement.stored(page, destination, environment)
    let isAgreed = isAgreed || stored?.isBesideOthers == true
    switch destination {
    case .folder(let path): return PublishedFolder(path, isAgreed: isAgreed)
    case .machine(let machine, let folder):
      return PublishedMachine(machine, folder, isAgreed: isAgreed, environment: environment)
    case .broker(let address):
      let terms = PublishedBroker.Terms(
        topics: try topics(),
        cards: ids,
        page: page,
        key: PublishAgreement.key(page, destination)
      )
      return PublishedBroker(
        await broker(at: address, headless.settings),
        terms,
        clock: headless.clock,
        environment: environment
      )
    }
  }

  /// A broker with the files that are set for it, and the password that was stored.
  private func broker(at address: BrokerAddress, _ settings: Settings) async -> Broker {
    BrokerHub.shared.prepare(options, settings)
    let password: String? = await withCheckedContinuation { continuation in
      BrokerHub.shared.findPassword(address) { continuation.resume(returning: $0) }
    }
    return settings.mqtt.broker(
      at: address,
      home: options.environment["HOME"],
      password: password
    )
  }

  private static func words(
    _ count: Int,
    _ destination: PublishDestination,
    _ interval: Duration?
  ) -> String {
    let cards = count == 1 ? "1 card" : "\(count) cards"
    let rest = interval.map { "; looks every \($0.inSeconds) whether something has changed" } ?? ""
    if case .broker = destination { return "published: \(cards), \(destination.name)\(rest)" }
    return "published: \(cards), \(destination.name)/index.html\(rest)"
  }

  // MARK: - The service

  private func checkManager(_ unit: PublishUnit) async throws(CommandError) {
    let state = await unit.state()
    guard state != .unavailable, state != .silent else {
      throw .unavailable(
        "the systemd user manager does not answer; start “today publish” without “on” in another way"
      )
    }
  }

  private func start(
    _ unit: PublishUnit,
    _ page: PageName,
    _ destination: PublishDestination
  ) async throws(CommandError) -> ExitCode {
    var arguments = ["publish", page.rawValue, "--to", destination.name]
    arguments += ["--every", "\(interval.components.seconds)s"]
    if let publisher { arguments += ["--as", publisher] }
    let words = "Publish the page \(page) to \(destination.name)"
    let isEnabled: Bool
    do throws(HostError) {
      if await unit.state() == .on { await unit.stop() }
      isEnabled = try await unit.start(words, arguments)
    } catch {
      throw .failure(error.description)
    }
    guard isEnabled else { throw .failure("systemctl --user could not enable \(unit.name)") }
    guard await unit.state() == .on else {
      throw .failure("\(unit.name) does not run; “journalctl --user -u \(unit.name)” says why")
    }
    StandardStreams.writeLine(SafeText("on: \(unit.name)"))
    return .success
  }

  private func stop(_ unit: PublishUnit) async throws(CommandError) -> ExitCode {
    guard unit.installedProgram != nil else {
      throw .missing("no service publishes the page “\(page)” there")
    }
    guard await unit.stop() else {
      throw .failure(
        "systemctl --user could not stop \(unit.name), which may still run; "
          + "its file was removed, so that it does not start again"
      )
    }
    StandardStreams.writeLine("off; what was published stays")
    return .success
  }
}
