import Brokers
import FoundationEssentials
import Notices
import PageRecords
import WidgetExtensions
import WidgetKitCore
import WidgetPages
import WidgetPlatform
import WidgetScripts

/// `today doctor`: what is right and what is wrong with the installation, and what to do.
struct DoctorCommand: Command {
  static let name = "doctor"
  static let syntax = CommandSyntax<DoctorCommand>(
    name,
    "check the installation, the terminal and the widgets",
    details: """
      Checks config.json, themes, bundles and their settings, the terminal (if there is one), the
      folders of the program, the timer of “today schedule”, the sandbox and what widgets may do
      beyond it, who shows the notices of the desktop, and the last runs of the widgets. Prints a line for each: ok, warning or wrong; what
      was found and where; and what to do. On a terminal, characters and colours follow, to look at.

      Exits with 1 if something is wrong.
      """,
    options: [
      .flag("--json", \.isJSON): "print JSON"
    ]
  )

  var options = CommonOptions()
  private var isJSON = false

  func run() async throws(CommandError) -> ExitCode {
    let environment = options.environment
    let settings = UserConfiguration(environment: environment).settings
    let paths = SearchPaths(options, settings)
    let page = PageBook(
      paths,
      environment: environment,
      limits: settings.limits.bundles,
      declared: settings.pages
    )
    let installation = InstallationDiagnosis(environment: environment, page: page)
    let terminal = TerminalProbe.facts(environment: environment)
    let sandbox = SandboxDiagnosis(
      settings.sandbox,
      PermissionBook(paths, environment: environment),
      page.catalog.widgets,
      environment: environment
    )
    BrokerHub.shared.prepare(options, settings)
    let services = await ServiceDiagnosis(
      environment: environment,
      usesControlGroups: settings.usesControlGroups,
      secrets: SecretStorage(options),
      notices: settings.notices
    ).findings()
    let telling = await DeliveryDiagnosis(
      settings.notices,
      environment: environment,
      identity: terminal?.identity
    ).findings()
    let findings =
      installation.ofConfiguration + installation.ofBundles
      + (terminal.map { TerminalDiagnosis(facts: $0).findings } ?? [])
      + services.images + telling
      + FolderDiagnosis(environment: environment).findings
      + [services.timer] + services.publishing + sandbox.findings
      + [services.controlGroups, services.secrets, services.notices] + services.brokers
      + installation.ofWidgets
    if isJSON {
      StandardStreams.writeJSON(findings)
    } else {
      for finding in findings { StandardStreams.writeLine(finding.line) }
      if let terminal { showSamples(terminal) }
    }
    return findings.contains { $0.level == .wrong } ? .failure : .success
  }

  /// Shows characters and colours, for the eyes of the user.
  private func showSamples(_ facts: TerminalFacts) {
    guard facts.kind.canDraw else { return }
    StandardStreams.writeLine("")
    if facts.isUTF8 {
      for sample in TerminalFacts.samples {
        let gap = String(repeating: " ", count: max(0, 10 - sample.name.count))
        StandardStreams.writeLine("\(SafeText(sample.name + gap))|\(sample.text)|")
      }
    }
    let theme = Theme(depth: facts.depth)
    guard facts.depth > .none else { return }
    let names: [SemanticColor] = [.accent, .red, .orange, .yellow, .green, .teal, .blue, .purple]
    let blocks = names.map { name in
      let style = theme.resolve(CellStyle(foreground: .semantic(name), attributes: .reverse))
      return "\u{1B}[\(style.sgr.joined(separator: ";"))m    \u{1B}[0m"
    }
    StandardStreams.write(text: "colours   \(blocks.joined())\n")
  }
}
