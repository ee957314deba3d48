import Glibc

/// The user's time zone by its name in the tz database.
nonisolated enum TimeZoneName {
  /// `TZ`, else what `/etc/localtime` links to, else `/etc/timezone`, else `UTC`.
  static func current(_ environment: [String: String]) -> String {
    if let name = environment["TZ"], !name.isEmpty {
      return name.hasPrefix(":") ? String(name.dropFirst()) : name
    }
    if let target = linkTarget("/etc/localtime"), let range = target.range(of: "zoneinfo/") {
      return String(target[range.upperBound...])
    }
    let file = DurableFile.read("/etc/timezone", byteLimit: 256)
    let name = file.map { String(decoding: $0, as: UTF8.self).filter { !$0.isWhitespace } } ?? ""
    return name.isEmpty ? "UTC" : name
  }

  private static func linkTarget(_ path: String) -> String? {
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: 1024) { buffer, count in
      count = unsafe max(0, readlink(path, buffer.baseAddress, 1024))
    }
    return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
  }
}
