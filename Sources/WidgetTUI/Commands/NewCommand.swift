import FoundationEssentials
import WidgetKitCore
import WidgetTesting

extension ArgumentType where Value == String {
  /// The package with WidgetKitCore; a path is made absolute, so that it is valid wherever the package is built.
  fileprivate static var package: Self {
    Self(completion: .path) { argument throws(CommandError) in
      let (text, subject) = (argument.text, argument.subject)
      guard !WidgetDependency.isURL(text) else {
        guard WidgetDependency.namesRepository(text) else {
          throw argument.expected("the URL of a repository, or a path")
        }
        return text
      }
      guard let path = NamedBundles.absolute(text) else {
        throw .missing("\(subject): no such folder; expected a path or a URL")
      }
      guard NamedBundles.absolute("\(path)/Package.swift") != nil else {
        throw .missing(
          "\(subject): no Package.swift in it; expected a package with WidgetKitCore"
        )
      }
      return path
    }
  }
}

/// `today new NAME --kind K --language L`: makes an extension that works, as an example to change.
struct NewCommand: Command {
  static let name = "new"
  static let syntax = CommandSyntax<NewCommand>(
    name,
    "make a widget or another extension, as an example to change",
    expected: "a name",
    details: """
      Makes a widget in this folder that passes “today lint” and “today test” as it is: with settings, More and
      Less, and a scenario, as examples to change or delete. With --kind, makes a share extension or an action
      instead, which is a script without --language, or in Python if it has a view. Prints what was made.
      """,
    operands: [.one("NAME", .text, \.name)],
    options: [
      .choice("--kind", \.kind): """
      widget, which is a card and the default; share: a share extension; action: an action with a view, which \
      shows content and may change it; filter: one without, which returns what it makes of the content; \
      gallery: a registry of widgets for others, with its checks
      """,
      .value("--language \(WidgetLanguage.names)", .choice, \.language): """
      python and sh: the bundle NAME.widget or NAME.appex with the file of functions for the language; swift: the \
      package NAME, whose script “build” puts the program into its bundle; script: an executable file whose \
      output is the card, or what it makes of content. What there is for each kind, and the default, is in the table
      """,
      .value("--identifier ID", .text, \.identifier):
        "the identifier of the bundle; com.example.NAME without it",
      .value("--package PATH|URL", .package, \.package): """
      the Swift package with WidgetKitCore, instead of the one that is installed with today: its \
      folder, or the URL of its repository, with #TAG or #BRANCH if it is not the branch main
      """,
    ],
    notes: """
      \(languages)

      NAME is a letter, then at most 63 letters and digits. Nothing is overwritten.
      """
  )

  var options = CommonOptions()
  private var name = ""
  private var kind = TemplateKind.widget
  private var language: WidgetLanguage?
  private var identifier: String?
  private var package: String?

  /// The kinds by their languages, of which one is what is made without `--language`.
  private static var languages: String {
    let languages = WidgetLanguage.allCases
    let heading = ["kind"] + languages.map(\.rawValue)
    // A registry is in no language.
    let rows = TemplateKind.allCases.filter { $0 != .gallery }.map { kind in
      [kind.rawValue]
        + languages.map { language in
          guard kind.languages.contains(language) else { return "–" }
          return language == kind.standardLanguage ? "default" : "yes"
        }
    }
    return TextTable([heading] + rows).lines.map { "  \($0)" }.joined(separator: "\n")
  }

  func validate() throws(CommandError) {
    guard !name.isEmpty else { throw Self.misused }
    guard let language = language ?? kind.standardLanguage else {
      throw Self.misused("expected --language swift, python, sh or script")
    }
    if let refusal = kind.refusal(of: language) { throw Self.misused(refusal) }
  }

  func run() async throws(CommandError) -> ExitCode {
    guard let language = language ?? kind.standardLanguage else { return .usage }
    let template: WidgetTemplate
    do throws(HarnessFailure) {
      template = try WidgetTemplate(
        name: name,
        kind: kind,
        language: language,
        identifier: identifier,
        share: ShareFolder.path,
        package: package
      )
    } catch {
      throw .usage(error.description)
    }
    do throws(HarnessFailure) {
      for made in try template.write(to: FileManager.default.currentDirectoryPath) {
        StandardStreams.writeLine(SafeText(made).onOneLine)
      }
    } catch {
      throw .failure(error.description)
    }
    return .success
  }
}
