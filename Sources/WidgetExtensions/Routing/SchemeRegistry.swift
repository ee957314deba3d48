public import WidgetKitCore

/// The apps that open URL schemes.
public struct SchemeRegistry: Sendable {
  /// Two claims on one scheme, of which the first is used.
  public struct Conflict: Hashable, Sendable, CustomStringConvertible {
    /// The scheme, in lower case.
    public var scheme: String
    /// The path of the app that has it, or nil if it belongs to the system.
    public var owner: String?
    /// The path of the other app that claims it.
    public var claimant: String

    /// One line that names the scheme and both claimants.
    public var description: String {
      guard let owner else {
        return SafeText("\(claimant): no app can claim the URL scheme \(scheme)").string
      }
      return SafeText(
        "\(claimant): the URL scheme \(scheme) is claimed by \(owner) too, which opens it for all "
          + "but this app's own widgets"
      ).string
    }
  }

  /// Schemes that no app can claim: the system opens the first three, the others are never opened.
  ///
  /// `ssh` starts
  /// programs on other machines, and `today` is the program's own.
  public static let reserved: Set<String> = [
    "http", "https", "mailto", "file", "data", "javascript", "about", "ssh", "today",
  ]

  /// The claims that were not used, in the order of the apps.
  public private(set) var conflicts: [Conflict] = []
  /// The apps that claim each scheme, in order.
  private var apps: [String: [AppBundle]] = [:]

  /// Registers the schemes of `apps`; if two claim one scheme, the first gets it, except for URLs from
  /// the widgets of the second.
  ///
  /// - Parameter apps: The apps in an order that does not change from one start to the next, as in
  ///   ``BundleCatalog/apps``: by folder in the order of the search, and within a folder by name.
  public init(apps: [AppBundle] = []) {
    for app in apps {
      for scheme in app.urlSchemes {
        let owner = self.apps[scheme]?.first
        let isReserved = Self.reserved.contains(scheme)
        if !isReserved { self.apps[scheme, default: []].append(app) }
        if owner != nil || isReserved {
          conflicts.append(Conflict(scheme: scheme, owner: owner?.path, claimant: app.path))
        }
      }
    }
  }

  /// Returns the app that opens `scheme`, regardless of case, or nil if there is none.
  ///
  /// - Parameters:
  ///   - scheme: The scheme.
  ///   - caller: The app that makes the request; if it claims the scheme itself, no other app gets the
  ///     URL.
  /// - Returns: The app, or nil.
  public func app(forScheme scheme: String, calledFrom caller: AppBundle? = nil) -> AppBundle? {
    let claimants = apps[scheme.lowercased()] ?? []
    return claimants.first { $0.path == caller?.path } ?? claimants.first
  }
}
