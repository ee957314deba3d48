package import WidgetKitCore

/// A secret of the program itself, such as the password of a broker, which no widget can ask for.
package struct ProgramSecret: Sendable {
  private let name: SecretName
  private let access: SecretAccess

  /// The access group, which is no identifier of a widget and no group that one could request.
  private static let group = "today-brokers"

  /// Names a secret.
  ///
  /// - Parameters:
  ///   - name: What it is for, such as the address of a broker; nil is returned for one that is too long.
  ///   - storage: Where it is kept.
  package init?(_ name: String, in storage: SecretStorage) {
    guard let name = SecretName(name) else { return nil }
    self.name = name
    access = SecretAccess(groups: [Self.group], storage)
  }

  /// Finds it; calls `completion` once, with nil if there is none, or with why it cannot be read.
  @MainActor package func find(
    _ completion: @escaping @MainActor (Result<SecretValue?, SecretFault>) -> Void
  ) {
    let (access, name) = (access, name)
    access.perform(
      {
        Result { () throws(SecretFault) in
          try access.perform(SecretFindRequest(name: name, group: Self.group)).value
        }
      },
      then: completion
    )
  }

  /// Stores it, in place of one that there is.
  ///
  /// - Throws: ``SecretFault`` if it cannot be stored.
  package func store(_ value: SecretValue) throws(SecretFault) {
    do throws(SecretFault) {
      try access.perform(SecretUpdateRequest(name: name, group: Self.group, value: value))
    } catch {
      guard error.isMissing else { throw error }
      try access.perform(SecretAddRequest(name: name, group: Self.group, value: value))
    }
  }
}
