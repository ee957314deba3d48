import WidgetKitCore

/// The environment that is made for a widget: what it needs to work and nothing of the user's rest.
nonisolated enum WidgetEnvironment {
  private static let passedOn: Set<String> = [
    "HOME", "USER", "LOGNAME", "LANG", "LANGUAGE", "TZ", "XDG_DATA_HOME", "XDG_CONFIG_HOME",
    "XDG_CACHE_HOME", "XDG_STATE_HOME",
  ]
  private static let passedPrefixes = ["LC_", "TODAY_"]

  /// What of the user's environment a widget sees, and where it lives.
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
