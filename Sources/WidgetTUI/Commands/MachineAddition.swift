import PageRecords
import WidgetExtensions
import WidgetKitCore
import WidgetPages
import WidgetPlatform

/// Adds widgets of other machines to a page: `HOST:ID`.
struct MachineAddition {
  private let book: PageBook
  private let span: Int?
  private let names: HostNames

  init(_ options: CommonOptions, _ book: PageBook, _ span: Int?) {
    (self.book, self.span) = (book, span)
    names = HostNames(
      UserConfiguration(environment: options.environment, commands: KeyMap.standard.names)
        .settings.hosts
    )
  }

  /// Whether a name on the command line is that of a widget on another machine.
  ///
  /// One that is a widget or an instance here is that.
  func isOfMachine(_ name: String) -> Bool {
    guard let parts = Self.parts(name) else { return false }
    let host = parts.host.description
    return host.contains("@") || names.machines[host] != nil && book.catalog.match(host) == .none
  }

  /// Refuses names of the form `HOST:ID` whose host is none, which would be an instance of a widget of this machine.
  ///
  /// - Throws: ``CommandError`` with `usage` that says how a machine is named.
  func check(_ added: [String]) throws(CommandError) {
    for name in added where !isOfMachine(name) && book.catalog.match(name) == .none {
      guard let (host, widget) = Self.parts(name), book.catalog.match(host.description) == .none,
        book.catalog.match(widget) != .none
      else { continue }
      throw .usage(
        "“\(SafeText(host.description))” is not a machine; name it in “hosts” of config.json, or write me@\(SafeText(host.description))"
      )
    }
  }

  /// The machine and the widget of `HOST:ID`; nil for a text of another form.
  private static func parts(_ name: String) -> (host: RemoteDestination, widget: String)? {
    guard let colon = name.firstIndex(of: ":"),
      let host = RemoteDestination(String(name[..<colon]))
    else { return nil }
    return (host, String(name[name.index(after: colon)...]))
  }

  /// What adds widgets of which all are on other machines.
  ///
  /// - Throws: ``CommandError`` if one of them is not installed here, or is on a page already.
  func changes(_ added: [String], to page: PageName?) throws(CommandError) -> [PageChange] {
    var changes: [PageChange] = []
    for name in added {
      guard let (host, widget) = Self.parts(name), isOfMachine(name) else {
        throw .usage(
          "“\(SafeText(name))” is not a widget of another machine; add it with a command of its own"
        )
      }
      var id = try book.catalog.requiredOne(widget)
      guard id.instance == nil, let instance = InstanceName(rawValue: host.machine) else {
        throw .usage("“\(SafeText(name))”: expected HOST:ID, with a host such as me@nas")
      }
      id.instance = instance
      if case .position(_, let other)? = book.place(of: id) {
        throw .failure("“\(id)” is already on the page “\(other)”")
      }
      changes += [.add(id, page: page), .host(id, host.description)]
      if let span { changes.append(.span(id, span)) }
    }
    return changes
  }
}
