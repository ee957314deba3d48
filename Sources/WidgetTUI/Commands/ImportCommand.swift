import FoundationEssentials
import WidgetHost
import WidgetKitCore

/// `today import`: makes cards of the modules in the configuration of another program.
struct ImportCommand: Command {
  /// The programs whose configuration is read.
  private enum Source: String, CaseIterable {
    case waybar
    case i3blocks
  }

  private let options: CommonOptions
  private let source: Source
  private let path: String
  private var isDryRun = false

  /// The longest file that is read.
  private static let byteLimit = 1 << 20

  init(_ reader: inout ArgumentReader, _ options: CommonOptions) throws(CommandError) {
    var options = options
    var words: [String] = []
    while let argument = reader.next() {
      if try options.take(argument, from: &reader) { continue }
      if argument == "--dry-run" {
        isDryRun = true
      } else if argument.hasPrefix("-") {
        throw reader.unknown(argument)
      } else {
        words.append(argument)
      }
    }
    let names = Source.allCases.map(\.rawValue).joined(separator: " or ")
    guard words.count == 2, let source = Source(rawValue: words[0]) else {
      throw .usage("expected \(names), and the path of its configuration")
    }
    self.options = options
    self.source = source
    path = words[1]
  }

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
