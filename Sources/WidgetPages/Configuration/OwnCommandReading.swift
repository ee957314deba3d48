import WidgetExtensions
import WidgetKitCore
import WidgetPlatform

/// Reads a command of the user on a key: `{ run: ["ssh", "nas"], terminal: true }`.
nonisolated enum OwnCommandReading {
  private static let words = SettingKind<[String]>.list(of: .text(upTo: 4096), "texts", upTo: 100)
  private static let title = SettingKind<String>.text(upTo: 100)
  private static let members = ["run", "terminal", "title", "when"]

  static func command(
    _ members: [JSONTree.Member],
    _ path: MemberPath
  ) throws(SettingFault) -> OwnCommand {
    var run: JSONTree?
    var command = OwnCommand([])
    for member in members.sorted(by: { $0.name < $1.name }) {
      let place = path.member(member.name)
      switch member.name {
      case "run": run = member.value
      case "terminal":
        command.usesTerminal = try SettingKind<Bool>.truth.value(member.value, place)
      case "title": command.title = SafeText(try title.value(member.value, place))
      case "when": command.widget = try widget(member.value, place)
      default:
        let nearest = NearName.nearest(to: member.name, among: Self.members)
        throw SettingFault(
          path: place,
          expectation: "run, terminal, title or when"
            + (nearest.map { " (did you mean “\($0)”?)" } ?? ""),
          isOfName: true
        )
      }
    }
    guard let run else {
      throw SettingFault(
        path: path,
        expectation:
          "the member run with the program and its arguments: { run: [\"ssh\", \"nas\"] }"
      )
    }
    command.words = try words.value(run, path.member("run"))
    try check(command.words, path.member("run"))
    return command
  }

  /// The identifier of a widget, or `ID:NAME`.
  private static func widget(_ value: JSONTree, _ path: MemberPath) throws(SettingFault) -> String {
    guard case .string(let text) = value, SettingTable.isCard(text) else {
      throw SettingFault(
        path: path,
        expectation: "the identifier of a widget such as org.today.Clock, or ID:NAME"
      )
    }
    return text
  }

  private static func check(_ words: [String], _ path: MemberPath) throws(SettingFault) {
    for (index, word) in words.enumerated() {
      let places = word.split(
        separator: OwnCommand.Place.beginning,
        omittingEmptySubsequences: false
      )
      let isKnown = places.dropFirst().allSatisfy { rest in
        OwnCommand.Place.allCases.contains {
          rest.hasPrefix($0.rawValue.dropFirst(OwnCommand.Place.beginning.count))
        }
      }
      guard isKnown else {
        throw SettingFault(path: path.element(index), expectation: OwnCommand.Place.list)
      }
      // Which program runs is not for a row to say.
      guard index > 0 || places.count == 1 else {
        throw SettingFault(path: path.element(0), expectation: "a program, without a part of a row")
      }
    }
  }
}
