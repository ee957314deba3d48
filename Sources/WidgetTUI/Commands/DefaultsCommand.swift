import FoundationEssentials
import WidgetHost
import WidgetKitCore

/// `today defaults`: reads and changes the values that apps, widgets and scripts share.
struct DefaultsCommand: Command {
  private enum Action {
    case read(key: String?)
    case write(key: String, DefaultsValue)
    case delete(key: String?)
  }

  private let options: CommonOptions
  private let suite: String
  private let action: Action

  init(_ reader: inout ArgumentReader, _ options: CommonOptions) throws(CommandError) {
    var options = options
    var words: [String] = []
    var isText = false
    while let argument = reader.next() {
      // A value may begin with a dash: -1. Options of all commands are none, wherever they stand.
      let isValue = words.count == 3 && words.first == "write" && argument != "--string"
      let isOption = !isValue || argument.hasPrefix("--")
      if isOption, try options.take(argument, from: &reader) { continue }
      switch argument {
      case "--string": isText = true
      case _ where argument.hasPrefix("--") && !isValue: throw reader.unknown(argument)
      default: words.append(argument)
      }
    }
    self.options = options
    guard words.count > 1 else { throw Self.usage }
    suite = words[1]
    switch (words[0], words.count) {
    case ("read", 2): action = .read(key: nil)
    case ("read", 3): action = .read(key: words[2])
    case ("delete", 2): action = .delete(key: nil)
    case ("delete", 3): action = .delete(key: words[2])
    case ("write", 4): action = .write(key: words[2], Self.value(words[3], isText: isText))
    default: throw Self.usage
    }
    guard !isText || words[0] == "write" else { throw reader.unknown("--string") }
    if words.count > 2, let fault = DefaultsFile.fault(ofKey: words[2]) { throw .usage(fault) }
  }

  private static let usage = CommandError.usage(
    "expected read SUITE [KEY], write SUITE KEY VALUE, or delete SUITE [KEY]; see “today help defaults”"
  )

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
