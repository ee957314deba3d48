import Glibc

/// The encoding of characters that the environment asks for: UTF-8, or ASCII for every other one.
///
/// The C library falls back to ASCII for a locale that is not installed, which is what a login over ssh
/// often brings (`LANG=de_AT.UTF-8` of another machine, `LC_CTYPE=UTF-8` of macOS). A terminal that is set
/// up for such a locale shows UTF-8 all the same.
nonisolated struct CharacterLocale: Hashable, Sendable {
  /// The value that counts of `LC_ALL`, `LC_CTYPE` and `LANG`, in this order; nil if all are missing or empty.
  let name: String?

  private static let utf8 = "C.UTF-8"

  /// Reads the variables.
  init(_ environment: [String: String]) {
    name = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
  }

  /// The encoding that the name has by itself: of `de_AT.utf8@euro` the part `utf8`, and `UTF-8` as a whole;
  /// nil if it names none.
  private var namedEncoding: String? {
    guard let name else { return nil }
    if Self.isUTF8(name) { return name }
    guard let dot = name.firstIndex(of: ".") else { return nil }
    return String(name[name.index(after: dot)...].prefix { $0 != "@" })
  }

  private static func isUTF8(_ encoding: some StringProtocol) -> Bool {
    ["utf-8", "utf8"].contains(encoding.lowercased())
  }

  /// Whether texts are in UTF-8, without a change of the locale of this process.
  ///
  /// Without any variable, as on minimal systems, they are. A locale that is not installed has the encoding
  /// that its name says, and UTF-8 if it says none.
  var isUTF8: Bool {
    guard let name else { return true }
    if let locale = unsafe newlocale(Int32(LC_CTYPE_MASK), name, nil) {
      defer { unsafe freelocale(locale) }
      return unsafe String(cString: nl_langinfo_l(Int32(CODESET), locale)) == "UTF-8"
    }
    return namedEncoding.map(Self.isUTF8) ?? true
  }

  /// Sets the locale of this process for characters, which ncurses uses; returns ``isUTF8``.
  func adopt() -> Bool {
    guard isUTF8 else {
      unsafe setlocale(Int32(LC_CTYPE), name ?? "C")
      return false
    }
    // A name that is set but not installed leaves the locale as it was.
    let isInstalled = unsafe name != nil && setlocale(Int32(LC_CTYPE), name) != nil
    if !isInstalled { unsafe setlocale(Int32(LC_CTYPE), Self.utf8) }
    return true
  }
}
