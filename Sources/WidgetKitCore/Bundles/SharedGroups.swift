extension WidgetBundle {
  /// The app groups whose files it shares: those that both it and its app request, in the order of its
  /// own file, without those of others that it was not permitted.
  public var groups: [String] { shared(.groups) }

  /// The access groups whose secrets it shares, in the same way; an app group is one too.
  package var secretGroups: [String] {
    let shared = Set(self.shared(.secretGroups) + groups)
    var seen: Set<String> = []
    return (requested(.secretGroups) + requested(.groups)).filter {
      shared.contains($0) && seen.insert($0).inserted
    }
  }

  /// The groups that it requests and does not share, and why, worded to follow the name of the
  /// entitlement.
  package var groupProblems: [Entitlements.Problem] {
    [Entitlement.groups, .secretGroups].flatMap(problems)
  }

  /// The groups of one kind that both it and its app request; those for secrets alone are the others, of which
  /// either may name one as an app group.
  package func sharedGroups(_ kind: Entitlement) -> [String] {
    let files = requested(.groups).filter((containingApp?.groups ?? []).contains)
    guard kind == .secretGroups else { return files }
    let secrets = containingApp?.entitlements[.secretGroups]?.items ?? []
    let ofApp = (containingApp?.groups ?? []) + secrets
    return (requested(.secretGroups) + requested(.groups)).filter {
      ofApp.contains($0) && !files.contains($0)
    }
  }

  private func shared(_ kind: Entitlement) -> [String] {
    let withheld = withheldGroups[kind] ?? []
    return sharedGroups(kind).filter { !withheld.contains($0) }
  }

  private func problems(_ kind: Entitlement) -> [Entitlements.Problem] {
    let shared = sharedGroups(.groups) + (kind == .secretGroups ? sharedGroups(kind) : [])
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
