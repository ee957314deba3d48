import Notices
import WidgetCards
import WidgetExtensions
import WidgetKitCore
import WidgetPages

/// What a terminal is and can show, as it has said itself, and what the user has set.
struct TerminalFeatures {
  let kind: TerminalKind
  let isUTF8: Bool
  /// The colours that it has, and how they look.
  private(set) var theme: Theme
  private(set) var graphics: TerminalGraphics
  var modes: TerminalModes
  private var background: TerminalBackground
  private var settings = ScreenSettings()
  /// How it shows notifications.
  private(set) var identity: TerminalIdentity
  private var wasAskedForIdentity = false
  /// Whether it has said that it shows frames as a whole.
  private(set) var showsFramesWhole = false

  init(
    _ kind: TerminalKind,
    isUTF8: Bool,
    depth: ColorDepth,
    _ environment: [String: String]
  ) {
    identity = TerminalIdentity(environment: environment)
    (self.kind, self.isUTF8) = (kind, isUTF8)
    theme = Theme(depth: depth, isDark: kind.isDark)
    graphics = TerminalGraphics(kind, isUTF8: isUTF8)
    modes = TerminalModes(kind)
    background = TerminalBackground(kind)
  }

  /// The characters to draw with.
  var glyphs: GlyphSet { settings.glyphs(onTerminal: kind.glyphs(isUTF8: isUTF8)) }

  /// Whether it has links, which are those that answer questions.
  var hasLinks: Bool { kind.answersQuestions && isUTF8 }

  /// What the pictures of widgets are drawn with; nil as long as the terminal may still tell.
  var imageLook: ImageLook? {
    if graphics.method != nil {
      let cell = graphics.cellPixels
      return .pixels(cellWidth: cell.width, cellHeight: cell.height)
    }
    guard !graphics.isUndecided(at: .now) else { return nil }
    return .symbols(colors: theme.depth.rawValue, glyphs)
  }

  /// Uses the characters and the colours that the user set; returns whether there are others.
  mutating func adopt(_ settings: ScreenSettings) -> Bool {
    self.settings = settings
    return show(settings.theme(onTerminal: background.isDark))
  }

  private mutating func show(_ definition: ThemeDefinition) -> Bool {
    guard definition != theme.definition else { return false }
    theme.definition = definition
    return true
  }

  /// Takes over what the terminal says of itself; returns whether its background has another theme.
  mutating func take(_ report: TerminalReport) -> Bool {
    graphics.take(report)
    identity.take(report)
    if case .wholeFrames(let isWhole) = report { showsFramesWhole = isWhole }
    guard background.take(report), settings.definition == nil else { return false }
    _ = show(settings.theme(onTerminal: background.isDark))
    return true
  }

  /// Takes over the pixels of a cell, which change with the font.
  mutating func take(_ cell: CellPixels?) { graphics.take(cell) }

  /// What is sent behind a picture: requests for reports, and questions, the last of which every terminal
  /// answers.
  mutating func questions(_ session: TerminalSession) -> [UInt8] {
    // The background matters only where the theme follows it.
    let asksBackground = settings.definition == nil && theme.depth > .none
    let first = asksBackground ? background.question(at: .now) : []
    let requests = modes.requests(session.keyboard)
    let second = graphics.question(at: .now)
    let third = identityQuestions()
    guard !first.isEmpty || !second.isEmpty || !third.isEmpty else { return requests }
    session.answers.wereAsked(at: .now)
    return first + requests + third
      + (second.isEmpty ? Array(TerminalAnswers.lastQuestion.utf8) : second)
  }

  /// Questions for the way in which the terminal shows notifications and frames; empty if they were sent before.
  private mutating func identityQuestions() -> [UInt8] {
    guard kind.answersQuestions, !wasAskedForIdentity else { return [] }
    wasAskedForIdentity = true
    return Array((TerminalIdentity.questions + TerminalReport.wholeFramesQuestion).utf8)
  }

  /// What is sent when the terminal is left, which may be another one when it is used again.
  mutating func farewell(_ keyboard: Keyboard) -> [UInt8] {
    let bytes = modes.farewell(keyboard) + background.farewell
    background.forget()
    graphics.forget()
    wasAskedForIdentity = false
    (identity.version, identity.hasKittyNotifications) = (nil, false)
    showsFramesWhole = false
    return bytes
  }
}

nonisolated extension TerminalIdentity {
  /// Takes over what the terminal says of itself.
  mutating func take(_ report: TerminalReport) {
    switch report {
    case .version(let version): self.version = version
    case .notifications: hasKittyNotifications = true
    case .background, .appearance, .focus, .graphics, .attributes, .wholeFrames, .position,
      .cellPixels:
      break
    }
  }
}
