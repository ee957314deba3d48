import WidgetTestSupport

extension TestWorld {
  /// Opens an interactive shell in which `sh page` runs the dashboard, and `sh script` a script that runs it.
  func openShell(columns: Int = 80, rows: Int = 24) throws -> PseudoTerminal {
    let program = today()
    let command = ([program.path] + program.arguments).map { "'\($0)'" }.joined(separator: " ")
    try write("exec \(command)\n", to: "\(path)/page")
    try write("\(command)\necho after the page\n", to: "\(path)/script")
    var environment = program.environment
    environment["PS1"] = "ready> "
    let shell = ProgramDescription(
      "/bin/bash",
      ["--norc", "--noprofile", "-i"],
      environment: environment,
      directory: path
    )
    let terminal = try PseudoTerminal(shell, columns: columns, rows: rows)
    try terminal.waitForText("ready>")
    return terminal
  }
}
