public import WidgetKitCore

/// Which app opens which URL scheme.
public nonisolated struct SchemeRegistry: Sendable {
  /// Two claims on one scheme: the first one holds.
  public struct Conflict: Hashable, Sendable, CustomStringConvertible {
    /// The scheme, in lower case.
    public var scheme: String
    /// The path of the app that has it; nil where it is the system's own.
    public var owner: String?
    /// The path of the app that claims it too.
    public var claimant: String

    /// One line that names the scheme and both.
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

  /// Schemes that no app can take: the system opens the first three, the others nobody.
  ///
  /// `ssh` starts
  /// programs on other machines, and `today` is the program's own.
  public static let reserved: Set<String> = [
    "http", "https", "mailto", "file", "data", "javascript", "about", "ssh", "today",
  ]

  /// The claims that did not hold, in the order of the apps.
  public private(set) var conflicts: [Conflict] = []
  /// The apps that claim each scheme, in order.
  private var apps: [String: [AppBundle]] = [:]

  /// Takes the schemes of `apps`; of two that claim one scheme the first has it, except for its
  /// widgets.
  ///
  /// - Parameter apps: The apps in an order that does not change from one start to the next, as
  ///   ``BundleCatalog/apps`` are: by folder in the order of the search, and there by name.
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

  /// The app that opens `scheme`, in any case; nil where none does.
  ///
  /// - Parameters:
  ///   - scheme: The scheme.
  ///   - caller: The app that asks: where it claims the scheme itself, no other one gets the URL.
  /// - Returns: The app, or nil.
  public func app(forScheme scheme: String, calledFrom caller: AppBundle? = nil) -> AppBundle? {
    let claimants = apps[scheme.lowercased()] ?? []
    return claimants.first { $0.path == caller?.path } ?? claimants.first
  }
}
