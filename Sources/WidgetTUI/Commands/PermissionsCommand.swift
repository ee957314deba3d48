import FoundationEssentials
import PageRecords
import WidgetExtensions
import WidgetKitCore
import WidgetPages
import WidgetPlatform

/// `today permissions`: what widgets request, and what the user permits.
struct PermissionsCommand: Command {
  /// A change of the permissions.
  struct Change {
    var isGranted: Bool
    /// The name of an entitlement, `openURL:` and a scheme, `command:` and a command, `all`, or `trust`.
    var name: String

    /// The scheme of `openURL:SCHEME`; nil for anything else.
    var scheme: String? {
      guard name.hasPrefix(Self.opening) else { return nil }
      return name.dropFirst(Self.opening.count).lowercased()
    }

    /// The command of `command:COMMAND`; nil for anything else.
    var command: String? {
      name.hasPrefix(Self.running) ? String(name.dropFirst(Self.running.count)) : nil
    }

    /// What is before a scheme.
    static let opening = "openURL:"
    /// What is before a command.
    static let running = "command:"
  }

  static let name = "permissions"
  static let syntax = CommandSyntax<PermissionsCommand>(
    name,
    "list, give or withdraw what widgets may do",
    expected: "one widget",
    forms: [
      "[ID] [--json]",
      "ID --grant NAME|all|trust|identity",
      "ID --revoke NAME|all|trust|identity",
    ],
    details: """
      Lists what widgets request beyond their own files (their Entitlements.plist), whether it is
      granted, refused or open, and what it means. ID is a widget or an app: a permission is for all
      widgets of an app. A widget with an open request is not started by the dashboard; commands start
      it without. A bundle whose requests change asks again. Schemes of URLs that it was asked about
      are listed as openURL:SCHEME, commands that scripts ran as command:COMMAND, and widgets that run
      outside of the sandbox as app-sandbox. The commands on keys of config.json are those of the ID
      org.today.Keys.
      """,
    operands: [.optional("ID", .widget, \.name)],
    options: [
      .flag("--json", \.isJSON): "print JSON",
      .custom("--grant NAME") {
        $0.changes.append(Change(isGranted: true, name: $1.text))
      }: "permit what it requests: an entitlement by name, openURL:SCHEME, command:COMMAND, or all",
      .custom("--revoke NAME") {
        $0.changes.append(Change(isGranted: false, name: $1.text))
      }: "refuse it, or withdraw the permission",
      .custom("trust"): """
      run its widgets where there is no sandbox: they can then do what you can. They may also \
      open URLs without a press on their card
      """,
      .custom("identity"): """
      have the settings, secrets and permissions that are stored for its identifier, which \
      another bundle had; until it is permitted, the widget starts without them
      """,
    ],
    notes: """
      Widgets that come with the program have what they request until it is withdrawn.
      """
  )

  var options = CommonOptions()
  private var name: String?
  private var changes: [Change] = []
  private var isJSON = false

  func validate() throws(CommandError) {
    for case let scheme? in changes.map(\.scheme) where CheckedURL("\(scheme):")?.scheme != scheme {
      throw .usage("“\(SafeText(scheme))” is not a URL scheme; expected one such as openURL:slack")
    }
    guard changes.isEmpty || name != nil else {
      throw .usage("\(changes[0].isGranted ? "--grant" : "--revoke") needs a widget or an app")
    }
  }

  struct Row: Encodable {
    var bundleIdentifier: String
    var app: String?
    var origin: String
    var entitlement: String
    var values: [String]
    var words: SafeText
    var state: String
    /// The cards to which it was granted once, by the pages that are open; nil if there are none.
    var grantedOnce: [String]?
    /// What the sandbox makes of it, in words; nil if there is nothing to say.
    var remark: SafeText?
    /// The level of the sandbox in which it runs.
    var sandbox: String
  }

  func run() async throws(CommandError) -> ExitCode {
    let page = PageBook(options)
    let settings = UserConfiguration(environment: options.environment).settings
    let book = PermissionBook(
      SearchPaths(options, settings),
      environment: options.environment
    )
    let keys = KeyPermissions(book: book, keys: settings.screen.keys, options: options)
    if name == OwnCommand.holder, !changes.isEmpty {
      for change in changes { try keys.make(change) }
      return .success
    }
    var bundles = name == OwnCommand.holder ? [] : page.catalog.widgets
    if let name, name != OwnCommand.holder {
      let chosen = Set(try page.catalog.required(name).map(\.bundleIdentifier))
      bundles = bundles.filter { chosen.contains($0.bundleIdentifier) }
    }
    let mode = settings.sandbox
    let sandbox = Sandbox(mode, environment: options.environment)
    let apps = AppConfinement(
      sandbox,
      environment: options.environment,
      executable: HostProcess.executablePath()
    )
    for change in changes { try make(change, book, apps, bundles) }
    if !changes.isEmpty {
      return .success
    }
    let all =
      bundles.flatMap { rows(of: $0, book, sandbox, isRequired: mode == .required) }
      + rows(ofAppsOf: bundles, apps, sandbox)
      + (name == nil || name == OwnCommand.holder ? keys.rows : [])
    show(all)
    if !isJSON, let words = sandbox.level.shortfall { StandardStreams.writeLine(SafeText(words)) }
    return .success
  }

  /// What passes what is stored for an identifier on to another bundle.
  private static let identity = "identity"

  private func make(
    _ change: Change,
    _ book: PermissionBook,
    _ apps: AppConfinement,
    _ bundles: [WidgetBundle]
  ) throws(CommandError) {
    var isKnown =
      change.name == "trust" || change.name == Self.identity || change.name == "all"
      || change.scheme != nil
    if let command = change.command {
      isKnown = bundles.contains { $0.script != nil }
      guard isKnown else { throw .usage("“\(SafeText(command))”: only scripts have commands") }
      if change.isGranted, let fault = PermissionBook.fault(ofCommand: command) {
        throw .usage("“\(SafeText(command))”: \(SafeText(fault))")
      }
    }
    for bundle in bundles {
      guard book.origin(of: bundle) != .named else {
        throw .usage("the widgets of --widgets have all that they request")
      }
      if change.name == Self.identity {
        guard change.isGranted else { throw .usage("“identity” can only be granted") }
        try CommandError.from { () throws(HostError) in try book.takeOver(bundle) }
        continue
      }
      if change.isGranted, let place = book.otherPlace(of: bundle) {
        throw .failure(
          "the identifier \(bundle.permissionHolder) is that of \(place); --grant identity passes what is "
            + "stored for it on to \(bundle.containingApp?.path ?? bundle.path)"
        )
      }
      let requests = book.permissions(of: bundle).map(\.request)
      let ofApp = bundle.containingApp.map(apps.permissions) ?? []
      let chosen = (requests + ofApp.map(\.request)).filter {
        change.name == "all" || $0.entitlement.rawValue == change.name
      }
      isKnown = isKnown || !chosen.isEmpty
      try CommandError.from { () throws(HostError) in
        if change.name == "trust" {
          try book.setTrusted(change.isGranted, bundle)
        } else {
          let asked = change.name == "all" ? book.schemes(of: bundle).map(\.scheme) : []
          let schemes = change.scheme.map { [$0] } ?? asked
          try book.set(change.isGranted, schemes: schemes, of: bundle)
          let run = change.name == "all" ? book.commands(of: bundle).map(\.command) : []
          try book.set(change.isGranted, commands: change.command.map { [$0] } ?? run, of: bundle)
          try book.set(change.isGranted, chosen, of: bundle)
        }
      }
    }
    guard isKnown else { throw unknown(change.name, book, bundles) }
  }

  private func unknown(
    _ name: String,
    _ book: PermissionBook,
    _ bundles: [WidgetBundle]
  ) -> CommandError {
    let requests = Set(bundles.flatMap { book.permissions(of: $0).map(\.request.entitlement) })
    let list =
      requests.sorted().map(\.rawValue) + ["openURL:SCHEME", "command:COMMAND", "all", "trust"]
    return .usage(
      "“\(SafeText(name))” is not requested; expected one of: \(list.joined(separator: ", "))"
    )
  }

  /// What a widget requests, what it does without asking, and what the user was asked when it opened URLs.
  private func rows(
    of bundle: WidgetBundle,
    _ book: PermissionBook,
    _ sandbox: Sandbox,
    isRequired: Bool
  ) -> [Row] {
    let isOutside = book.isOutside(bundle, isRequired: isRequired)
    func row(
      _ name: String,
      _ values: [String],
      _ words: SafeText,
      _ state: Permission.State,
      _ remark: PermissionRemark? = nil,
      once: [String] = []
    ) -> Row {
      Row(
        bundleIdentifier: bundle.bundleIdentifier,
        app: bundle.containingApp?.bundleIdentifier,
        origin: book.origin(of: bundle).rawValue,
        entitlement: name,
        values: values,
        words: words,
        state: state.rawValue,
        grantedOnce: once.isEmpty ? nil : once,
        remark: remark.map { SafeText($0.words) },
        sandbox: isOutside ? "none" : sandbox.level.name
      )
    }
    let outside =
      isOutside
      ? [row(Entitlement.sandbox.rawValue, [], "run outside of the sandbox", .granted)] : []
    let permissions = book.permissions(of: bundle)
    let requests = permissions.map {
      row(
        $0.request.entitlement.rawValue,
        $0.request.items,
        $0.request.words,
        $0.state,
        isOutside ? nil : sandbox.remark(on: $0, of: permissions),
        once: $0.state == .open ? book.cardsPermittedOnce($0.request, of: bundle) : []
      )
    }
    let schemes = book.schemes(of: bundle).map { scheme, isGranted in
      row(
        Change.opening + scheme,
        [],
        SafeText("open “\(scheme):” links"),
        isGranted ? .granted : .refused
      )
    }
    let trust =
      book.origin(of: bundle) == .installed && book.isTrusted(bundle)
      ? [row("trust", [], "run where there is no sandbox, and its app outside of it", .granted)]
      : []
    let commands = book.commands(of: bundle).map { command, isGranted in
      row(
        Change.running + command,
        [],
        "run this command after a press",
        isGranted ? .granted : .refused
      )
    }
    let stranger = book.otherPlace(of: bundle).map { place in
      row(
        Self.identity,
        [place],
        SafeText("have the settings, secrets and permissions of \(place), whose identifier it has"),
        .open
      )
    }
    return outside + (stranger.map { [$0] } ?? []) + trust + requests + schemes + commands
  }

  /// How the apps of widgets run, and what they ask for themselves.
  private func rows(
    ofAppsOf bundles: [WidgetBundle],
    _ apps: AppConfinement,
    _ sandbox: Sandbox
  ) -> [Row] {
    var seen: Set<String> = []
    let level = sandbox.level.name
    return bundles.compactMap(\.containingApp).filter { seen.insert($0.path).inserted }
      .flatMap { app -> [Row] in
        let isTrusted = apps.isTrusted(app)
        func row(_ name: String, _ values: [String], _ words: SafeText, _ state: Permission.State)
          -> Row
        {
          Row(
            bundleIdentifier: app.bundleIdentifier,
            app: app.bundleIdentifier,
            origin: "app",
            entitlement: name,
            values: values,
            words: words,
            state: state.rawValue,
            sandbox: isTrusted ? "none" : level
          )
        }
        guard !isTrusted else { return [] }
        let words: SafeText =
          "run its program outside of the sandbox; now it runs in it, after a press only"
        return [row("trust", [], words, .open)]
          + apps.permissions(of: app).map {
            row($0.request.entitlement.rawValue, $0.request.items, $0.request.words, $0.state)
          }
      }
  }

  /// That it was granted once, and to which card if that is an instance of several.
  private func once(_ row: Row) -> String {
    guard let cards = row.grantedOnce else { return "" }
    let names = cards == [row.bundleIdentifier] ? "" : " to \(cards.joined(separator: ", "))"
    return "; granted once\(names), by the page that is open"
  }

  private func show(_ rows: [Row]) {
    if isJSON {
      StandardStreams.writeJSON(rows)
      return
    }
    let cells = rows.map { row in
      let remark = (row.remark.map { ", \($0)" } ?? "") + once(row)
      return [row.bundleIdentifier, row.state, row.entitlement, "\(row.words)\(remark)"]
    }
    TextTable(cells).write()
    if rows.isEmpty { StandardStreams.writeLine("nothing is requested") }
  }
}
