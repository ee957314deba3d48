package import WidgetKitCore

/// The secrets that one widget or app may see: those of its access groups, and no others.
///
/// The first group is its own identifier, which it shares with nobody. The others are those of
/// `keychain-access-groups` that a widget and its app both request.
package nonisolated struct SecretAccess: Sendable {
  /// The access groups, in the order in which they are searched.
  package let groups: [String]
  private let folders: StateFolders

  /// The access of a widget.
  package init(_ bundle: WidgetBundle, _ folders: StateFolders) {
    self.init(groups: [bundle.bundleIdentifier] + bundle.secretGroups, folders)
  }

  init(groups: [String], _ folders: StateFolders) {
    self.groups = groups
    self.folders = folders
  }

  /// Stores a new secret.
  ///
  /// - Throws: ``SecretFault`` with `notPermitted` for a group of others, with `invalidParams` if there is
  ///   such a secret already, with `overLimit` if the group has too many.
  package func perform(_ request: SecretAddRequest) throws(SecretFault) {
    try Self.check(request.group, groups)
    do throws(SecretFile.Refusal) {
      try SecretFile(of: request.group, in: folders).add(request.name, request.value)
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
        if let value = try SecretFile(of: group, in: folders).find(request.name) {
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
    try change(request.name, in: request.group) { file throws(SecretFile.Refusal) in
      try file.update(request.name, request.value)
    }
  }

  /// Deletes a secret where it is found.
  ///
  /// - Throws: ``SecretFault`` with `notFound` if no group has it.
  package func perform(_ request: SecretDeleteRequest) throws(SecretFault) {
    try change(request.name, in: request.group) { file throws(SecretFile.Refusal) in
      try file.delete(request.name)
    }
  }

  /// The names of the secrets of a group, sorted.
  ///
  /// - Throws: ``SecretFault`` if the file of the group cannot be used.
  package func names(in group: String) throws(SecretFault) -> [String] {
    do throws(SecretFile.Refusal) {
      return try SecretFile(of: group, in: folders).names()
    } catch {
      guard case .unusable(let reason) = error else { return [] }
      throw .unusable(reason)
    }
  }

  /// Changes a secret in the first group that has it.
  private func change(
    _ name: SecretName,
    in group: String?,
    _ change: (SecretFile) throws(SecretFile.Refusal) -> Void
  ) throws(SecretFault) {
    let searched = try searched(group)
    for group in searched {
      do throws(SecretFile.Refusal) {
        return try change(SecretFile(of: group, in: folders))
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
