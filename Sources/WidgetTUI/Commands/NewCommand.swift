import FoundationEssentials
import WidgetHost
import WidgetKitCore
import WidgetTesting

/// `today new NAME --language L`: makes a widget that can be shown and tested, as an example to change.
struct NewCommand: Command {
  private var name = ""
  private var language: WidgetLanguage?
  private var identifier: String?
  private var package: String?
  private var folder: String

  init(_ reader: inout ArgumentReader, _ options: CommonOptions) throws(CommandError) {
    var options = options
    folder = FileManager.default.currentDirectoryPath
    while let argument = reader.next() {
      if try options.take(argument, from: &reader) { continue }
      switch argument {
      case "--language": language = try reader.choice(of: argument)
      case "--identifier": identifier = try reader.value(of: argument)
      case "--package": package = try Self.package(try reader.value(of: argument))
      default:
        guard !argument.hasPrefix("-") else { throw reader.unknown(argument) }
        guard name.isEmpty else { throw .usage("expected one name; see “today help new”") }
        name = argument
      }
    }
    guard !name.isEmpty else { throw .usage("expected a name; see “today help new”") }
    guard language != nil else {
      throw .usage("expected --language swift, python, sh or script; see “today help new”")
    }
  }

  /// A path is made absolute, so that it is valid wherever the package is built.
  private static func package(_ text: String) throws(CommandError) -> String {
    guard !WidgetDependency.isURL(text) else {
      guard WidgetDependency.namesRepository(text) else {
        throw .usage("--package \(text): expected the URL of a repository, or a path")
      }
      return text
    }
    guard let path = NamedBundles.absolute(text) else {
      throw .missing("--package \(text): no such folder; expected a path or a URL")
    }
    guard NamedBundles.absolute("\(path)/Package.swift") != nil else {
      throw .missing(
        "--package \(text): no Package.swift in it; expected a package with WidgetKitCore"
      )
    }
    return path
  }

  func run() async throws(CommandError) -> ExitCode {
    guard let language else { return .usage }
    let template: WidgetTemplate
    do throws(HarnessFailure) {
      template = try WidgetTemplate(
        name: name,
        language: language,
        identifier: identifier,
        share: ShareFolder.path,
        package: package
      )
    } catch {
      throw .usage(error.description)
    }
    do throws(HarnessFailure) {
      for made in try template.write(to: folder) {
        StandardStreams.writeLine(SafeText(made).onOneLine)
      }
    } catch {
      throw .failure(error.description)
    }
    return .success
  }
}
