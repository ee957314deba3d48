package import WidgetCards
package import WidgetExtensions
import WidgetKitCore
import WidgetPlatform
import WidgetSessions

/// The settings of the widgets of a page, which follow config.json and what is set in the program.
///
/// A class because the page and the sessions share it.
package final class PageSettings {
  private let page: PageCards
  private let confinement: WidgetConfinement
  private let notices: PageNotices
  private let stored: StoredSettings
  private let home: HomeFolder
  private let environment: [String: String]
  private var file: FileSettings
  private var inForce: [CardID: WidgetSettings] = [:]
  /// The secrets of the widgets as they were read last.
  private var secrets: [CardID: [String: String]] = [:]
  /// Why secrets could not be read, each with its name.
  private var failures: [CardID: [SafeText]] = [:]
  private let secretReader: SecretReader

  init(
    _ configuration: CenterConfiguration,
    page: PageCards,
    confinement: WidgetConfinement,
    notices: PageNotices,
    folders: StateFolders,
    clock: any HostClock
  ) {
    self.page = page
    self.confinement = confinement
    self.notices = notices
    secretReader = SecretReader(environment: configuration.environment, clock: clock)
    stored = StoredSettings(folders)
    environment = configuration.environment
    home = HomeFolder(environment)
    file = configuration.widgetSettings
  }

  /// The widgets that are on the page, with their bundles.
  private var widgets: [(id: CardID, bundle: WidgetBundle)] {
    page.controllers.compactMap { controller in
      controller.session.map { (controller.card.id, $0.bundle) }
    }
  }

  /// Finds the settings for a process that is about to start, and reads its secrets; `completion` is
  /// called at once if no program has to print one.
  ///
  /// It gets what the user has to do first if the widget cannot be started: set a value that it must have,
  /// or make a secret readable.
  func prepare(_ bundle: WidgetBundle, _ id: CardID, completion: @escaping (SafeText?) -> Void) {
    let problems = inForce[id]?.problems ?? []
    let settings = resolve(bundle, id)
    if settings.problems != problems { report() }
    if let advice = settings.advice { return completion(advice) }
    readSecrets(settings, id) { [weak self] in completion(self?.failures[id]?.first) }
  }

  /// What a process of a widget is given; nil if it declares no settings.
  func configuration(of id: CardID) -> WidgetConfiguration? {
    inForce[id]?.configuration(secrets: secrets[id] ?? [:])
  }

  /// The settings of a widget with their values; empty if it declares none.
  func rows(of id: CardID) -> [SettingsBook.Row] { inForce[id]?.rows ?? [] }

  /// The files and folders that the user has chosen in the settings of a widget, with absolute paths; a
  /// default is the widget's own choice.
  func chosenFiles(of id: CardID) -> [String] {
    rows(of: id).compactMap { row in
      guard row.declaration.kind == .file, row.source != "default",
        case .string(let path)? = row.value, path.hasPrefix("/"), path != "/"
      else { return nil }
      return path
    }
  }

  private func readSecrets(
    _ settings: WidgetSettings,
    _ id: CardID,
    completion: @escaping () -> Void
  ) {
    let sources = settings.secrets
    guard !sources.isEmpty || secrets[id] != nil else { return completion() }
    secretReader.read(sources) { [weak self] secrets, failures in
      guard let self else { return }
      self.secrets[id] = secrets
      let words = failures.sorted { $0.key < $1.key }.map {
        SafeText("the secret “\($0.key)” cannot be read: \($0.value)")
      }
      if words != self.failures[id] ?? [] {
        self.failures[id] = words
        report()
      }
      completion()
    }
  }

  /// Looks for what is wrong after the bundles were read, or one was replaced.
  func check() {
    for (id, bundle) in widgets where isConcerned(bundle, id) {
      resolve(bundle, id)
    }
    report()
  }

  /// Takes over the values of config.json.
  func apply(_ file: FileSettings) {
    guard file != self.file else { return }
    self.file = file
    follow { _ in true }
  }

  /// Files of settings that were set in the program have changed; an empty set stands for all.
  func storedDidChange(_ names: Set<String>) {
    follow { names.isEmpty || names.contains(StoredSettings.name($0)) }
  }

  /// The settings of a widget on the page, to show and to change; nil for one that is not there.
  package func book(of id: CardID) -> SettingsBook? {
    guard let bundle = widgets.first(where: { $0.id == id })?.bundle else {
      return nil
    }
    return SettingsBook(bundle, id, file: file, environment: environment)
  }

  /// Stores settings that a widget changes, because the user has just typed them into its card: all of them or none.
  ///
  /// It is no way to other files or secrets: a path, which opens a file to the sandbox, and a secret are set by the user
  /// alone, and what config.json sets stays.
  ///
  /// - Parameters:
  ///   - values: The new values, by name.
  ///   - id: The widget.
  ///   - sincePress: The time since the last press on its card; nil if there was none, or the page is locked.
  /// - Returns: Why nothing was stored; nil if it was.
  func set(
    _ values: [String: WidgetConfiguration.Value],
    of id: CardID,
    sincePress: Duration?
  ) -> WireError? {
    guard let sincePress, sincePress < OpenURLPolicy.pressPatience else {
      let seconds = OpenURLPolicy.pressPatience.components.seconds
      return WireError(
        code: .notPermitted,
        message: "a setting is changed only within \(seconds) s of a press on the card"
      )
    }
    guard let book = book(of: id) else {
      return WireError(code: .notPermitted, message: "the widget is no longer there")
    }
    do throws(HostError) {
      try book.set(valuesOfWidget: values)
      return nil
    } catch {
      let code: WireError.Code =
        switch error.code {
        case .setting: .invalidParams
        case .fixed: .notPermitted
        default: .internalError
        }
      return WireError(code: code, message: error.description)
    }
  }

  /// Settings of a widget were stored by this program: they take effect at once.
  package func storedDidChange(of id: CardID) {
    follow { $0 == id }
  }

  private func follow(where isChanged: (CardID) -> Bool) {
    for (id, bundle) in widgets where isChanged(id) {
      guard isConcerned(bundle, id) || inForce[id] != nil else { continue }
      let old = inForce[id]
      let new = resolve(bundle, id)
      guard let old, !new.isSame(as: old) else { continue }
      readSecrets(new, id) { [weak self] in
        guard let self, let configuration = configuration(of: id) else { return }
        give(configuration, to: id)
      }
    }
    report()
  }

  private func give(_ configuration: WidgetConfiguration, to id: CardID) {
    guard let card = page[id] else { return }
    let hasProcess = card.session?.state.hasProcess == true
    // The sandbox of a process that runs shows the files that were chosen when it was started.
    card.tell(confinement.hasOtherFiles(id) ? .bundleChanged : .configuration(configuration))
    // Content that is made with the new values follows; without a process, with the next one.
    if hasProcess || card.session?.state.hasProcess == true { card.send(.refresh(.event)) }
  }

  /// Whether a widget has settings, or the file says so; most have none and cost nothing.
  private func isConcerned(_ bundle: WidgetBundle, _ id: CardID) -> Bool {
    !bundle.settings.isEmpty || !file.entries(of: id).isEmpty
  }

  @discardableResult
  private func resolve(_ bundle: WidgetBundle, _ id: CardID) -> WidgetSettings {
    let settings = WidgetSettings(
      of: bundle,
      id,
      file: file,
      stored: stored,
      home: home,
      keeping: inForce[id]
    )
    inForce[id] = settings
    return settings
  }

  private func problems(of id: CardID) -> [SafeText] {
    let name = inForce[id]?.name ?? id.description
    return (inForce[id]?.problems ?? []) + (failures[id] ?? []).map { SafeText("\(name): \($0)") }
  }

  private func report() {
    let known = page.catalog.widgets.map(\.bundleIdentifier)
    var problems: [SafeText] = []
    var cards: [SafeText: CardID] = [:]
    // What is wrong for a widget is wrong for each of its instances.
    for id in widgets.map(\.id) {
      for problem in self.problems(of: id) where !problems.contains(problem) {
        problems.append(problem)
        cards[problem] = id
      }
    }
    for problem in file.strangers(among: known) where !problems.contains(problem) {
      problems.append(problem)
    }
    notices.set(settings: page.problems + problems, about: cards)
  }
}
