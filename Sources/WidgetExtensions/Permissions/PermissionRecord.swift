import FoundationEssentials
package import WidgetKitCore
package import WidgetPlatform

/// What the user has permitted and refused to the widgets of an app.
///
/// A request with other values than those is a new one.
package struct PermissionRecord: Codable, Hashable, Sendable {
  /// The values that were permitted, by the name of the entitlement; empty for one without values.
  var granted: [String: [String]] = [:]
  /// The values that were refused or withdrawn.
  var refused: [String: [String]] = [:]
  /// Whether the widgets may run where there is no sandbox.
  package var isTrusted = false
  /// The URL schemes that the user was asked about, and whether they may be opened.
  package var schemes: [String: Bool] = [:]
  /// The commands of a script that the user was asked about, and whether they may run; see ``CommandConsent``.
  package var commands: [String: Bool] = [:]

  /// The path of the bundle to which it was answered; nil if that is not known yet.
  package var place: String?

  /// The most bytes of a file.
  static let byteLimit = 64 * 1024

  /// Creates a record in which nothing was answered.
  package init() {}

  /// Reads a record; what was not answered may be missing.
  package init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: CodingKeys.self)
    granted = try members.decodeIfPresent([String: [String]].self, forKey: .granted) ?? [:]
    refused = try members.decodeIfPresent([String: [String]].self, forKey: .refused) ?? [:]
    isTrusted = try members.decodeIfPresent(Bool.self, forKey: .isTrusted) ?? false
    schemes = try members.decodeIfPresent([String: Bool].self, forKey: .schemes) ?? [:]
    commands = try members.decodeIfPresent([String: Bool].self, forKey: .commands) ?? [:]
    place = try members.decodeIfPresent(String.self, forKey: .place)
  }

  /// What decides how a widget is started: all but the schemes and commands, which count when they are used.
  var atStart: PermissionRecord {
    var record = self
    record.schemes = [:]
    record.commands = [:]
    return record
  }

  /// Whether a request was permitted with all its values.
  package func grants(_ request: EntitlementRequest) -> Bool {
    Self.contains(granted, request)
  }

  /// Whether a request was refused as it is.
  func refuses(_ request: EntitlementRequest) -> Bool {
    Self.contains(refused, request)
  }

  private static func contains(
    _ values: [String: [String]],
    _ request: EntitlementRequest
  ) -> Bool {
    guard let items = values[request.entitlement.rawValue] else { return false }
    return Set(request.items).isSubset(of: items)
  }

  /// Permits a request, besides what was permitted to other widgets of the app.
  mutating func grant(_ request: EntitlementRequest) {
    Self.add(request, to: &granted)
    Self.remove(request, from: &refused)
  }

  /// Refuses a request, or withdraws the permission.
  mutating func refuse(_ request: EntitlementRequest) {
    Self.add(request, to: &refused)
    Self.remove(request, from: &granted)
  }

  private static func add(_ request: EntitlementRequest, to values: inout [String: [String]]) {
    let known = values[request.entitlement.rawValue] ?? []
    let new = request.items.filter { !known.contains($0) }
    // What is no longer requested is not kept for ever.
    values[request.entitlement.rawValue] = Array((known + new).suffix(itemLimit))
  }

  private static func remove(
    _ request: EntitlementRequest,
    from values: inout [String: [String]]
  ) {
    let left = (values[request.entitlement.rawValue] ?? []).filter { !request.items.contains($0) }
    values[request.entitlement.rawValue] = left.isEmpty ? nil : left
  }

  /// The most values of an entitlement that are kept.
  private static let itemLimit = 256
}

/// The files of what the user has permitted: one for each app, or for a widget without one.
package struct StoredPermissions: Sendable {
  private let folder: String

  package init(_ folders: StateFolders) {
    folder = folders.permissions
  }

  private func path(_ app: String) -> String { "\(folder)/\(Self.name(app))" }

  /// The ending of the files.
  package static let ending = ".permissions"

  /// The name of the file of an app.
  static func name(_ app: String) -> String { ExtensionIdentity(app).fileName + ending }

  /// What was permitted to an app; nothing if there is no file, or if it cannot be used.
  package func read(_ app: String) -> PermissionRecord {
    guard let bytes = DurableFile.read(path(app), byteLimit: PermissionRecord.byteLimit),
      let record = try? JSONDecoder().decode(PermissionRecord.self, from: Data(bytes))
    else { return PermissionRecord() }
    return record
  }

  /// Changes what is permitted to an app.
  ///
  /// - Throws: ``HostError`` that names the file, with `busy` if another program is changing it.
  package func change(
    _ app: String,
    _ change: (inout PermissionRecord) -> Void
  ) throws(HostError) {
    try OwnFolder.whileLocked(folder, of: "permissions") { _ throws(HostError) in
      var record = read(app)
      change(&record)
      guard record != PermissionRecord() else {
        DurableFile.remove(path(app))
        return
      }
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
      guard let bytes = try? encoder.encode(record) else { return }
      // One that is longer could not be read again, and all answers would be lost.
      guard bytes.count < PermissionRecord.byteLimit else {
        throw HostError(
          code: .file,
          description: "\(app) has too many answers; “today permissions \(app)” lists them"
        )
      }
      try DurableFile.write(Array(bytes) + [0x0A], to: path(app))
    }
  }

  /// Keeps the answer about a command of a script.
  ///
  /// - Throws: ``HostError`` if it is too long, or cannot be written.
  package func setCommand(_ command: String, _ isGranted: Bool, of script: String) throws(HostError)
  {
    guard command.utf8.count <= CommandConsent.byteLimit else {
      throw HostError(
        code: .file,
        description:
          "the answer is not kept: the command has more than \(CommandConsent.byteLimit) bytes"
      )
    }
    try change(script) { $0.commands[command] = isGranted }
  }
}
