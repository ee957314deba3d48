package import WidgetKitCore

/// The secrets that one widget or app may see: those of its access groups, and no others.
///
/// The first group is its own identifier, which it shares with nobody. The others are those of
/// `keychain-access-groups` that a widget and its app both request.
package struct SecretAccess: Sendable {
  /// The access groups, in the order in which they are searched.
  package let groups: [String]
  private let storage: SecretStorage

  /// The access of a widget.
  package init(_ bundle: WidgetBundle, _ storage: SecretStorage) {
    self.init(groups: Self.groups(of: bundle), storage)
  }

  init(groups: [String], _ storage: SecretStorage) {
    self.groups = groups
    self.storage = storage
  }

  /// The access groups of a widget.
  package static func groups(of bundle: WidgetBundle) -> [String] {
    [bundle.bundleIdentifier] + bundle.secretGroups
  }

  /// Performs what needs secrets; see ``SecretStorage/perform(_:then:)``.
  @MainActor
  func perform<Value: Sendable>(
    _ work: @escaping @Sendable () -> Value,
    then completion: @escaping @MainActor (Value) -> Void
  ) {
    storage.perform(work, then: completion)
  }

  /// Stores a new secret.
  ///
  /// - Throws: ``SecretFault`` with `notPermitted` for a group of others, with `invalidParams` if there is
  ///   such a secret already, with `overLimit` if the group has too many.
  package func perform(_ request: SecretAddRequest) throws(SecretFault) {
    try Self.check(request.group, groups)
    do throws(SecretFile.Refusal) {
      try storage.group(request.group).add(request.name, request.value)
    } catch {
      throw SecretFault(error, request.name, in: [request.group])
    }
  }

  /// Reads a secret.
  package func perform(_ request: SecretFindRequest) throws(SecretFault) -> SecretFindRequest.Reply
  {
    let searched = try searched(request.group)
    for group in searched {
      do throws(SecretFile.Refusal) {
        if let value = try storage.group(group).find(request.name) {
          return SecretFindRequest.Reply(value: value)
        }
      } catch {
        throw SecretFault(error, request.name, in: searched)
      }
    }
    return SecretFindRequest.Reply(value: nil)
  }

  /// Replaces a secret where it is found.
  ///
  /// - Throws: ``SecretFault`` with `notFound` if no group has it.
  package func perform(_ request: SecretUpdateRequest) throws(SecretFault) {
    try change(request.name, in: request.group) { group throws(SecretFile.Refusal) in
      try group.update(request.name, request.value)
    }
  }

  /// Deletes a secret where it is found.
  ///
  /// - Throws: ``SecretFault`` with `notFound` if no group has it.
  package func perform(_ request: SecretDeleteRequest) throws(SecretFault) {
    try change(request.name, in: request.group) { group throws(SecretFile.Refusal) in
      try group.delete(request.name)
    }
  }

  /// The names of the secrets of a group, sorted.
  ///
  /// - Throws: ``SecretFault`` if the file of the group cannot be used.
  package func names(in group: String) throws(SecretFault) -> [String] {
    do throws(SecretFile.Refusal) {
      return try storage.group(group).names()
    } catch {
      guard case .unusable(let reason) = error else { return [] }
      throw .unusable(reason)
    }
  }

  /// Changes a secret in the first group that has it.
  private func change(
    _ name: SecretName,
    in group: String?,
    _ change: (SecretGroup) throws(SecretFile.Refusal) -> Void
  ) throws(SecretFault) {
    let searched = try searched(group)
    for group in searched {
      do throws(SecretFile.Refusal) {
        return try change(storage.group(group))
      } catch {
        if error != .missing { throw SecretFault(error, name, in: [group]) }
      }
    }
    throw .missing(name, in: searched)
  }

  private func searched(_ group: String?) throws(SecretFault) -> [String] {
    guard let group else { return groups }
    try Self.check(group, groups)
    return [group]
  }

  private static func check(_ group: String, _ groups: [String]) throws(SecretFault) {
    guard groups.contains(group) else { throw .foreign(group, own: groups) }
  }
}
