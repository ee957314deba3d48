import PageRecords
import WidgetExtensions
import WidgetKitCore
import WidgetPages
import WidgetPlatform
import WidgetScripts

/// A page of this machine that another one shows, with its changes while that goes on.
///
/// A class because its watch calls it.
final class ServedPageFollower {
  private let options: CommonOptions
  private let settings: Settings
  private let name: PageName?
  private let paths: SearchPaths
  private let secrets: SecretReader
  private var server: PageServer?
  private var follower: FolderFollower?

  /// Creates it; an empty name stands for the first page.
  ///
  /// - Throws: ``CommandError`` if no page can have that name.
  init(_ options: CommonOptions, _ settings: Settings, page: String) throws(CommandError) {
    (self.options, self.settings) = (options, settings)
    paths = SearchPaths(options, settings)
    secrets = SecretReader(environment: options.environment, clock: SystemClock())
    name = PageName(rawValue: page)
    guard name != nil || page.isEmpty else {
      throw .usage("--page \(SafeText(page)): expected \(PageName.rule)")
    }
  }

  /// Serves until the other program is gone.
  ///
  /// - Throws: ``CommandError`` with `missing` if there is no such page, and `unavailable` if the other program is newer.
  func serve(_ terms: ServingTerms) async throws(CommandError) -> ExitCode {
    guard let page = Self.page(name, paths, options.environment, settings) else {
      let names = PageBook(options).pages.map { "“\($0)”" }.joined(separator: ", ")
      throw .missing("there is no page “\(name?.rawValue ?? "")”; there is \(names)")
    }
    let (ends, end) = AsyncStream.makeStream(of: SafeText?.self)
    server = PageServer(
      page,
      terms,
      configure: { [weak self] in self?.configure($0, completion: $1) },
      completion: {
        end.yield($0)
        end.finish()
      }
    )
    let folders = StateFolders(environment: options.environment)
    let follower = FolderFollower(
      [folders.pages],
      clock: SystemClock(),
      onChange: { [weak self] _ in self?.pagesDidChange() },
      onTrouble: { _ in }
    )
    self.follower = follower
    follower.start()
    var refusal: SafeText?
    for await found in ends { refusal = found }
    if let refusal { throw .unavailable(refusal.string) }
    return .success
  }

  private func pagesDidChange() {
    Worker.background.async {
      [weak self, name, paths, environment = options.environment, settings] in
      let page = Self.page(name, paths, environment, settings)
      MainQueue.perform {
        // A page that is gone stays as it was for those who look at it.
        if let page { self?.server?.change(to: page) }
      }
    }
  }

  /// The cards of a page; nil if there is none of that name.
  private nonisolated static func page(
    _ name: PageName?,
    _ paths: SearchPaths,
    _ environment: [String: String],
    _ settings: Settings
  ) -> ServedPage? {
    let book = PageBook(
      paths,
      environment: environment,
      limits: settings.limits.bundles,
      declared: settings.pages
    )
    guard let wanted = name ?? book.pages.first,
      let found = book.pages.first(where: { $0.isSame(as: wanted) })
    else { return nil }
    let members = book.widgets.compactMap { member, place -> ServedPage.Placement? in
      guard case .position(_, found) = place, book.contentFlags.hasContent(member.id) else {
        return nil
      }
      let declared = member.bundle.infoPlist.widgetExtension
      let card = PageCard(
        id: member.id.description,
        name: member.heading.string,
        mark: declared?.mark ?? CardMark(),
        span: declared?.span,
        interval: member.bundle.script?.interval ?? declared?.refreshInterval
      )
      return ServedPage.Placement(card: card, id: member.id, bundle: member.bundle)
    }
    return ServedPage(
      name: found.rawValue,
      members: Array(members.prefix(PageServer.cardLimit))
    )
  }

  /// Finds the settings of a widget on this machine, and reads its secrets.
  private func configure(
    _ member: ServedPage.Placement,
    completion: @escaping (Result<WidgetConfiguration?, HostError>) -> Void
  ) {
    let widget = WidgetSettings(
      of: member.bundle,
      member.id,
      file: settings.widgets,
      stored: StoredSettings(StateFolders(environment: options.environment)),
      home: HomeFolder(options.environment)
    )
    if let advice = widget.advice {
      return completion(.failure(HostError(code: .setting, description: advice.string)))
    }
    secrets.read(widget.secrets) { values, failures in
      guard let failure = failures.min(by: { $0.key < $1.key }) else {
        return completion(.success(widget.configuration(secrets: values)))
      }
      let words = "the secret “\(failure.key)” cannot be read: \(failure.value)"
      completion(.failure(HostError(code: .setting, description: words)))
    }
  }
}
