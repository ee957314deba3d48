import FoundationEssentials
import WidgetHost
import WidgetKitCore

/// What lies on a card's upper border: its name, and what there is to say about its content.
nonisolated struct CardHeading: Hashable, Sendable {
  /// Words of one look.
  struct Part: Hashable, Sendable {
    var line: TextLine
    var style: CellStyle
  }

  /// The name, as much of it as there is room for.
  let name: TextLine
  /// State and age, from left to right; empty where there is no room.
  let parts: [Part]
  /// Columns of all parts together.
  let partsWidth: Int

  /// Composes the heading of `card` for a border with `columns` cells between its corners.
  ///
  /// Trouble says what, then since when, then what a press does; from the end it says less where
  /// the border is short. The name goes last.
  init(_ card: Card, columns: Int, now: Date, glyphs: GlyphSet) {
    let full = TextLine(card.name)
    // A blank on both sides of the name and of the parts, and a piece of border between them.
    let padding = 5
    let nameRoom = max(0, columns - 2)
    let words = Words(card, now: now, glyphs: glyphs)
    let room = columns - padding - min(full.width, max(8, nameRoom - padding - words.shortest))
    let parts = words.fitting(room)
    let width = parts.reduce(0) { $0 + $1.line.width }
    name = full.truncated(
      to: parts.isEmpty ? nameRoom : max(0, columns - padding - width),
      glyphSet: glyphs
    )
    self.parts = parts
    partsWidth = width
  }

  /// What may be said on the right, in its longer and shorter forms.
  private struct Words {
    private typealias Phrase = (text: SafeText, style: CellStyle)

    private var candidates: [[Phrase]] = []
    private let glyphs: GlyphSet

    init(_ card: Card, now: Date, glyphs: GlyphSet) {
      self.glyphs = glyphs
      let frame = FrameGlyphs(glyphs)
      let quiet = CellStyle(foreground: .secondary)
      var arrow: [Phrase] = []
      if card.offersExpanded {
        arrow.append((card.displayMode == .compact ? frame.more : frame.less, quiet))
      }
      let gap: [Phrase] = arrow.isEmpty ? [] : [(SafeText("  "), quiet)]
      let age = card.contentDate.map { date in
        let isCurrent = card.isKeptCurrent && !card.isInTrouble
        return AgeWording.words(for: isCurrent ? 0 : now.timeIntervalSince(date))
      }

      if let cue = card.pressCue {
        candidates = [[(cue, CellStyle(foreground: .accent))] + gap + arrow]
      } else if card.isInTrouble {
        candidates = Self.trouble(card, age: age, frame: frame, tail: gap + arrow)
      } else if let age {
        let words: [Phrase] = [(age, quiet)]
        candidates = [words + gap + arrow, words, arrow]
      } else {
        candidates = [arrow]
      }
    }

    /// What is wrong, since when, and what a press does.
    private static func trouble(
      _ card: Card,
      age: SafeText?,
      frame: FrameGlyphs,
      tail: [Phrase]
    ) -> [[Phrase]] {
      let quiet = CellStyle(foreground: .secondary)
      let loud = CellStyle(foreground: card.state == .stopped ? .red : .orange)
      // Without a picture the message stands in its place, and need not be said twice.
      guard card.view != nil else {
        let retry: Phrase = (SafeText(" retry"), CellStyle(foreground: .accent))
        return card.state == .starting
          ? [[(frame.warning, loud)]]
          : [
            [(frame.warning, loud), retry], [(frame.warning, loud)],
          ]
      }
      let old: SafeText? = age.flatMap { $0 == "now" ? nil : SafeText("\($0) old") }
      let what: SafeText? =
        card.message?.onOneLine ?? (card.state == .stopped ? SafeText("stopped") : old)
      let sign: Phrase = (frame.warning, loud)
      let dot: Phrase = (SafeText(" \(frame.dot) "), quiet)
      var first = [sign]
      if let what { first.append((SafeText(" \(what)"), loud)) }
      var since: [Phrase] = []
      if let old, old != what { since = [dot, (old, quiet)] }
      var retry: [Phrase] = []
      if card.state != .starting {
        retry = [dot, (SafeText("retry"), CellStyle(foreground: .accent))]
      }
      var result = [first + since + retry + tail, first + since + retry, first + retry, first]
      if let old, old != what { result.append([sign, (SafeText(" \(old)"), quiet)]) }
      result.append([sign])
      return result
    }

    /// The width of the least that can be said.
    var shortest: Int {
      candidates.last.map { $0.reduce(0) { $0 + TextLine($1.text).width } } ?? 0
    }

    /// The longest form that fits in `columns`, or nothing.
    func fitting(_ columns: Int) -> [Part] {
      for candidate in candidates {
        let parts = candidate.map { Part(line: TextLine($0.text), style: $0.style) }
        let width = parts.reduce(0) { $0 + $1.line.width }
        if width <= columns { return width == 0 ? [] : parts }
        // A long message is cut rather than left out, as long as some words of it stay.
        if columns >= 16, parts.count == 2, parts[0].line.width == 1 {
          let rest = parts[1].line.truncated(to: columns - 1, glyphSet: glyphs)
          return [parts[0], Part(line: rest, style: parts[1].style)]
        }
      }
      return []
    }
  }
}

nonisolated extension Card {
  /// Whether there is more to say of it than its age.
  var isInTrouble: Bool {
    message != nil || isStale || state == .failed || state == .stopped
  }
}
