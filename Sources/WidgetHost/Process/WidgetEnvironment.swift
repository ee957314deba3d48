import WidgetKitCore

/// The environment for a widget: what it needs to work, and nothing else of the user's.
nonisolated enum WidgetEnvironment {
  private static let passedOn: Set<String> = [
    "HOME", "USER", "LOGNAME", "LANG", "LANGUAGE", "TZ", "XDG_DATA_HOME", "XDG_CONFIG_HOME",
    "XDG_CACHE_HOME", "XDG_STATE_HOME",
  ]
  private static let passedPrefixes = ["LC_", "TODAY_"]

  /// Returns the part of the user's environment that a widget sees, and the paths of its containers.
  static func make(
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
    made["TODAY_DATA"] = containers.data
    made["TODAY_CACHE"] = containers.cache
    return made
  }
}
