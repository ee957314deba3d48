import FoundationEssentials
import PageRecords
import WidgetExtensions
import WidgetKitCore
import WidgetPages
import WidgetPlatform
import WidgetScripts

/// `today hosts`: the other machines, and whether they can be reached.
struct HostsCommand: Command {
  static let name = "hosts"
  static let syntax = CommandSyntax<HostsCommand>(
    name,
    "list the other machines, and whether they can be reached",
    details: """
      Lists the machines of “hosts” in config.json and those of cards and sources, or those that are
      named: whether ssh can log in without a question and how long that takes, the version of today
      there, how many cards are on the page of this machine, and when it was last reached. Up to
      8 are asked at once.

      Exit status: 1 if one cannot be reached.
      """,
    operands: [.many("HOST", .text(.hosts), \.names)],
    options: [.flag("--json", \.isJSON): "print JSON"]
  )

  var options = CommonOptions()
  private var names: [String] = []
  private var isJSON = false

  func run() async throws(CommandError) -> ExitCode {
    let settings = options.readSettings()
    RemoteHosts.shared.names = HostNames(settings.hosts)
    let used = UsedMachines(settings, PageBook(options), RemoteHosts.shared.names)
    var machines = used.machines
    if !names.isEmpty {
      machines = []
      for name in names {
        guard let destination = RemoteDestination(name) else {
          throw .usage("“\(SafeText(name))” is not a machine; expected one such as me@nas")
        }
        for machine in RemoteHosts.shared.names.members(of: destination)
        where !machines.contains(machine) {
          machines.append(machine)
        }
      }
    }
    guard !machines.isEmpty else {
      if isJSON { StandardStreams.writeJSON([MachineReport]()) }
      StandardStreams.writeError("there are no other machines; name some in hosts of config.json")
      return .success
    }
    let survey = MachineSurvey(environment: options.environment)
    let names = RemoteHosts.shared.names
    let folders = StateFolders(environment: options.environment)
    let seen = machines.map { LastContacts.date(of: names.address(of: $0), in: folders) }
    let found = await survey.ask(machines)
    let now = Date()
    let reports = zip(machines, seen).map { machine, seen in
      let answer = found[machine]
      let isReached = if case .success? = answer { true } else { false }
      return MachineReport(
        machine,
        answer,
        cards: used.cards[machine] ?? 0,
        lastSeen: isReached ? now : seen
      )
    }
    if isJSON {
      StandardStreams.writeJSON(reports)
    } else {
      for line in MachineReport.table(reports, now: now) { StandardStreams.writeLine(line) }
    }
    return reports.allSatisfy(\.reachable) ? .success : .failure
  }
}
