/// The name of the user's time zone in the tz database.
nonisolated enum TimeZoneName {
  /// Returns `TZ`, else the target of the link `/etc/localtime`, else the content of `/etc/timezone`,
  /// else `UTC`.
  static func current(_ environment: [String: String]) -> String {
    if let name = environment["TZ"], !name.isEmpty {
      return name.hasPrefix(":") ? String(name.dropFirst()) : name
    }
    if let target = SymbolicLink.target("/etc/localtime"),
      let folder = target.firstRange(of: "/zoneinfo/")
    {
      return String(target[folder.upperBound...])
    }
    guard case .whole(let bytes) = UserFile.contents("/etc/timezone", byteLimit: 256) else {
      return "UTC"
    }
    let name = String(decoding: bytes, as: UTF8.self).filter { !$0.isWhitespace }
    return name.isEmpty ? "UTC" : name
  }
}
