extension WidgetBundle {
  /// The app groups whose files it shares: those that both it and its app request, in the order of its
  /// own file.
  public var groups: [String] { shared(.groups) }

  /// The access groups whose secrets it shares, in the same way.
  package var secretGroups: [String] { shared(.secretGroups) }

  /// The groups that it requests and does not share, and why, worded to follow the name of the
  /// entitlement.
  package var groupProblems: [Entitlements.Problem] {
    [Entitlement.groups, .secretGroups].flatMap(problems)
  }

  private func shared(_ kind: Entitlement) -> [String] {
    let ofApp = containingApp?.entitlements[kind]?.items ?? []
    return requested(kind).filter(ofApp.contains)
  }

  private func problems(_ kind: Entitlement) -> [Entitlements.Problem] {
    let shared = shared(kind)
    return requested(kind).filter { !shared.contains($0) }.map { group in
      let reason =
        containingApp == nil
        ? "which only a widget in an app can share"
        : "which the Entitlements.plist of its app does not have"
      return Entitlements.Problem(name: kind.rawValue, words: "has \(group), \(reason)")
    }
  }

  private func requested(_ kind: Entitlement) -> [String] { entitlements[kind]?.items ?? [] }
}

extension AppBundle {
  /// The app groups that it requests.
  public var groups: [String] { entitlements[.groups]?.items ?? [] }
}
