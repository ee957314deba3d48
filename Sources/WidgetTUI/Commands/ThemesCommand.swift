import WidgetExtensions
import WidgetKitCore
import WidgetPages

/// `today themes`: the themes, or the file of one of them.
struct ThemesCommand: Command {
  static let name = "themes"
  static let syntax = CommandSyntax<ThemesCommand>(
    name,
    "list the themes, or print the file of one",
    details: """
      Lists the themes: name, dark or light, and whether it paints its background. With a name, prints
      the file of the theme: change it and save it as themes/NAME.json beside config.json. Exits with
      1 if a file cannot be used; standard error says where and why.
      """,
    operands: [.optional("NAME", .text(.themes), \.name)]
  )

  var options = CommonOptions()
  private var name: String?

  func run() async throws(CommandError) -> ExitCode {
    let themes = ThemeCatalog(environment: options.environment)
    if let name {
      guard let bytes = themes.file(of: name) else {
        _ = try options.theme(name)
        throw .missing("no theme “\(SafeText(name))”; “today themes” lists them")
      }
      StandardStreams.write(bytes)
      return .success
    }
    let chosen = options.readSettings().screen.theme
    var rows: [[String]] = []
    var isWrong = false
    for id in themes.ids {
      switch themes.theme(id) {
      case .found(let theme):
        let background = theme.background == nil ? "the terminal's background" : "its background"
        let mark = id == chosen ? "  in use" : ""
        rows.append([id, theme.isDark ? "dark" : "light", background + mark])
      case .broken(let problems):
        isWrong = true
        for problem in problems { StandardStreams.writeError(problem.string) }
      case .missing: break
      }
    }
    TextTable(rows).write()
    return isWrong ? .failure : .success
  }
}
