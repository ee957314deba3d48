/// The secrets that a widget may see: passwords and tokens, by name.
///
/// They are in access groups: the widget's own identifier, and those of `keychain-access-groups` in the
/// `Entitlements.plist` of both the widget and its app.
public struct SecretStore: Sendable {
  private let host: HostConnection

  init(_ host: HostConnection) {
    self.host = host
  }

  /// Stores a new secret.
  ///
  /// - Parameters:
  ///   - value: The secret, at most 16 KiB.
  ///   - name: Its name, 1 to 255 bytes without control characters.
  ///   - group: The access group.
  /// - Throws: ``WireError`` if the group is not the widget's or has such a secret already, or if the
  ///   name or the value is not valid.
  public func add(_ value: String, named name: String, in group: String) async throws {
    let request = SecretAddRequest(name: try valid(name), group: group, value: try secret(value))
    _ = try await host.request(request)
  }

  /// Returns a secret from the first group that has it; nil if none has.
  ///
  /// - Parameters:
  ///   - name: Its name.
  ///   - group: The only group that is searched; nil to search all of them.
  /// - Returns: The secret; nil if there is none.
  /// - Throws: ``WireError`` if the group is not the widget's.
  public func find(_ name: String, in group: String? = nil) async throws -> String? {
    try await host.request(SecretFindRequest(name: try valid(name), group: group)).value?.text
  }

  /// Replaces a secret in the first group that has it.
  ///
  /// - Throws: ``WireError`` with `notFound` if none has.
  public func update(_ name: String, to value: String, in group: String? = nil) async throws {
    let name = try valid(name)
    _ = try await host.request(
      SecretUpdateRequest(name: name, group: group, value: try secret(value))
    )
  }

  /// Deletes a secret from the first group that has it.
  ///
  /// - Throws: ``WireError`` with `notFound` if none has.
  public func delete(_ name: String, in group: String? = nil) async throws {
    _ = try await host.request(SecretDeleteRequest(name: try valid(name), group: group))
  }

  private func valid(_ name: String) throws(WireError) -> SecretName {
    guard let name = SecretName(name) else {
      throw WireError(
        code: .invalidParams,
        message: "a secret's name has 1 to 255 bytes without control characters"
      )
    }
    return name
  }

  private func secret(_ value: String) throws(WireError) -> SecretValue {
    guard let value = SecretValue(value) else {
      throw WireError(
        code: .invalidParams,
        message: "a secret has at most \(SecretValue.byteLimit) bytes"
      )
    }
    return value
  }
}
