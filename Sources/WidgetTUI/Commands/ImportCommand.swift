import FoundationEssentials
import WidgetKitCore
import WidgetPlatform
import WidgetScripts

/// `today import`: makes cards of the modules in the configuration of another program.
struct ImportCommand: Command {
  /// The programs whose configuration is read.
  private enum Source: String, CaseIterable {
    case waybar
    case i3blocks
  }

  static let name = "import"
  static let syntax = CommandSyntax<ImportCommand>(
    name,
    "make cards of another program's modules",
    expected: "waybar or i3blocks, and the path of its configuration",
    details: """
      Makes cards of the custom modules in a configuration of Waybar, or of the blocks in one of i3blocks:
      a script for each in ~/.local/share/today/scripts, whose identifiers are printed. Scripts that were
      imported before are replaced. Problems are reported on standard error.
      """,
    operands: [.choice(\.source), .one("FILE", .path, \.path)],
    options: [
      .flag("--dry-run", \.isDryRun): "print the scripts, and write nothing"
    ],
    notes: """
      Exit status: 1 if there is nothing that can be a card, 66 if FILE cannot be read.
      """
  )

  var options = CommonOptions()
  private var source = Source.waybar
  private var path = ""
  private var isDryRun = false

  /// The longest file that is read.
  private static let byteLimit = 1 << 20

  func run() async throws(CommandError) -> ExitCode {
    guard let folder = WrittenScript.folder(options.environment) else {
      throw .unavailable("there is no home folder (HOME)")
    }
    guard let bytes = UserFile.bytes(path, byteLimit: Self.byteLimit) else {
      throw .missing("\(SafeText(path)) is not a readable file of at most 1 MiB")
    }
    let found: ImportedScripts
    do throws(ImportedScripts.Failure) {
      switch source {
      case .waybar:
        let folder = FileManager.default.currentDirectoryPath
        found = try ImportedScripts(
          waybar: bytes,
          path: path.hasPrefix("/") ? path : "\(folder)/\(path)",
          environment: options.environment,
          read: { UserFile.bytes($0, byteLimit: Self.byteLimit) }
        )
      case .i3blocks: found = try ImportedScripts(i3blocks: bytes, path: path)
      }
    } catch {
      throw .failure(error.description)
    }
    for script in found.scripts {
      if isDryRun {
        StandardStreams.writeLine(SafeText("# \(script.identifier)\n\(script.text)"))
      } else {
        try CommandError.from { () throws(HostError) in try script.write(to: folder) }
        StandardStreams.writeLine(SafeText(script.identifier))
      }
    }
    for remark in found.remarks { StandardStreams.writeError(remark.string) }
    guard found.scripts.isEmpty else { return .success }
    throw .failure("\(SafeText(path)) has no module that can be a card")
  }
}
