import FoundationEssentials
import WidgetCards
import WidgetKitCore
import WidgetSessions

/// The texts on the right of a card's heading, in longer and shorter forms.
nonisolated struct HeadingWords {
  private typealias Phrase = (text: SafeText, style: CellStyle)

  /// One form of the text.
  private struct Form {
    var phrases: [Phrase]
    /// Columns of the name that must stay visible; nil for all of them.
    var nameColumns: Int?
    /// The phrase that may be truncated, and to how many columns.
    var cut: (phrase: Int, columns: Int)?
  }

  /// Columns of a name that stay beside a less important text.
  private static let usualName = 8
  /// Columns of a name that is cut last; a longer one leaves no room for anything else.
  private static let wholeName = 16
  /// Columns of a truncated message beside a name that can be read.
  private static let usualMessage = 20
  /// Columns of a truncated message beside an age.
  private static let shortMessage = 12
  /// Columns of the reason for a problem, for which there is none rather than less.
  private static let someOfReason = 10

  /// What a message begins with that says nothing without its reason.
  private static let nothingSaid = "Unable to Load: "

  private var forms: [Form] = []
  private let card: Card
  private let frame: FrameGlyphs
  private let glyphs: GlyphSet
  private let quiet = CellStyle(foreground: .secondary)

  init(_ card: Card, now: Date, glyphs: GlyphSet, hasFocus: Bool) {
    self.card = card
    self.glyphs = glyphs
    frame = FrameGlyphs(glyphs)
    let age = card.ageDate.map { date in
      AgeWording.words(
        for: card.isKeptCurrent && !card.isOverdue ? 0 : now.timeIntervalSince(date),
        countsSeconds: card.countsSeconds
      )
    }
    if let cue = card.pressCue {
      let cue: Phrase = (cue, CellStyle(foreground: .accent))
      forms = [
        Form(phrases: [cue] + tail), Form(phrases: [cue]),
        Form(phrases: [cue], cut: (0, Self.usualName)),
        Form(phrases: [cue] + tail, nameColumns: Self.usualName),
      ]
    } else if let past = card.past {
      forms = Self.lookBack(past, now: now, frame)
    } else if card.asksForPermission {
      let word: Phrase = ("asks", CellStyle(foreground: .accent))
      forms = [Form(phrases: [word], nameColumns: Self.usualName)]
    } else if card.isInTrouble {
      forms = card.view == nil ? troubleWithoutPicture : trouble(age)
    } else if card.isUpdating {
      forms = updating(age)
    } else if let age, hasFocus || card.hasMissedUpdate || !card.isWithinInterval && age != "now" {
      // The age after a missed update is kept; an ordinary one is omitted before the name.
      let isKept = card.hasMissedUpdate
      forms = [Form(phrases: [(age, quiet)] + tail)]
      if !badge.isEmpty { forms.append(Form(phrases: [(age, quiet)] + separated(badge))) }
      forms.append(Form(phrases: [(age, quiet)]))
      forms.append(
        isKept
          ? Form(phrases: [(age, quiet)], nameColumns: shortName)
          : Form(phrases: arrow, nameColumns: Self.usualName)
      )
    } else {
      forms = [Form(phrases: arrow, nameColumns: Self.usualName)]
      if !badge.isEmpty { forms.insert(Form(phrases: badge + separated(arrow)), at: 0) }
    }
  }

  /// When an earlier content was made, and which one of those that are kept it is.
  private static func lookBack(_ past: CardPast, now: Date, _ frame: FrameGlyphs) -> [Form] {
    let quiet = CellStyle(foreground: .secondary)
    let time: Phrase = (AgeWording.moment(past.made, now: now), CellStyle(foreground: .accent))
    let place: Phrase = (SafeText("  \(past.number) of \(past.count)"), quiet)
    let brief = Form(phrases: [time], nameColumns: Self.usualName)
    return past.count == 0 ? [brief] : [Form(phrases: [time, place]), brief]
  }

  /// The arrow for “show more” or “show less”.
  private var arrow: [Phrase] {
    guard card.offersExpanded else { return [] }
    return [(card.displayMode == .compact ? frame.more : frame.less, quiet)]
  }

  /// That the sandbox is not the full one.
  private var badge: [Phrase] {
    card.isInPartialSandbox ? [(SafeText("partial sandbox"), quiet)] : []
  }

  private func separated(_ phrases: [Phrase]) -> [Phrase] {
    phrases.isEmpty ? [] : [(SafeText("  "), quiet)] + phrases
  }

  /// The badge of the sandbox and the arrow, with separators before them.
  private var tail: [Phrase] { separated(badge) + separated(arrow) }

  /// Columns of a name that distinguish cards if there is no room for more.
  private var shortName: Int { 4 }

  /// The symbol of an update in progress if there is no room for a word.
  private var mark: Phrase { (SafeText(frame.ellipsis.map(\.text).joined()), quiet) }

  private var dot: Phrase { (SafeText(" \(frame.dot) "), quiet) }

  /// The remedy: an update in progress, or what a press does.
  private var remedy: [Phrase] {
    if card.isUpdating { return [dot, (SafeText("updating"), quiet)] }
    guard card.state != .starting, !card.isForReaders else { return [] }
    return [dot, (SafeText("retry"), CellStyle(foreground: .accent))]
  }

  private func updating(_ age: SafeText?) -> [Form] {
    let word: Phrase = (SafeText("updating"), quiet)
    guard let age, age != "now" else {
      return [
        Form(phrases: [word] + tail), Form(phrases: [word]), Form(phrases: [mark]),
        Form(phrases: [word], nameColumns: shortName),
        Form(phrases: [mark], nameColumns: shortName),
      ]
    }
    let old: Phrase = (age, quiet)
    let blank: Phrase = (SafeText(" "), quiet)
    return [
      Form(phrases: [word, dot, old] + tail), Form(phrases: [word, dot, old]),
      Form(phrases: [mark, blank, old]), Form(phrases: [mark]),
      Form(phrases: [word, dot, old], nameColumns: shortName),
      Form(phrases: [mark, blank, old], nameColumns: shortName),
      Form(phrases: [old], nameColumns: shortName),
    ]
  }

  private var loud: CellStyle {
    CellStyle(foreground: card.state == .stopped ? .red : .orange)
  }

  /// A card without a view shows the message in its body, so the heading does not repeat it.
  private var troubleWithoutPicture: [Form] {
    let sign = Form(phrases: [(frame.warning, loud)], nameColumns: Self.usualName)
    guard card.state != .starting, !card.isForReaders else { return [sign] }
    let remedy: Phrase =
      card.isUpdating
      ? (SafeText(" updating"), quiet) : (SafeText(" retry"), CellStyle(foreground: .accent))
    return [Form(phrases: sign.phrases + [remedy], nameColumns: Self.usualName), sign]
  }

  /// The problem, the age of the content, and the remedy.
  private func trouble(_ age: SafeText?) -> [Form] {
    let old: SafeText? = age.flatMap { $0 == "now" ? nil : SafeText("\($0) old") }
    let what =
      card.message?.onOneLine ?? (card.state == .stopped ? SafeText("stopped") : nil)
      ?? (card.hasFailedUpdate ? SafeText("update failed") : old) ?? SafeText("failed")
    let first: [Phrase] = [(frame.warning, loud), (SafeText(" \(what)"), loud)]
    var since: [Phrase] = []
    var shortSince: [Phrase] = []
    if let age, let old, old != what {
      since = [dot, (old, quiet)]
      shortSince = [dot, (age, quiet)]
    }
    let short = shortName
    let blank: Phrase = (SafeText(" "), quiet)
    let full = [
      Form(phrases: first + since + remedy + tail), Form(phrases: first + since + remedy),
    ]
    // An update in progress is more important than the name.
    let updating = [
      Form(phrases: first + shortSince + remedy, nameColumns: short),
      Form(phrases: first + shortSince + [blank, mark], nameColumns: short),
      Form(phrases: first + [blank, mark], nameColumns: short),
    ]
    let cut = [blank, mark].filter { _ in card.isUpdating }
    // What comes before a colon says what has happened; what follows says why, and is omitted before that.
    let colon = what.string.hasPrefix(Self.nothingSaid) ? nil : what.string.firstRange(of: ": ")
    let end = colon?.lowerBound ?? what.string.endIndex
    let brief: [Phrase] = [first[0], (SafeText(" \(what.string[..<end])"), loud)]
    let briefAndMore = TextLine(brief[1].text).width + Self.someOfReason
    // Cards are told apart by their names, so that these are cut last.
    let unshortened =
      card.isUpdating
      ? [first + shortSince + remedy, first + shortSince + [blank, mark], first + [blank, mark]]
      : [first + since, first + shortSince, first]
    let whole =
      unshortened.map { Form(phrases: $0) } + [
        Form(phrases: first + shortSince + cut, cut: (1, briefAndMore)),
        Form(phrases: brief + shortSince + cut), Form(phrases: brief + cut),
        Form(phrases: first + shortSince + cut, cut: (1, Self.shortMessage)),
        Form(phrases: first + cut, cut: (1, Self.someOfReason)),
        Form(phrases: [first[0]] + cut), Form(phrases: [first[0]]),
      ]
    let usual = Self.usualName
    let isShort = TextLine(card.name).width <= Self.wholeName
    return full + (isShort ? whole : [])
      + (card.isUpdating ? updating : [Form(phrases: first + since)]) + [
        Form(phrases: first + shortSince, nameColumns: short),
        Form(phrases: first, nameColumns: short),
        Form(phrases: first + shortSince + cut, nameColumns: usual, cut: (1, briefAndMore)),
        Form(phrases: first + shortSince + cut, nameColumns: short, cut: (1, briefAndMore)),
        Form(phrases: brief + shortSince + cut, nameColumns: short),
        Form(phrases: brief + cut, nameColumns: short),
        Form(phrases: first + shortSince + cut, nameColumns: usual, cut: (1, Self.usualMessage)),
        Form(phrases: first + shortSince + cut, nameColumns: short, cut: (1, Self.shortMessage)),
        Form(phrases: first + cut, nameColumns: short, cut: (1, 4)),
        Form(phrases: [first[0]], nameColumns: short),
      ]
  }

  /// The longest form that fits, or nothing.
  ///
  /// - Parameters:
  ///   - columns: The columns for the text and the name together.
  ///   - nameWidth: The columns of the whole name.
  /// - Returns: The parts from left to right.
  func fitting(_ columns: Int, besideName nameWidth: Int) -> [CardHeading.Part] {
    for form in forms {
      let room = columns - min(nameWidth, form.nameColumns ?? nameWidth)
      var parts = form.phrases.map { CardHeading.Part(line: TextLine($0.text), style: $0.style) }
      let width = parts.reduce(0) { $0 + $1.line.width }
      if width <= room { return width == 0 ? [] : parts }
      guard let cut = form.cut else { continue }
      let rest = room - (width - parts[cut.phrase].line.width)
      guard rest >= cut.columns else { continue }
      parts[cut.phrase].line = parts[cut.phrase].line.truncated(to: rest, glyphSet: glyphs)
      return parts
    }
    return []
  }
}
