import Glibc
import PageRecords
import WidgetExtensions
import WidgetKitCore
import WidgetPages
import WidgetPlatform

extension ArgumentType where Value == SecretName {
  fileprivate static var secret: Self {
    Self { argument throws(CommandError) in
      guard let name = SecretName(argument.text) else {
        throw .usage("the name of a secret has 1 to 255 bytes without control characters")
      }
      return name
    }
  }
}

/// `today secrets`: the secrets of a widget; values come from standard input and are never arguments.
struct SecretsCommand: Command {
  /// What is done with a secret.
  private enum Action {
    case set
    case delete
  }

  static let name = "secrets"
  static let syntax = CommandSyntax<SecretsCommand>(
    name,
    "list, print, store or delete a widget's secrets",
    expected: "a widget, and the name of a secret",
    forms: ["ID [--group GROUP]", "ID NAME [--set | --delete] [--group GROUP]"],
    details: """
      Lists the names of a widget's secrets, or prints the secret NAME. --set stores one that is read
      from standard input, without a line feed at its end; --delete deletes it. GROUP is an access group:
      the widget's own identifier, or one that it shares with its app.

      These are what a widget keeps by itself. A setting that is a secret is set on the page (key \(KeyMap.standard.name(of: .settings) ?? ",")),
      or with “today settings”.

        pass show clowns | today secrets org.example.Clowns token --set
      """,
    operands: [.one("ID", .widget, \.id), .optional("NAME", .secret, \.name)],
    options: [
      .custom("--set") { target, _ throws(CommandError) in try target.choose(.set) }:
        "store the secret that is read from standard input, without a line feed at its end",
      .custom("--delete") { target, _ throws(CommandError) in try target.choose(.delete) }:
        "delete the secret",
      .value("--group GROUP", .text, \.group):
        "the access group: the widget's own identifier, or one that it shares with its app",
    ]
  )

  var options = CommonOptions()
  private var id = ""
  private var name: SecretName?
  private var group: String?
  private var action: Action?

  private mutating func choose(_ action: Action) throws(CommandError) {
    guard self.action == nil else { throw .usage("--set and --delete exclude each other") }
    self.action = action
  }

  func validate() throws(CommandError) {
    guard name != nil || action == nil else { throw .usage("expected the name of a secret") }
  }

  func run() async throws(CommandError) -> ExitCode {
    let catalog = PageBook(options).catalog
    let card = try catalog.requiredOne(id)
    guard let bundle = catalog.widget(withIdentifier: card.bundleIdentifier) else {
      throw .missing("\(card): no such widget")
    }
    let storage = SecretStorage(options)
    let access = SecretAccess(bundle, storage)
    do throws(SecretFault) {
      guard let name else {
        try list(access)
        // Not on standard output, which has only names.
        StandardStreams.writeError(storage.keeping().words)
        return .success
      }
      switch action {
      case .set:
        let value = try input()
        try set(name, value, access)
        if let words = note(on: name, bundle) { StandardStreams.writeError(words) }
      case .delete: try access.perform(SecretDeleteRequest(name: name, group: group))
      case nil:
        guard
          let value = try access.perform(SecretFindRequest(name: name, group: group)).value
        else { throw .missing(name, in: group.map { [$0] } ?? access.groups) }
        // The bytes themselves: a program reads them.
        StandardStreams.write(Array(value.text.utf8) + [0x0A])
      }
      return .success
    } catch {
      throw .failure(error.words)
    }
  }

  /// That a setting of the widget has the same name, which is another secret; nil if there is none.
  private func note(on name: SecretName, _ bundle: WidgetBundle) -> String? {
    let isSetting = bundle.settings.contains { $0.kind == .secret && $0.name == "\(name)" }
    guard isSetting else { return nil }
    let key = KeyMap(options.readSettings().screen.keys).name(of: .settings)
    return
      "this is a secret that the widget keeps itself; its setting “\(name)” is another one: "
      + "type it on the page\(key.map { " (key \($0))" } ?? ""), or “today settings \(bundle.bundleIdentifier) \(name) '{ file: PATH }'”"
  }

  private func list(_ access: SecretAccess) throws(SecretFault) {
    var isEmpty = true
    for group in access.groups where self.group.map({ $0 == group }) ?? true {
      for name in try access.names(in: group) {
        StandardStreams.writeLine(SafeText("\(group)  \(name)"))
        isEmpty = false
      }
    }
    if isEmpty { StandardStreams.writeLine("no secrets") }
  }

  private func set(
    _ name: SecretName,
    _ value: SecretValue,
    _ access: SecretAccess
  ) throws(SecretFault) {
    do throws(SecretFault) {
      try access.perform(SecretUpdateRequest(name: name, group: group, value: value))
    } catch {
      guard error.isMissing else { throw error }
      try access.perform(
        SecretAddRequest(name: name, group: group ?? access.groups[0], value: value)
      )
    }
  }

  private func input() throws(SecretFault) -> SecretValue {
    guard let value = StandardInput.secret("Secret") else {
      throw .invalidValue(
        "expected UTF-8 text of at most \(SecretValue.byteLimit) bytes on standard input"
      )
    }
    return value
  }
}

extension SecretStorage {
  /// The storage of a command, as the user has set it.
  convenience init(_ options: CommonOptions) {
    self.init(
      UserConfiguration(environment: options.environment).settings.secrets,
      environment: options.environment,
      executable: HostProcess.executablePath()
    )
  }
}

nonisolated extension SecretStorage.Keeping {
  /// Where the secrets are, in a sentence without its period.
  var words: String {
    switch self {
    case .service: "secrets are in the Secret Service of your session"
    case .files(let folder, nil):
      "secrets are in files that only you can read, not encrypted: \(folder)"
    case .files(let folder, let reason?):
      "secrets are in files that only you can read, not encrypted: \(folder) "
        + "(no Secret Service: \(reason))"
    case .unavailable(let reason):
      "no secret can be used: the setting “secrets” is “service”, and none answers: \(reason)"
    }
  }
}
