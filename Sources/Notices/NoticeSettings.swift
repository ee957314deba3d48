/// What config.json sets about notices.
public struct NoticeSettings: Hashable, Sendable {
  /// For how many days notices are kept.
  public var days = 30
  /// How many notices are kept.
  public var count = 10_000
  /// The applications of whose notices neither title nor body is stored.
  public var privateApplications: [String] = []
  /// How long a command takes at least for `today hook` to tell of its end.
  public var hookTime: Duration = .seconds(30)
  /// What is done with notices of some kinds; the first one that fits a notice counts.
  public var rules: [NoticeRule] = []
  /// The ways in which a person is told, in the order in which they are tried.
  public var ways = NoticeWay.allCases
  /// The sequence with which the terminal shows a notice.
  public var terminal = NoticeTerminalChoice.automatic

  /// Whether notices of the desktop are stored while a page is open.
  public var includesDesktop = true
  /// Whether notices of the desktop are taken where no other program takes them.
  public var ownsDesktop = false
  /// Whether notices of the machines of a page are stored while it is open.
  public var includesHosts = true

  /// Creates the defaults.
  public init() {}

  /// Whether the texts of an application are not stored; upper and lower case are the same.
  package func isPrivate(_ application: String) -> Bool {
    let name = application.lowercased()
    return privateApplications.contains { $0.lowercased() == name }
  }
}
