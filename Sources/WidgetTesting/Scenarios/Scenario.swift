import FoundationEssentials
import WidgetKitCore

/// What an author expects of an extension, step by step: a file `Tests/NAME.json` in its bundle.
nonisolated struct Scenario: Sendable {
  /// The name in the report.
  var name: String
  /// The settings of the widget; nil for their defaults.
  var configuration: ScenarioSettings?
  /// The time at which it begins; nil for that of the harness.
  var now: Date?
  /// The user's locale; nil for that of the harness.
  var locale: String?
  /// The user's zone; nil for that of the harness.
  var timeZone: String?
  var steps: [Step] = []

  /// A step, and where it is in the file.
  struct Step: Sendable {
    /// `Tests/counts.json:7:5`.
    var place: String
    var action: Action
  }

  /// What is done in a step.
  enum Action: Sendable {
    case appear(width: Int?)
    case disappear
    case update(UpdateReason)
    case press(String)
    case type(field: String?, text: String, submits: Bool)
    case row(WidgetHarness.RowChange, String)
    case edit(Bool)
    case expand(Bool)
    case lock(Bool)
    case hide(Bool)
    case theme(isDark: Bool)
    case configure(ScenarioSettings)
    case advance(Duration)
    case answerURLs(Bool)
    case denyActivities(Bool)
    case post(String)
    /// An application posts a notice.
    case notice(PostedNotice, application: String)
    case deliver(HandleEventsForBackgroundURLSessionRequest)
    case warnOfMemory
    case kill
    /// A request to a share extension or an action begins.
    case request(HarnessContent, options: [String: String])
    case choose(item: String, value: String?)
    /// Post or Cancel is pressed.
    case select(RequestButton)
    case back
    case expect(Expectation)
  }

  /// A button that the host draws beside a sheet or a view.
  enum RequestButton: String, CaseIterable, Sendable {
    case post
    case cancel
  }

  /// What is expected after the steps before it.
  struct Expectation: Sendable {
    /// The result of the last update.
    var result: UpdateResult?
    /// A part of the error of the last update.
    var error: String?
    /// The rows of the body.
    var height: Int?
    /// Texts on the card, each within a row.
    var contains: [String] = []
    /// Texts that are not on the card.
    var lacks: [String] = []
    /// The name of the file with the cells.
    var golden: String?
    /// The widths at which the cells are compared; the present one if there are none.
    var widths: [Int] = []
    /// Whether the card is shown.
    var shown: Bool?
    /// Methods that the widget has sent since the last expectation, in this order; empty for none.
    var sent: [String]?
    /// The files that were written since the last expectation: `data/notes.txt`.
    var written: [String]?
    /// The URLs that were opened since the last expectation.
    var opened: [String]?
    /// What the user was told since the last expectation.
    var alerts: [String]?
    /// A part of a line of the log.
    var log: String?
    /// How the request has ended: `completed`, `cancelled`, `failed`, or `none` while it goes on.
    var outcome: String?
    /// The texts that the request has returned.
    var returned: [String]?
    /// The types of what the request has returned.
    var types: [String]?
    /// Whether the content can be posted.
    var valid: Bool?
    /// The count of characters beside the text.
    var remaining: Int?
  }
}

nonisolated extension Scenario {
  /// The world in which it is played: that of the test, and what the scenario says comes first.
  func world(_ options: HarnessOptions) -> HarnessOptions {
    var options = options
    options.configuration = configuration?.json ?? "{}"
    options.now = now ?? options.now
    options.locale = locale ?? options.locale
    options.timeZone = timeZone ?? options.timeZone
    return options
  }
}

nonisolated extension Scenario {
  /// What is wrong with the settings at the start, at its place in the file; any other failure is returned as it is.
  func located(_ failure: HarnessFailure) -> HarnessFailure {
    configuration?.located(failure) ?? failure
  }
}

nonisolated extension Scenario.Action {
  /// Whether it is for share extensions and actions alone.
  var isOfRequest: Bool {
    switch self {
    case .request, .choose, .select, .back: true
    default: false
    }
  }

  /// Whether it is for widgets alone.
  var isOfWidget: Bool {
    switch self {
    case .appear, .disappear, .update, .row, .edit, .expand, .lock, .hide, .theme, .answerURLs,
      .post, .notice, .warnOfMemory:
      true
    default: false
    }
  }
}

nonisolated extension Scenario.Expectation {
  /// Whether it has a member that is of requests alone.
  var isOfRequest: Bool {
    outcome != nil || returned != nil || types != nil || valid != nil || remaining != nil
  }

  /// Whether it has a member that is of widgets alone.
  var isOfWidget: Bool { result != nil || shown != nil }
}
