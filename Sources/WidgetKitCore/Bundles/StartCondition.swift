/// When a widget that comes with the program is on the page at first (`TodayStartsOnPage`).
package enum StartCondition: Hashable, Sendable {
  /// On every machine: true, or absent.
  case always
  /// Once the user has added it: false.
  case never
  /// Where the page is first opened in the working tree of a repository of git: `repository`.
  case repository
  /// On a machine with a battery: `battery`.
  case battery
  /// From the first notice on, also on a page that the user has arranged: `notices`.
  case notices

  /// Creates a condition from the value of a property list; nil if it is none.
  init?(_ value: PropertyValue) {
    switch (value.boolean, value.string) {
    case (true, _): self = .always
    case (false, _): self = .never
    case (_, "repository"): self = .repository
    case (_, "battery"): self = .battery
    case (_, "notices"): self = .notices
    default: return nil
    }
  }

  /// What a value may be, as an error has it.
  static let expectation = "true, false, \"repository\", \"battery\" or \"notices\""
}
