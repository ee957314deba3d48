/// The permissions that a bundle requests beyond its own containers: its `Entitlements.plist`.
public struct Entitlements: Hashable, Sendable {
  /// The name of the file in a bundle.
  static let fileName = "Entitlements.plist"

  /// The entitlements by name, such as `com.apple.security.network.client`.
  public var values: [String: PropertyValue]

  /// Creates entitlements; by default there are none.
  public init(_ values: [String: PropertyValue] = [:]) {
    self.values = values
  }

  /// Whether an entitlement is true.
  public func isTrue(_ name: String) -> Bool { values[name]?.boolean ?? false }

  /// The strings of an entitlement: of an array, or a single string; empty if it has another form.
  public func strings(_ name: String) -> [String] {
    guard let value = values[name] else { return [] }
    return value.array?.compactMap(\.string) ?? value.string.map { [$0] } ?? []
  }
}

extension Entitlements: PropertyListReadable {
  init(_ list: PropertyList) throws {
    values = try list.values()
  }

  /// Reads the entitlements of the bundle at `path`; a bundle without the file has none.
  static func read(in path: String, byteLimit: Int, trust: BundleTrust) throws(BundleFault)
    -> Entitlements
  {
    let file = "\(path)/\(fileName)"
    guard BundleFile.exists(file) else { return Entitlements() }
    return try PropertyList.read(Entitlements.self, from: file, byteLimit: byteLimit, trust: trust)
  }
}
