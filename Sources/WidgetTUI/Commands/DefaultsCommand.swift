import FoundationEssentials
import WidgetExtensions
import WidgetKitCore
import WidgetPlatform

/// `today defaults`: reads and changes the values that apps, widgets and scripts share.
struct DefaultsCommand: Command {
  private enum Action {
    case read(key: String?)
    case write(key: String, DefaultsValue)
    case delete(key: String?)
  }

  static let name = "defaults"
  static let syntax = CommandSyntax<DefaultsCommand>(
    name,
    "values that apps, widgets and scripts share",
    expected: "read SUITE [KEY], write SUITE KEY VALUE, or delete SUITE [KEY]",
    forms: ["read SUITE [KEY]", "write SUITE KEY VALUE [--string]", "delete SUITE [KEY]"],
    details: """
      Reads and changes values that apps, widgets and scripts share. SUITE is an app group, such as
      group.com.example.sheet, or the identifier of a widget or an app, for its own values.

      VALUE is JSON: 7, true, [1, 2], {"a": 1}. Any other VALUE is a text; with --string,
      every VALUE is. Without KEY all values are printed as JSON, or deleted. A value is on the disk when
      the command ends, and running widgets are notified.

      Exit status: 66 if there is no such suite or value, 75 if another program locks the values.
      """,
    operands: [
      .rest(
        "read|write|delete SUITE [KEY [VALUE]]",
        .text(.words(["read", "write", "delete"])),
        \.words
      )
    ],
    options: [
      .flag("--string", \.isText): "VALUE is a text, even if it is JSON"
    ],
    isWord: { argument, words in
      // A value may begin with a dash: -1.
      words.count == 3 && words.first == "write" || !argument.hasPrefix("--")
    }
  )

  var options = CommonOptions()
  private var words: [String] = []
  private var isText = false
  private var suite = ""
  private var action = Action.read(key: nil)

  mutating func validate() throws(CommandError) {
    guard words.count > 1 else { throw Self.misused }
    suite = words[1]
    switch (words[0], words.count) {
    case ("read", 2): action = .read(key: nil)
    case ("read", 3): action = .read(key: words[2])
    case ("delete", 2): action = .delete(key: nil)
    case ("delete", 3): action = .delete(key: words[2])
    case ("write", 4): action = .write(key: words[2], Self.value(words[3], isText: isText))
    default: throw Self.misused
    }
    guard !isText || words[0] == "write" else { throw Self.unknown("--string") }
    if words.count > 2, let fault = DefaultsFile.fault(ofKey: words[2]) { throw .usage(fault) }
  }

  /// A value of the command line: JSON, or otherwise a text.
  private static func value(_ text: String, isText: Bool) -> DefaultsValue {
    guard !isText,
      let value = try? JSONDecoder().decode(DefaultsValue.self, from: Data(text.utf8))
    else { return .string(text) }
    return value
  }

  func run() async throws(CommandError) -> ExitCode {
    let file = try SharedDataNames(options).defaults(of: suite)
    switch action {
    case .read(nil): write(.object(try read(file)))
    case .read(let key?):
      guard let value = try read(file)[key] else {
        throw .missing("\(suite) has no value of “\(SafeText(key))”")
      }
      write(value)
    case .write(let key, let value): try change(file, [key: value])
    case .delete(let key?): try change(file, [key: nil])
    case .delete(nil): try change(file, read(file).mapValues { _ in nil })
    }
    return .success
  }

  private func read(_ file: DefaultsFile) throws(CommandError) -> [String: DefaultsValue] {
    try CommandError.from { () throws(HostError) in try file.read() }
  }

  private func change(
    _ file: DefaultsFile,
    _ values: [String: DefaultsValue?]
  ) throws(CommandError) {
    try CommandError.from { () throws(HostError) in try file.write(values) }
  }

  private func write(_ value: DefaultsValue) {
    if let text = value.string { return StandardStreams.writeLine(SafeText(text)) }
    StandardStreams.writeJSON(value)
  }
}
