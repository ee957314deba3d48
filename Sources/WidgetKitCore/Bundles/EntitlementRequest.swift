/// An entitlement that a bundle requests, with its values.
public struct EntitlementRequest: Hashable, Sendable {
  /// The entitlement.
  public var entitlement: Entitlement
  /// The texts of its list, in the order of the file; empty for one that is true.
  public var items: [String]
  /// To whom the groups in the list belong, if they are those of others.
  public var owners: [String] = []

  /// Creates a request.
  public init(_ entitlement: Entitlement, items: [String] = []) {
    self.entitlement = entitlement
    self.items = items
  }
}

extension Entitlements {
  /// An entitlement that is not used, because it is unknown or has a value that it cannot have.
  public struct Problem: Hashable, Sendable {
    /// The name in the file.
    public var name: String
    /// What is wrong, and what was expected, worded to follow the name.
    public var words: String
    /// Whether there is no entitlement of this name.
    public var isUnknown: Bool { Entitlement(rawValue: name) == nil }

    /// Creates a problem.
    public init(name: String, words: String) {
      self.name = name
      self.words = words
    }
  }

  /// The requests that are used, in the order of ``Entitlement``.
  public var requests: [EntitlementRequest] {
    Entitlement.allCases.filter { $0 != .sandbox }.compactMap { try? request($0).get() }
  }

  /// The request of an entitlement; nil if it is not requested.
  public subscript(entitlement: Entitlement) -> EntitlementRequest? {
    try? request(entitlement).get()
  }

  /// Whether the bundle declares that it does not run in a sandbox.
  public var declinesSandbox: Bool { values[Entitlement.sandbox.rawValue]?.boolean == false }

  /// What is wrong, in the order of the names.
  public var problems: [Problem] {
    values.keys.sorted().flatMap { name -> [Problem] in
      guard let entitlement = Entitlement(rawValue: name) else {
        return [Problem(name: name, words: "is not an entitlement")]
      }
      if case .failure(let fault) = request(entitlement), let found = fault.found {
        return [Problem(name: name, words: "is \(found); expected \(entitlement.expectation)")]
      }
      return invalidNames(entitlement).map { found in
        Problem(name: name, words: "has \(found), which is left out; \(entitlement.itemRule)")
      }
    }
  }

  /// The names in a list of groups that cannot be used.
  private func invalidNames(_ entitlement: Entitlement) -> [String] {
    guard entitlement.isGroupList, let elements = values[entitlement.rawValue]?.array else {
      return []
    }
    return elements.filter { $0.string.flatMap(entitlement.item) == nil }
      .map { BundleError.quoted($0.words) }
  }

  private struct NotRequested: Error {
    /// The value that cannot be used; nil if there is none, or an empty one.
    var found: String?
  }

  private func request(
    _ entitlement: Entitlement
  ) -> Result<EntitlementRequest, NotRequested> {
    guard let value = values[entitlement.rawValue] else { return .failure(NotRequested()) }
    if entitlement.isSwitch {
      guard let isOn = value.boolean else {
        return .failure(NotRequested(found: BundleError.quoted(value.words)))
      }
      return isOn ? .success(EntitlementRequest(entitlement)) : .failure(NotRequested())
    }
    guard let elements = value.array else {
      return .failure(NotRequested(found: BundleError.quoted(value.words)))
    }
    guard elements.count <= Entitlement.countLimit else {
      return .failure(NotRequested(found: "an array of \(elements.count)"))
    }
    var items: [String] = []
    for element in elements {
      guard let item = element.string.flatMap(entitlement.item) else {
        // Only an invalid name of a group is skipped.
        if entitlement.isGroupList { continue }
        return .failure(NotRequested(found: BundleError.quoted(element.words)))
      }
      if !items.contains(item) { items.append(item) }
    }
    return items.isEmpty
      ? .failure(NotRequested()) : .success(EntitlementRequest(entitlement, items: items))
  }
}
