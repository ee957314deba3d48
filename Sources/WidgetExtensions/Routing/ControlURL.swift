/// What a URL asks for with which plugins of xbar and SwiftBar control the program that shows them:
/// `swiftbar://refreshplugin?name=load`.
package enum ControlURL: Hashable, Sendable {
  /// All scripts run again.
  case refreshAll
  /// A script runs again.
  case refresh(script: String)
  /// The page with the card of a script is shown.
  case show(script: String)
  /// The card of a script is shown, hidden, or the other of the two.
  case setShown(script: String, Bool?)
  /// The user is told something.
  case notify(Notification)

  /// Something that the user is told.
  package struct Notification: Hashable, Sendable {
    /// The script for which it is told; nil for the one whose row was pressed.
    package var script: String?
    /// What it is about; the name of the card by default.
    package var title: String?
    /// The lines below it.
    package var lines: [String] = []
    /// Whether there is no sound.
    package var isSilent = false
    /// What a press on the notification opens; nil if it does nothing.
    package var link: String?
  }

  /// The schemes of such URLs.
  package static let schemes: Set<String> = ["xbar", "swiftbar"]

  /// Reads a URL.
  ///
  /// - Throws: ``URLRefusal/notAnswered(_:)`` for a URL that asks for nothing that can be done here.
  package init(_ url: CheckedURL) throws(URLRefusal) {
    let rest = url.text.dropFirst(url.scheme.count + 1).prefix { $0 != "#" }
    let path = rest.prefix { $0 != "?" }
    let values = Self.values(rest.dropFirst(path.count + 1))
    // xbar has a host in front, which says nothing.
    let words = path.split(separator: "/").filter { $0 != "app.xbarapp.com" }
    let name = words.first.map { $0.lowercased() } ?? ""
    func script() throws(URLRefusal) -> String {
      guard let script = ["name", "path", "plugin"].lazy.compactMap({ values[$0] }).first else {
        throw .notAnswered("“\(url.scheme)://\(name)” needs the name or the path of a script")
      }
      return script
    }
    switch name {
    case "refreshallplugins": self = .refreshAll
    case "refreshplugin": self = .refresh(script: try script())
    case "openplugin": self = .show(script: try script())
    case "enableplugin": self = .setShown(script: try script(), true)
    case "disableplugin": self = .setShown(script: try script(), false)
    case "toggleplugin": self = .setShown(script: try script(), nil)
    case "notify":
      let lines = ["subtitle", "body"].compactMap { values[$0] }
      guard values["title"] != nil || !lines.isEmpty else {
        throw .notAnswered("a notification needs a title or a body")
      }
      self = .notify(
        Notification(
          script: values["plugin"] ?? values["name"],
          title: values["title"],
          lines: lines,
          isSilent: values["silent"]?.lowercased() == "true",
          link: values["href"]
        )
      )
    case "addplugin":
      throw .notAnswered(
        "plugins are not downloaded; put the file into ~/.config/today/scripts, or see “today help install”"
      )
    case "setephemeralplugin":
      throw .notAnswered(
        "a card belongs to a script; put one into ~/.config/today/scripts, or see “today help run”"
      )
    default: throw .notAnswered("“\(url.scheme)://\(name.prefix(40))” is not a command")
    }
  }

  /// The values of a query by their names in lower case, without empty ones.
  ///
  /// Of one that is given twice, the last counts.
  private static func values(_ query: Substring) -> [String: String] {
    var values: [String: String] = [:]
    for part in query.split(separator: "&") {
      let pair = part.split(separator: "=", maxSplits: 1)
      guard pair.count == 2, let value = CheckedURL.unescaped(pair[1]), !value.isEmpty else {
        continue
      }
      values[pair[0].lowercased()] = value
    }
    return values
  }
}
