import CPlatform
import FoundationEssentials
import Glibc
import WidgetKitCore
import WidgetPlatform

/// What was permitted once to widgets of this program, which other programs can see while it runs.
///
/// For each widget there is a file in the runtime folder, whose name begins with the key of its host. The host
/// has a lock for its key, which ends with it however it ends; files of other keys count for nothing and are
/// removed by the next program that looks. A class because it owns the lock.
@MainActor final class OnceGrants {
  private let folder: String
  private let key = (0..<2).map { _ in String(UInt64.random(in: 0 ... .max), radix: 36) }.joined()
  private var lock: Lock?
  private var records: [ExtensionIdentity: PermissionRecord] = [:]

  init(_ folders: StateFolders) {
    folder = folders.once
  }

  /// A class because it is there or not, and a descriptor cannot be copied.
  private final class Lock {
    private let file: Descriptor
    init(_ file: consuming Descriptor) { self.file = file }
  }

  /// A file.
  private struct Grant: Codable {
    var identity: String
    var granted: [String: [String]]
  }

  nonisolated private static let locks = "locks"
  nonisolated private static let ending = ".once"
  /// The most files that are read; a page has fewer cards.
  nonisolated private static let nameLimit = 4_096

  /// What was permitted once to a widget; nil if nothing was.
  subscript(id: ExtensionIdentity) -> PermissionRecord? { records[id] }

  /// Permits requests until they are forgotten.
  func grant(_ requests: [EntitlementRequest], to id: ExtensionIdentity) {
    for request in requests { records[id, default: PermissionRecord()].grant(request) }
    publish(id)
  }

  /// Forgets what was permitted once to a widget.
  func forget(_ id: ExtensionIdentity) {
    guard records.removeValue(forKey: id) != nil else { return }
    DurableFile.remove(path(id))
  }

  private func path(_ id: ExtensionIdentity) -> String {
    "\(folder)/\(key)-\(StableHash.value(of: id.description))\(Self.ending)"
  }

  /// Lets other programs see it; where that cannot be, it applies all the same.
  private func publish(_ id: ExtensionIdentity) {
    takeLock()
    guard lock != nil, let record = records[id] else { return }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let grant = Grant(identity: id.description, granted: record.granted)
    guard let bytes = try? encoder.encode(grant) else { return }
    try? DurableFile.write(Array(bytes) + [0x0A], to: path(id))
  }

  private func takeLock() {
    guard lock == nil else { return }
    do throws(FileFault) {
      let file = try OwnFolder.open(folder, makes: true).file(Self.locks, O_RDWR | O_CREAT)
      guard platform_lock_byte(file.number, StableHash.value(of: key)) == 0 else { return }
      lock = Lock(file)
    } catch {
      return
    }
  }

  /// Returns the widgets to which the pages that are open have permitted a request once.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - bundleIdentifier: The identifier of the widget.
  ///   - folders: The folders of the user.
  /// - Returns: `ID`, or `ID:NAME` for an instance; sorted.
  nonisolated static func widgets(
    with request: EntitlementRequest,
    of bundleIdentifier: String,
    in folders: StateFolders
  ) -> [String] {
    guard let folder = try? OwnFolder.open(folders.once),
      let locks = try? folder.file(locks, O_RDWR)
    else { return [] }
    var found: Set<String> = []
    for name in folder.names(limit: nameLimit) where name.hasSuffix(ending) {
      let path = "\(folders.once)/\(name)"
      let key = String(name.prefix { $0 != "-" })
      guard platform_byte_is_locked(locks.number, StableHash.value(of: key)) != 0 else {
        DurableFile.remove(path)
        continue
      }
      guard let bytes = DurableFile.read(path, byteLimit: PermissionRecord.byteLimit),
        let grant = try? JSONDecoder().decode(Grant.self, from: Data(bytes)),
        let id = try? ExtensionIdentity(parsing: grant.identity),
        id.bundleIdentifier == bundleIdentifier
      else { continue }
      var record = PermissionRecord()
      record.granted = grant.granted
      if record.grants(request) { found.insert(id.description) }
    }
    return found.sorted()
  }
}
