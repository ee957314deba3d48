import Glibc
import WidgetKitCore
import WidgetPages
import WidgetPlatform

/// The hidden command that runs the widgets of a page for all who look at it.
struct ServePublicCommand: Command {
  static let name = "serve-public"
  static let syntax = CommandSyntax<ServePublicCommand>(
    name,
    "run the widgets of a page for all who look at it",
    expected: "a page; the program starts this command itself",
    operands: [.one("PAGE", .page, \.page)],
    isHidden: true
  )

  var options = CommonOptions()
  private var page = PageName.home

  func run() async throws(CommandError) -> ExitCode {
    guard fcntl(PublicPage.engineFile, F_GETFD) >= 0 else { throw Self.misused }
    let engine = try PublicEngine(page, options)
    let interruption = Interruption {}
    await withCheckedContinuation { continuation in engine.run { continuation.resume() } }
    withExtendedLifetime((engine, interruption)) {}
    return .success
  }
}
