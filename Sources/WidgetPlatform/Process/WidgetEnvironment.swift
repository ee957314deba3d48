package import WidgetKitCore

/// The environment for a widget: what it needs to work, and nothing else of the user's.
package enum WidgetEnvironment {
  private static let passedOn: Set<String> = [
    "HOME", "USER", "LOGNAME", "LANG", "LANGUAGE", "TZ", "XDG_DATA_HOME", "XDG_CONFIG_HOME",
    "XDG_CACHE_HOME", "XDG_STATE_HOME",
  ]
  private static let passedPrefixes = ["LC_", "TODAY_"]

  /// Returns the part of the user's environment that a widget sees, and the paths of its containers.
  package static func make(
    from user: [String: String],
    bundle: String,
    containers: Containers
  ) -> [String: String] {
    var made = user.filter { name, _ in
      passedOn.contains(name) || passedPrefixes.contains { name.hasPrefix($0) }
    }
    made["PATH"] = "/usr/local/bin:/usr/bin:/bin"
    made["HOME"] = made["HOME"] ?? "/"
    made["LANG"] = made["LANG"] ?? "C.UTF-8"
    made["TODAY_BUNDLE"] = bundle
    add(containers, to: &made)
    return made
  }

  /// Returns the environment for an app: that of the user, and the paths of its containers.
  package static func make(
    forAppFrom user: [String: String],
    containers: Containers
  ) -> [String: String] {
    var made = user
    add(containers, to: &made)
    return made
  }

  private static func add(_ containers: Containers, to environment: inout [String: String]) {
    environment["TODAY_DATA"] = containers.data
    environment["TODAY_CACHE"] = containers.cache
    // One folder has all groups, each by its name; without a group there is nothing to find there.
    environment["TODAY_GROUPS"] = containers.groups.values.first.map { OwnPath.split($0).folder }
  }
}
