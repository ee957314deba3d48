import Glibc
import PageRecords
import WidgetExtensions
import WidgetKitCore
import WidgetPages
import WidgetPlatform

/// Looks at config.json, the themes, the bundles, and the settings of the widgets.
nonisolated struct InstallationDiagnosis {
  private let environment: [String: String]
  private let page: PageBook
  private let configuration: UserConfiguration

  init(environment: [String: String], page: PageBook) {
    self.environment = environment
    self.page = page
    configuration = UserConfiguration(environment: environment, commands: KeyMap.standard.names)
  }

  /// Names of machines that are widgets too, so that `NAME:ID` is an instance.
  private var ambiguousHosts: [Finding] {
    configuration.settings.hosts.keys.sorted().filter { page.catalog.match($0) != .none }.map {
      Finding(
        .configuration,
        .warning,
        "hosts.\($0) is the name of a widget too, so that “\($0):…” is an instance of it",
        advice: "give the machine another name"
      )
    }
  }

  /// What there is to say of config.json and the themes.
  var ofConfiguration: [Finding] {
    let path = BaseFolders(environment).configuration + "/today/config.json"
    var wrong = configuration.problems.map {
      Finding(.configuration, .wrong, $0.string, advice: "Docs/Configuration.md lists the settings")
    }
    let themes = ThemeCatalog(environment: environment)
    for id in themes.ids {
      guard case .broken(let problems) = themes.theme(id) else { continue }
      wrong += problems.map { Finding(.configuration, .wrong, $0.string) }
    }
    wrong += page.problems.map { Finding(.configuration, .wrong, $0.string) }
    wrong += settingProblems.map { Finding(.configuration, .wrong, $0.string) }
    wrong += SettingsBook.absentees(in: configuration.settings.widgets, among: known).map {
      Finding(
        .configuration,
        .warning,
        $0.string,
        advice: "correct its name; or leave it, if you use the file on other machines too"
      )
    }
    wrong += ambiguousHosts
    guard wrong.isEmpty else { return wrong }
    let isThere = unsafe access(path, F_OK) == 0
    let words = isThere ? "no mistakes in \(path)" : "there is no \(path), so defaults are in force"
    return [Finding(.configuration, .ok, words)]
  }

  private var settingProblems: [SafeText] {
    let file = configuration.settings.widgets
    var problems: [SafeText] = []
    for member in shown {
      let book = SettingsBook(member.bundle, member.id, file: file, environment: environment)
      // What is wrong for a widget is wrong for each of its instances.
      problems += book.problems.filter { !problems.contains($0) }
    }
    return problems + SettingsBook.strangers(in: file, among: known)
  }

  /// The identifiers of the widgets that were found.
  private var known: [String] { page.widgets.map(\.member.id.bundleIdentifier) }

  /// The widgets that are on a page, each instance.
  private var shown: [PageMember] {
    page.widgets.compactMap { widget in
      if case .position = widget.place { widget.member } else { nil }
    }
  }

  /// What there is to say of the bundles.
  var ofBundles: [Finding] {
    let wrong = page.catalog.problems.map { Finding(.bundles, .wrong, $0.description) }
    let conflicts = SchemeRegistry(apps: page.catalog.apps).conflicts.map {
      Finding(.bundles, .warning, $0.description)
    }
    let count = page.widgets.count
    guard count > 0 else {
      let none = Finding(
        .bundles,
        .warning,
        "no widgets are installed",
        advice: "Docs/Widgets.md says where they are looked for"
      )
      return wrong + conflicts + [none]
    }
    let noun = count == 1 ? "widget is" : "widgets are"
    let words = "\(count) \(noun) installed, \(shown.count) on the page"
    return wrong + conflicts + [Finding(.bundles, .ok, words)]
  }

  /// What the last runs of the widgets on the page say.
  var ofWidgets: [Finding] {
    let folders = StateFolders(environment: environment)
    let ids = shown.map(\.id)
    return RunDiagnosis(ids.map { ($0.description, folders.readRuns(of: $0)) }).findings
  }
}
