package import WidgetKitCore

/// The secrets of one access group: in the Secret Service if there is one, and in a file.
///
/// Secrets that were stored in the file while there was no service stay readable: each moves to the service
/// when it is first read or replaced there.
package struct SecretGroup: Sendable {
  private let name: String
  private let file: SecretFile
  private let service: SecretService?

  init(_ name: String, _ file: SecretFile, _ service: SecretService?) {
    (self.name, self.file, self.service) = (name, file, service)
  }

  /// The names of all secrets, sorted.
  package func names() throws(SecretFile.Refusal) -> [String] {
    guard let service else { return try file.names() }
    return Set(try service.names(in: name)).union(try file.names()).sorted()
  }

  /// Returns a secret; nil if there is none.
  func find(_ secret: SecretName) throws(SecretFile.Refusal) -> SecretValue? {
    guard let service else { return try file.find(secret) }
    if let value = try service.find(secret, in: name) { return value }
    guard let value = try file.find(secret) else { return nil }
    // One that cannot be moved now stays where it is.
    if (try? service.add(secret, value, in: name)) != nil { try? file.delete(secret) }
    return value
  }

  /// Stores a new secret.
  func add(_ secret: SecretName, _ value: SecretValue) throws(SecretFile.Refusal) {
    guard let service else { return try file.add(secret, value) }
    guard try file.find(secret) == nil else { throw .exists }
    try service.add(secret, value, in: name)
  }

  /// Replaces a secret.
  func update(_ secret: SecretName, _ value: SecretValue) throws(SecretFile.Refusal) {
    guard let service else { return try file.update(secret, value) }
    do throws(SecretFile.Refusal) {
      try service.update(secret, value, in: name)
    } catch {
      guard error == .missing, try file.find(secret) != nil else { throw error }
      try service.add(secret, value, in: name)
    }
    // An older value in the file must not come back when the service is not there.
    try? file.delete(secret)
  }

  /// Deletes a secret, wherever it is.
  package func delete(_ secret: SecretName) throws(SecretFile.Refusal) {
    guard let service else { return try file.delete(secret) }
    do throws(SecretFile.Refusal) {
      try service.delete(secret, in: name)
    } catch {
      guard error == .missing else { throw error }
      return try file.delete(secret)
    }
    try? file.delete(secret)
  }
}
