import WidgetExtensions
package import WidgetKitCore

/// What something of a registry asks for, of all that is in it.
package nonisolated struct PermissionSet: Hashable, Sendable {
  /// The texts of each entitlement; none for one that is on or off.
  private var items: [Entitlement: Set<String>] = [:]

  /// What some requests ask for together.
  package init(_ requests: [EntitlementRequest] = []) {
    for request in requests where request.entitlement != .sandbox {
      items[request.entitlement, default: []].formUnion(request.items)
    }
  }

  /// What it asks for, in the order of the entitlements.
  package var requests: [EntitlementRequest] {
    items.sorted { $0.key < $1.key }.map { EntitlementRequest($0.key, items: $0.value.sorted()) }
  }

  /// What it asks for and another one does not.
  package func beyond(_ other: PermissionSet) -> [EntitlementRequest] {
    requests.compactMap { request in
      guard let known = other.items[request.entitlement] else { return request }
      let more = request.items.filter { !known.contains($0) }
      return more.isEmpty ? nil : EntitlementRequest(request.entitlement, items: more)
    }
  }

  /// Its requests in words, separated by commas.
  package var words: String { requests.map(\.words.string).joined(separator: ", ") }

  // MARK: - JSON

  /// Reads the member `permissions` of an entry: names and values as in an Entitlements.plist.
  ///
  /// - Throws: ``EntryFault`` for a name or a value that is not used, which could hide what something asks for.
  init(_ tree: JSONTree) throws(EntryFault) {
    guard let members = tree.members, members.count <= 64 else {
      throw EntryFault("permissions: expected an object of entitlements")
    }
    var values: [String: PropertyValue] = [:]
    for member in members {
      guard values[member.name] == nil, let value = Self.value(member.value) else {
        throw EntryFault("permissions: “\(member.name)” is there twice, or has no such value")
      }
      values[member.name] = value
    }
    let entitlements = Entitlements(values)
    if let problem = entitlements.problems.first {
      throw EntryFault("permissions: “\(problem.name)” \(problem.words)")
    }
    self.init(entitlements.requests)
  }

  private static func value(_ tree: JSONTree) -> PropertyValue? {
    switch tree {
    case .boolean(let flag): .boolean(flag)
    case .array(let items):
      items.allSatisfy { $0.string != nil }
        ? .array(items.compactMap(\.string).map(PropertyValue.string)) : nil
    default: nil
    }
  }

  /// The member `permissions` of an entry.
  package var json: JSONTree {
    .object(
      requests.map { request in
        let value: JSONTree =
          request.entitlement.isSwitch
          ? .boolean(true) : .array(request.items.map(JSONTree.string))
        return JSONTree.Member(name: request.entitlement.rawValue, value: value)
      }
    )
  }
}
