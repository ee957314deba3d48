import Brokers
import Glibc
import PageRecords
import WidgetExtensions
import WidgetKitCore
import WidgetPages
import WidgetPlatform
import WidgetScripts

/// `today subscribe`: makes cards of the topics of an MQTT broker.
struct SubscribeCommand: Command {
  static let name = "subscribe"
  static let syntax = CommandSyntax<SubscribeCommand>(
    name,
    "make cards of the topics of an MQTT broker",
    expected: "an address such as mqtts://broker.lan, and a filter such as 'today/+/System'",
    forms: [
      "BROKER FILTER [--page PAGE]", "BROKER FILTER --remove", "BROKER --password", "",
    ],
    details: """
      Makes a card of each topic that matches the filter: of those that the broker has now, and later of
      others as they appear while a page is open, up to 1,000. What is retained is shown at once. BROKER is
      mqtt://HOST or mqtts://HOST, with the name of a user and a port if need be: mqtts://me@broker.lan:8883.
      In a filter, “+” matches exactly one level, and “#” for all that follow.

      A message is a card that “today publish” has sent, an object such as
      {"title": "WAN", "text": "up", "value": 71}, or text. “today add 'mqtt:TOPIC'” makes a single card.

      Without arguments it lists the subscriptions.
      """,
    operands: [.optional("BROKER", .text, \.broker), .optional("FILTER", .text, \.filter)],
    options: [
      .value("--page PAGE", .page, \.page):
        "the page, which is made if there is none of that name; the first one by default",
      .flag("--remove", \.isRemoved): "stop following the filter; its cards remain",
      .flag("--password", \.setsPassword): """
      store the password of the user of the broker as a secret; it is asked for, or read from standard input
      """,
    ],
    notes: """
      Exit status: 69 if the broker cannot be used, with the reason; then nothing is stored.
      """
  )

  var options = CommonOptions()
  private var broker: String?
  private var filter: String?
  private var page: PageName?
  private var isRemoved = false
  private var setsPassword = false

  func validate() throws(CommandError) {
    guard broker != nil || (filter == nil && !isRemoved && !setsPassword) else {
      throw Self.misused
    }
    guard !(isRemoved && setsPassword) else { throw Self.misused }
  }

  func run() async throws(CommandError) -> ExitCode {
    guard options.widgetFolders.isEmpty else {
      throw .usage("cards of a broker cannot be added to the page of --widgets")
    }
    guard let broker else { return list() }
    let (address, topic) = try Self.usage { () throws(HostError) in try BrokerAddress.split(broker)
    }
    if setsPassword { return try storePassword(address) }
    guard let filter = filter ?? topic, self.filter == nil || topic == nil else {
      throw .usage("expected one filter of topics, such as 'today/+/System'")
    }
    if let fault = TopicRules.filterFault(filter) {
      throw .usage("“\(SafeText(filter).onOneLine)” is not a filter: \(fault)")
    }
    let folders = StateFolders(environment: options.environment)
    guard !isRemoved else {
      try CommandError.from { () throws(HostError) in
        try BrokerSubscriptions.change(
          folders,
          BrokerSubscription(broker: address, filter: filter, page: nil),
          isRemoved: true
        )
      }
      return .success
    }
    return try await subscribe(address, filter, folders)
  }

  private static func usage<Value>(
    _ body: () throws(HostError) -> Value
  ) throws(CommandError) -> Value {
    do throws(HostError) { return try body() } catch {
      throw .usage(SafeText(error.description).onOneLine.string)
    }
  }

  private func list() -> ExitCode {
    let all = BrokerSubscriptions.read(StateFolders(environment: options.environment))
    for each in all {
      let page = each.page.map { " --page \(ShellWord.readable($0))" } ?? ""
      let words = "\(each.broker) \(ShellWord.readable(each.filter))\(page)"
      StandardStreams.writeLine(SafeText(words))
    }
    if all.isEmpty { StandardStreams.writeError("there are no subscriptions") }
    return .success
  }

  // MARK: - Subscribing

  private func subscribe(
    _ address: BrokerAddress,
    _ filter: String,
    _ folders: StateFolders
  ) async throws(CommandError) -> ExitCode {
    let settings = options.readSettings()
    let page = try page.map { page throws(CommandError) in
      try PageChoice(PageBook(options).pages, options).new(page)
    }
    BrokerHub.shared.prepare(options, settings)
    let found: TopicSearch.Found
    do throws(BrokerTrouble) {
      found = try await search(filter, address)
    } catch {
      throw .unavailable("\(address): \(error)")
    }
    let cards = BrokerCards(options, settings)
    let outcome = try CommandError.from { () throws(HostError) in
      let outcome = try cards.add(found.topics, on: address, to: page)
      try BrokerSubscriptions.change(
        folders,
        BrokerSubscription(broker: address, filter: filter, page: page)
      )
      return outcome
    }
    for identifier in outcome.added { StandardStreams.writeLine(SafeText(identifier)) }
    for (topic, reason) in outcome.refused.prefix(20) {
      StandardStreams.writeError(
        "\(SafeText(topic.prefix(200).description).onOneLine): no card: \(reason)"
      )
    }
    if outcome.omitted > 0 {
      StandardStreams.writeError(
        "\(outcome.omitted) more topics have no card, as there are too many (limits.widgets)"
      )
    }
    if found.omitted > 0 {
      StandardStreams.writeError(
        "\(found.omitted) messages have no card, as their topics have more than "
          + "\(ScriptOptions.textBytes) bytes"
      )
    }
    if found.topics.isEmpty {
      StandardStreams.writeError("nothing matches yet; cards come while a page is open")
    }
    return .success
  }

  /// What the broker has under a filter now.
  private func search(
    _ filter: String,
    _ address: BrokerAddress
  ) async throws(BrokerTrouble) -> TopicSearch.Found {
    let broker = BrokerHub.shared.broker(at: address, environment: options.environment)
    let search = TopicSearch(filter, on: broker)
    let result: Result<TopicSearch.Found, BrokerTrouble> = await withCheckedContinuation { found in
      search.start { found.resume(returning: $0) }
    }
    BrokerHub.shared.close()
    return try result.get()
  }

  // MARK: - The password

  private func storePassword(_ address: BrokerAddress) throws(CommandError) -> ExitCode {
    guard address.user != nil else {
      throw .usage("a password needs the name of a user: \(address.with(user: "NAME"))")
    }
    let storage = SecretStorage(options)
    guard let value = StandardInput.secret("Password of \(address)"),
      let secret = ProgramSecret(address.description, in: storage)
    else {
      throw .usage(
        "expected a password as UTF-8 text of at most \(SecretValue.byteLimit) bytes on standard input"
      )
    }
    do throws(SecretFault) {
      try secret.store(value)
    } catch {
      throw .failure(error.words)
    }
    StandardStreams.writeError(storage.keeping().words)
    return .success
  }
}
