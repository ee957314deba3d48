import WidgetHost
import WidgetKitCore

/// `today notify NAME`: posts a notification to the widgets of an app group, or forgets its name.
struct NotifyCommand: Command {
  private let options: CommonOptions
  private let name: String
  private let removes: Bool

  init(_ reader: inout ArgumentReader, _ options: CommonOptions) throws(CommandError) {
    var options = options
    var names: [String] = []
    var removes = false
    while let argument = reader.next() {
      if try options.take(argument, from: &reader) { continue }
      if argument == "--remove" {
        removes = true
        continue
      }
      guard !argument.hasPrefix("-") else { throw reader.unknown(argument) }
      names.append(argument)
    }
    guard names.count == 1, let name = names.first else {
      throw .usage("expected one name; see “today help notify”")
    }
    if let fault = SharedNotices.fault(ofName: name) {
      throw .usage("“\(SafeText(name))”: \(fault)")
    }
    self.options = options
    self.name = name
    self.removes = removes
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
