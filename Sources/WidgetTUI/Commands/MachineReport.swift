import FoundationEssentials
import PageRecords
import WidgetExtensions
import WidgetKitCore
import WidgetPages
import WidgetPlatform
import WidgetScripts

/// What `today hosts` says of a machine.
struct MachineReport: Encodable {
  var host: String
  var reachable: Bool
  /// Why it cannot be reached.
  var message: SafeText?
  /// The time to an answer, in milliseconds.
  var latency: Double?
  /// The version of the program there; nil if it is not installed, or not known.
  var version: String?
  /// How many cards of the page are of this machine.
  var cards: Int
  var lastSeen: Date?

  init(
    _ machine: RemoteDestination,
    _ answer: Result<MachineSurvey.Answer, RemoteFailure>?,
    cards: Int,
    lastSeen: Date?
  ) {
    host = machine.description
    (self.cards, self.lastSeen) = (cards, lastSeen)
    switch answer {
    case .success(let answer)?:
      reachable = true
      latency = (answer.latency.seconds * 10_000).rounded() / 10
      version = answer.version
    case .failure(let failure)?: (reachable, message) = (false, SafeText(failure.description))
    case nil: reachable = false
    }
  }

  /// The lines of a table.
  static func table(_ reports: [MachineReport], now: Date) -> [SafeText] {
    TextTable(reports.map { $0.cells(now) }).lines
  }

  /// How long ago it was that a machine was there, which is away now.
  private static func ago(_ seconds: Double) -> SafeText {
    seconds < 60 ? "less than a minute ago" : AgeWording.ago(seconds)
  }

  private func cells(_ now: Date) -> [String] {
    let count = cards == 1 ? "1 card" : "\(cards) cards"
    guard reachable else {
      let seen = lastSeen.map { "last seen \(Self.ago(now.timeIntervalSince($0)))" }
      return [host, "away", count, seen ?? "never seen", message?.string ?? "unreachable"]
    }
    let time = latency.map { "\(Int($0.rounded())) ms" } ?? ""
    return [host, time, count, version.map { "today \($0)" } ?? "today is not installed"]
  }
}

/// The machines that config.json, the cards of the pages and the sources of scripts name.
struct UsedMachines {
  private(set) var machines: [RemoteDestination] = []
  /// How many cards of the pages are of each.
  private(set) var cards: [RemoteDestination: Int] = [:]

  init(_ settings: Settings, _ book: PageBook, _ names: HostNames) {
    for (_, members) in settings.hosts.sorted(by: { $0.key < $1.key }) {
      for machine in members where names.machines[machine.description] == nil { add(machine) }
    }
    for name in settings.hosts.keys.sorted() where settings.hosts[name]?.count == 1 {
      // A name of one machine is shown in its place.
      guard let destination = RemoteDestination(name) else { continue }
      machines.removeAll { $0 == names.address(of: destination) }
      add(destination)
    }
    for source in settings.sources { if let host = source.options.host { add(all: host, names) } }
    for (member, place) in book.widgets {
      guard case .position = place, let host = Self.host(of: member, settings) else { continue }
      for machine in names.members(of: host) {
        add(machine)
        cards[machine, default: 0] += 1
      }
    }
  }

  private static func host(of member: PageMember, _ settings: Settings) -> RemoteDestination? {
    let id = member.id
    return settings.cards[id.description]?.host ?? settings.cards[id.bundleIdentifier]?.host
      ?? member.host ?? member.bundle.script?.options.host
  }

  private mutating func add(all host: RemoteDestination, _ names: HostNames) {
    for machine in names.members(of: host) { add(machine) }
  }

  private mutating func add(_ machine: RemoteDestination) {
    if !machines.contains(machine) { machines.append(machine) }
  }
}

extension HostNames {
  /// The machines of a name for several, else the one that is named, as it is named.
  func members(of destination: RemoteDestination) -> [RemoteDestination] {
    isFleet(destination) ? machines(of: destination) : [destination]
  }
}
