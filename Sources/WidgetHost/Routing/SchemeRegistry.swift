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
      SafeText("\(claimant): \(scheme) belongs to \(owner ?? "the system"); it stays there").string
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
  private var apps: [String: AppBundle] = [:]

  /// Takes the schemes of `apps`; of two that claim one scheme the first has it.
  public init(apps: [AppBundle] = []) {
    for app in apps {
      for scheme in app.urlSchemes {
        let owner = self.apps[scheme]
        if owner == nil, !Self.reserved.contains(scheme) {
          self.apps[scheme] = app
        } else {
          conflicts.append(Conflict(scheme: scheme, owner: owner?.path, claimant: app.path))
        }
      }
    }
  }

  /// The app that opens `scheme`, in any case; nil where none does.
  public func app(forScheme scheme: String) -> AppBundle? {
    apps[scheme.lowercased()]
  }
}
