public import WidgetKitCore

/// The identifiers that no bundle of others can have: those of the widgets that come with the program, and those
/// of scripts.
package enum ReservedIdentifiers {
  /// What the identifiers of the program begin with.
  private static let own = "org.today"

  /// What is expected in the place of an identifier; nil if a bundle can have it.
  package static func rule(for identifier: String) -> String? {
    let name = identifier.lowercased()
    if name == own || name.hasPrefix(own + ".") {
      return "another prefix than \(own), which only widgets have that come with the program"
    }
    return ScriptName.isIdentifier(name)
      ? "another prefix than script, which only scripts have" : nil
  }
}

extension BundleError.Code {
  /// The identifier is one that only widgets of the program, or scripts, can have.
  public static let reserved = BundleError.Code(rawValue: "reserved")
}
