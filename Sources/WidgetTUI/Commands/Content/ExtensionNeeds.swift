import ExtensionContent
import Glibc
import WidgetExtensions
import WidgetKitCore
import WidgetPages
import WidgetPlatform

/// What extensions need before content is offered to them: programs, files, and values of their options.
struct ExtensionNeeds {
  let environment: [String: String]
  let settings: Settings
  /// The options that the user has given for this command.
  var given: [String: String] = [:]

  /// The first thing that an extension needs and does not have, in words; nil if there is none.
  func lack(of target: ContentExtension) -> String? {
    let lacking = target.requirements.first { requirement in
      !requirement.alternatives.contains { isThere($0, for: target) }
    }
    return lacking.map { "it needs \($0.words)" }
  }

  private func isThere(_ thing: Requirement.Alternative, for target: ContentExtension) -> Bool {
    switch thing {
    case .program(let name):
      // A bundle has the usual folders of programs, and no others.
      return ToolSearch.path(of: name, in: target.script == nil ? [:] : environment) != nil
    case .path(let path):
      return unsafe access(HomeFolder(environment).expanded(path), F_OK) == 0
    case .option(let name): return hasValue(name, of: target)
    }
  }

  private func hasValue(_ name: String, of target: ContentExtension) -> Bool {
    if let value = given[name] { return !value.isEmpty }
    if let script = target.script {
      return script.options.contains { $0.name == name && !$0.value.isEmpty }
    }
    let book = SettingsBook(
      WidgetBundle(target.bundle),
      ExtensionIdentity(target.identifier),
      file: settings.widgets,
      environment: environment
    )
    return book.hasValue(name)
  }
}
