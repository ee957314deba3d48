package import WidgetKitCore

/// What opens a URL.
package enum URLHandler: Sendable {
  /// An app that has registered the scheme.
  case app(AppBundle)
  /// The user's command for the scheme.
  case command(URLOpener)
  /// A program whose desktop file has registered the scheme.
  case desktop(DesktopEntry)
  /// The desktop's own choice.
  case xdgOpen
  /// The answer of a test.
  case standIn

  /// The program for people: a name, or a command.
  package var name: String {
    switch self {
    case .app(let app): app.bundleIdentifier
    case .command(let opener): opener.command.first ?? ""
    case .desktop(let entry): entry.name
    case .xdgOpen: "xdg-open"
    case .standIn: "the test"
    }
  }
}
