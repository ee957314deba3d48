import FoundationEssentials
import WidgetKitCore
import WidgetPlatform

/// The secrets of one access group, in a file that only the user can read: mode 0600, not encrypted.
package struct SecretFile: Sendable {
  private let folder: String
  private let group: String

  /// The most bytes of a file.
  private static let byteLimit = 4 << 20
  /// The most secrets in a file.
  static let countLimit = 200

  /// Creates a file of an access group; nothing is read yet.
  init(of group: String, in folders: StateFolders) {
    folder = folders.secrets
    self.group = group
  }

  private var path: String { "\(folder)/\(ExtensionIdentity(group).fileName).secrets" }

  /// Why a change was not made.
  package enum Refusal: Error, Equatable {
    case exists
    case missing
    case tooMany(Int)
    case unusable(String)
  }

  /// The names of all secrets, sorted.
  func names() throws(Refusal) -> [String] {
    try read().keys.sorted()
  }

  /// Returns a secret; nil if there is none.
  ///
  /// - Throws: ``Refusal`` with `unusable` if there is a file that cannot be read.
  func find(_ name: SecretName) throws(Refusal) -> SecretValue? {
    try read()[name.description]
  }

  /// Stores a new secret.
  func add(_ name: SecretName, _ value: SecretValue) throws(Refusal) {
    try change { secrets throws(Refusal) in
      guard secrets[name.description] == nil else { throw .exists }
      guard secrets.count < Self.countLimit else { throw .tooMany(Self.countLimit) }
      secrets[name.description] = value
    }
  }

  /// Replaces a secret.
  func update(_ name: SecretName, _ value: SecretValue) throws(Refusal) {
    try change { secrets throws(Refusal) in
      guard secrets.updateValue(value, forKey: name.description) != nil else { throw .missing }
    }
  }

  /// Deletes a secret.
  func delete(_ name: SecretName) throws(Refusal) {
    try change { secrets throws(Refusal) in
      guard secrets.removeValue(forKey: name.description) != nil else { throw .missing }
    }
  }

  private func read() throws(Refusal) -> [String: SecretValue] {
    switch DurableFile.contents(path, byteLimit: Self.byteLimit) {
    case .absent: return [:]
    case .odd(let reason): throw .unusable("\(path): \(reason)")
    case .whole(let bytes):
      guard let secrets = try? JSONDecoder().decode([String: SecretValue].self, from: Data(bytes))
      else { throw .unusable("\(path) is not a file of secrets") }
      return secrets
    }
  }

  /// Changes the file while no other program does.
  private func change(
    _ change: (inout [String: SecretValue]) throws(Refusal) -> Void
  ) throws(Refusal) {
    var refusal: Refusal?
    do throws(HostError) {
      try OwnFolder.whileLocked(folder, of: "secrets") { _ throws(HostError) in
        do throws(Refusal) {
          var secrets = try read()
          try change(&secrets)
          try write(secrets)
        } catch {
          refusal = error
        }
      }
    } catch {
      throw .unusable(error.description)
    }
    if let refusal { throw refusal }
  }

  private func write(_ secrets: [String: SecretValue]) throws(Refusal) {
    guard !secrets.isEmpty else {
      DurableFile.remove(path)
      return
    }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    guard let bytes = try? encoder.encode(secrets) else { return }
    do throws(HostError) {
      try DurableFile.write(Array(bytes) + [0x0A], to: path)
    } catch {
      throw .unusable(error.description)
    }
  }
}
