import FoundationEssentials
import ShippedThemes
public import WidgetKitCore
import WidgetPlatform

/// The themes that there are: the user's files, and those that come with the program.
///
/// The files that come with the program are part of it, so that it finds them wherever it is.
public struct ThemeCatalog: Sendable {
  /// What looking for a theme came to.
  public enum Outcome: Sendable {
    case found(ThemeDefinition)
    /// Its file cannot be used; each text has the file, line and column.
    case broken([SafeText])
    /// There is none of this name; `nearest` is a similar one.
    case missing(nearest: String?)
  }

  /// The folder of the user's themes: `themes/` beside config.json.
  public let folder: String

  private static let byteLimit = 64 * 1024
  /// How many files of the user are listed.
  private static let fileLimit = 200

  /// The themes of a user.
  public init(environment: [String: String]) {
    folder = BaseFolders(environment).configuration + "/today/themes"
  }

  /// The names of all themes: those that come with the program, then those that only the user has.
  public var ids: [String] {
    let shipped = ShippedThemes.files.map(\.id)
    return shipped + userIDs.filter { !shipped.contains($0) }
  }

  /// The theme of a name; a file of the user comes before one of the program.
  public func theme(_ id: String) -> Outcome {
    if Self.isName(id) {
      let path = "\(folder)/\(id).json"
      switch UserFile.contents(path, byteLimit: Self.byteLimit) {
      case .whole(let bytes): return Self.outcome(ThemeFile(bytes, id: id, path: path))
      // In a folder that cannot be read there may be no such file: that of the program is better than none.
      case .odd(let reason) where hasFolder || !isShipped(id):
        return .broken([SafeText("\(path) cannot be read: \(reason)")])
      case .odd, .absent: break
      }
      if id == "dark" || id == "light" { return .found(.standard(isDark: id == "dark")) }
      if let file = ShippedThemes.files.first(where: { $0.id == id }) {
        return Self.outcome(ThemeFile(file.bytes, id: id, path: "\(id).json"))
      }
    }
    return .missing(nearest: NearName.nearest(to: id, among: ids))
  }

  private var hasFolder: Bool {
    (try? FileManager.default.contentsOfDirectory(atPath: folder)) != nil
  }

  private func isShipped(_ id: String) -> Bool {
    id == "dark" || id == "light" || ShippedThemes.files.contains { $0.id == id }
  }

  /// The text of a theme's file; nil if there is none.
  public func file(of id: String) -> [UInt8]? {
    guard Self.isName(id) else { return nil }
    if case .whole(let bytes) = UserFile.contents(
      "\(folder)/\(id).json",
      byteLimit: Self.byteLimit
    ) {
      return bytes
    }
    return ShippedThemes.files.first { $0.id == id }?.bytes
  }

  /// Whether a text can be the name of a theme, and so of a file.
  package static func isName(_ text: String) -> Bool {
    1...64 ~= text.utf8.count
      && text.utf8.allSatisfy {
        Unicode.Scalar($0).properties.isAlphabetic && $0 < 0x80
          || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || $0 == UInt8(ascii: "-")
          || $0 == UInt8(ascii: "_")
      }
  }

  private static func outcome(_ file: ThemeFile) -> Outcome {
    file.theme.map { .found($0) } ?? .broken(file.problems)
  }

  private var userIDs: [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.compactMap { name in
      guard name.hasSuffix(".json") else { return nil }
      let id = String(name.dropLast(5))
      return Self.isName(id) && id != "auto" ? id : nil
    }.sorted().prefix(Self.fileLimit).map(\.self)
  }
}
