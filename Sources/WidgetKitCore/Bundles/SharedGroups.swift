extension WidgetBundle {
  /// The app groups whose files it shares: those that both it and its app request, in the order of its
  /// own file.
  public var groups: [String] {
    let ofApp = containingApp?.groups ?? []
    return requestedGroups.filter(ofApp.contains)
  }

  /// The groups that it requests and does not share, and why, worded to follow the name of the
  /// entitlement.
  package var groupProblems: [Entitlements.Problem] {
    let ofApp = containingApp?.groups ?? []
    return requestedGroups.filter { !ofApp.contains($0) }.map { group in
      let reason =
        containingApp == nil
        ? "which only a widget in an app can share"
        : "which the Entitlements.plist of its app does not have"
      return Entitlements.Problem(
        name: Entitlement.groups.rawValue,
        words: "has \(group), \(reason)"
      )
    }
  }

  private var requestedGroups: [String] { entitlements[.groups]?.items ?? [] }
}

extension AppBundle {
  /// The app groups that it requests.
  public var groups: [String] { entitlements[.groups]?.items ?? [] }
}
