/// A place at which a program extends this one: what its manifest may say, how long it may take, and how it is shown.
///
/// The points are in `ExtensionPoints.swift`, where a new one is added.
package struct ExtensionPoint: Hashable, Sendable {
  /// How an extension of the point is presented, which is also how long its process lives.
  package enum Presentation: Hashable, Sendable {
    /// As a card of the page, which starts processes as often as it needs one.
    case card
    /// For one request, with one process that ends with it.
    case request(hasView: Bool)
  }

  /// What `NSExtensionPointIdentifier` is.
  package var identifier: String
  package var presentation: Presentation
  /// Whether the manifest must name an entry point.
  package var needsPrincipal = false
  /// The keys of `NSExtensionAttributes` that are read.
  package var attributes: Set<String> = []
  /// What people write who mean this point and know others.
  package var otherNames: Set<String> = []
  /// For the answer to `initialize`, in seconds.
  package var secondsToInitialize = 5
  /// For the answer to any other request without a limit of its own, in seconds.
  package var secondsToAnswer = 30

  package init(identifier: String, presentation: Presentation) {
    (self.identifier, self.presentation) = (identifier, presentation)
  }

  /// The point with an identifier; nil if this program has none.
  package static func named(_ identifier: String) -> ExtensionPoint? {
    all.first { $0.identifier == identifier }
  }

  /// The point that is meant by an identifier which is nearly its own, or its name elsewhere; nil for others.
  package static func meant(by identifier: String) -> ExtensionPoint? {
    guard named(identifier) == nil else { return nil }
    let lowered = identifier.lowercased()
    return all.first { point in
      point.plain == lowered.filter { $0.isLetter || $0 == "." }
        || NearName.distance(lowered, point.identifier) <= 3 || point.otherNames.contains(lowered)
    }
  }

  private var plain: String { identifier.filter { $0.isLetter || $0 == "." } }
}
