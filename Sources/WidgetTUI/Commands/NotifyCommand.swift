import WidgetExtensions
import WidgetKitCore
import WidgetPlatform

/// `today notify NAME`: posts a notification to the widgets of an app group, or forgets its name.
struct NotifyCommand: Command {
  static let name = "notify"
  static let syntax = CommandSyntax<NotifyCommand>(
    name,
    "post a notification to the widgets of an app group",
    expected: "one name",
    forms: ["NAME", "--remove NAME"],
    details: """
      Posts a notification to the widgets of an app group. NAME begins with the group, for example
      group.com.example.sheet.changed. Widgets that observe it and run hear it at once, suspended
      ones when they continue. It is a hint: nothing is kept for a widget that does not run.
      """,
    operands: [.one("NAME", .text, \.name)],
    options: [
      .flag("--remove", \.removes): """
      forget the name, which is remembered with the number of its posts; widgets that observe it \
      hear the next post
      """
    ],
    notes: """
      Of each group 256 names are remembered; then the one that was not posted for the longest time is
      forgotten. A name is also forgotten when a widget stops observing it.
      """
  )

  var options = CommonOptions()
  private var name = ""
  private var removes = false

  func validate() throws(CommandError) {
    if let fault = SharedNotices.fault(ofName: name) {
      throw .usage("“\(SafeText(name))”: \(fault)")
    }
  }

  func run() async throws(CommandError) -> ExitCode {
    let names = SharedDataNames(options)
    guard let group = SharedNotices.group(of: name, among: names.groups) else {
      throw .missing(names.unknownGroup(name))
    }
    guard !removes else {
      guard SharedNotices(names.folders).remove(name, inGroup: group) else {
        throw .missing("“\(SafeText(name))” was not posted, or is forgotten already")
      }
      return .success
    }
    do throws(HostError) {
      try SharedNotices(names.folders).post(name, inGroup: group)
    } catch {
      throw .failure(error.description)
    }
    return .success
  }
}
