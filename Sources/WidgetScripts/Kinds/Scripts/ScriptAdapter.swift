import FoundationEssentials
import WidgetKitCore
import WidgetPlatform

/// Makes views of what scripts of one format print, and knows what a press on such a view does.
///
/// A new format is a type that conforms to this protocol, in a folder of its own, and a line in
/// ``ScriptProgram/adapter``. An adapter starts nothing and waits for nothing.
protocol ScriptAdapter {
  /// Returns the variables that the host of its format sets, from what the widget receives at its start.
  func variables(_ request: InitializeRequest) -> [String: String]

  /// Begins a run: nothing was printed yet.
  mutating func begin()

  /// Takes what the run has printed, however it is cut.
  mutating func append(_ bytes: [UInt8])

  /// Takes the last lines that the run has written on standard error, when it has ended.
  mutating func appendErrors(_ lines: [SafeText])

  /// What is shown now.
  ///
  /// - Parameters:
  ///   - end: How the run has ended; nil while it goes on.
  ///   - now: The time, for rates.
  /// - Returns: A picture, a failure, or nothing yet.
  mutating func content(_ end: TerminationStatus?, at now: ContinuousClock.Instant) -> ScriptContent

  /// What makes the content of a run that has ended, if that can take long; it is called on another thread.
  ///
  /// - Parameter end: How the run has ended; nil while it goes on.
  /// - Returns: The work; nil if ``content(_:at:)`` is to be called, which waits for nothing.
  func task(_ end: TerminationStatus?) -> (@Sendable () -> ScriptContent)?

  /// The background is dark from now on, or is not; before this is called, it is dark.
  mutating func appearanceDidChange(isDark: Bool)

  /// What a press on an element with this action does.
  mutating func press(_ action: String) -> ScriptPress

  /// The signals with which the program is paused and continued; nil for SIGSTOP and SIGCONT.
  var pauseSignals: PauseSignals? { get }

  /// What has been printed in this run as parts, each of which can be a card of its own; nil if nothing was, or it has
  /// no parts.
  var parts: [ScriptPart]? { get }
}

extension ScriptAdapter {
  func variables(_ request: InitializeRequest) -> [String: String] { [:] }
  mutating func appendErrors(_ lines: [SafeText]) {}
  func task(_ end: TerminationStatus?) -> (@Sendable () -> ScriptContent)? { nil }
  mutating func appearanceDidChange(isDark: Bool) {}
  mutating func press(_ action: String) -> ScriptPress { .refresh }
  var pauseSignals: PauseSignals? { nil }
  var parts: [ScriptPart]? { nil }
}

/// A part of what a script has printed.
struct ScriptPart: Hashable, Sendable {
  var block: ScriptBlock
  var picture: ScriptPicture
}

/// The signals that a program wants in place of SIGSTOP and SIGCONT.
struct PauseSignals: Hashable, Sendable {
  /// 0 for none; nil for SIGSTOP.
  var stop: Int32?
  /// 0 for none; nil for SIGCONT.
  var resume: Int32?
}

/// What a script has to show.
enum ScriptContent: Hashable, Sendable {
  case picture(ScriptPicture)
  /// It goes on, and what it has printed is not complete yet.
  case nothing
  /// The update has failed, and the picture stays.
  case failure(String)

  /// A run that ended with another status than 0; nil for all others.
  static func failure(_ end: TerminationStatus?) -> ScriptContent? {
    guard let end, end != .exited(0) else { return nil }
    return .failure("\(end)")
  }
}

/// A view of a script, and the number that it is about.
struct ScriptPicture: Hashable, Sendable {
  var view: ViewNode
  /// What is kept as history, has thresholds, and gives an alert; nil if there is none.
  var number: Double?

  /// Creates the picture of what was printed, which may be more than a view can have; ``FittedView`` cuts it.
  init(view: ViewNode, number: Double? = nil) {
    (self.view, self.number) = (view, number)
  }
}

/// What a press on the view of a script does.
enum ScriptPress: Hashable, Sendable {
  /// The script runs again.
  case refresh
  /// The script runs again, with these variables besides.
  case refreshWith([String: String])
  /// A command runs.
  case command(ScriptCommand)
  /// The script, which goes on, reads this.
  case input([UInt8])
}

/// A command that the output of a script names.
package struct ScriptCommand: Codable, Hashable, Sendable {
  /// The program and its arguments; a program without a slash is looked for in `PATH`, and one with one is
  /// relative to the folder of the script.
  package var words: [String]
  /// Whether it uses the terminal.
  var terminal = false
  /// Whether the script runs again when it has ended.
  var refresh = false

  /// What the action of an element begins with that runs a command.
  private static let prefix = "run "

  /// The action of an element that runs it.
  ///
  /// It has all of the command, so that a press on an old picture never runs another one.
  var action: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // Texts and flags can always be written.
    let bytes = (try? encoder.encode(self)) ?? Data()
    return Self.prefix + String(decoding: bytes, as: UTF8.self)
  }

  /// The command of an action; nil if it has none.
  package init?(action: String) {
    guard action.hasPrefix(Self.prefix) else { return nil }
    let bytes = Data(action.utf8.dropFirst(Self.prefix.utf8.count))
    guard let command = try? JSONDecoder().decode(ScriptCommand.self, from: bytes) else {
      return nil
    }
    self = command
  }

  init(_ words: [String], terminal: Bool = false, refresh: Bool = false) {
    self.words = words
    self.terminal = terminal
    self.refresh = refresh
  }
}

/// All that a run has printed, up to what it may print; more comes only from one that keeps printing.
struct ScriptBuffer {
  private static let byteLimit = 256 * 1024

  private(set) var bytes: [UInt8] = []

  mutating func begin() { bytes = [] }

  mutating func append(_ more: [UInt8]) {
    bytes += more.prefix(max(0, Self.byteLimit - bytes.count))
  }
}
