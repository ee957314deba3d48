import WidgetKitCore

/// Looks at the terminal: characters, colours, mouse, and what it answers.
nonisolated struct TerminalDiagnosis {
  let facts: TerminalFacts

  /// What there is to say.
  var findings: [Finding] {
    [kind, characters, colors, mouse] + answers + widths
  }

  private var kind: Finding {
    if facts.kind.canDraw, !facts.isDescribed {
      return Finding(
        .terminal,
        .wrong,
        "TERM is “\(facts.kind.name)”, of which this system has no description",
        advice: TerminalAdvice.remedy(forUnknown: facts.kind.name)
      )
    }
    return facts.kind.canDraw
      ? Finding(.terminal, .ok, "TERM is \(facts.kind.name)")
      : Finding(
        .terminal,
        .wrong,
        "TERM is “\(facts.kind.name)”, a terminal that cannot position text",
        advice: "use another terminal, or “today snapshot”"
      )
  }

  private var characters: Finding {
    facts.isUTF8
      ? Finding(.terminal, .ok, "the locale has UTF-8")
      : Finding(
        .terminal,
        .warning,
        "the locale has no UTF-8, so that lines and bars are drawn in ASCII",
        advice: "set LANG, for example to C.UTF-8"
      )
  }

  private var colors: Finding {
    switch facts.depth {
    case .full: Finding(.terminal, .ok, "colours of 24 bits")
    case .palette:
      Finding(
        .terminal,
        .ok,
        "256 colours",
        advice: "if the terminal has colours of 24 bits, set COLORTERM=truecolor"
      )
    case .sixteen, .eight: Finding(.terminal, .ok, "\(facts.depth.rawValue) colours")
    case .none where facts.kind.refusesColors:
      Finding(.terminal, .ok, "no colours, because NO_COLOR is set")
    case .none where !facts.isDescribed:
      Finding(.terminal, .warning, "no colours, because the terminal has no description")
    case .none:
      Finding(.terminal, .warning, "no colours", advice: "set TERM to the name of the terminal")
    }
  }

  private var mouse: Finding {
    guard facts.kind.takesMouse else {
      let words = "the mouse is not used, because GNU screen would keep Esc back until the next key"
      return Finding(.terminal, .ok, words)
    }
    return facts.hasMouse
      ? Finding(.terminal, .ok, "the mouse is reported")
      : Finding(.terminal, .warning, "the mouse is not reported", advice: "use the keys instead")
  }

  private var answers: [Finding] {
    guard let modes = facts.modes else {
      return [
        Finding(
          .terminal,
          .warning,
          "the terminal did not answer within a second, so that the rest was not checked",
          advice: "nothing needs to be done; the page does not wait for its answers"
        )
      ]
    }
    let names = [
      (2026, "whole frames (synchronized output)"), (1004, "reports of the focus"),
      (2031, "reports of changed colours"), (1006, "reports of the mouse in all columns"),
    ]
    return names.map { number, words in
      Finding(.terminal, .ok, "\(words): \(modes[number] == true ? "yes" : "no")")
    }
  }

  private var widths: [Finding] {
    guard facts.isUTF8, !facts.widths.isEmpty else { return [] }
    let wrong = TerminalFacts.samples.compactMap { sample -> Finding? in
      guard let width = facts.widths[sample.name], width != sample.columns else { return nil }
      return Finding(
        .terminal,
        .warning,
        "\(sample.name) “\(sample.text)” take \(width) cells, expected \(sample.columns)",
        advice: sample.name == "emoji" || sample.name == "wide" || sample.name == "accents"
          ? "text with such characters will not be aligned"
          : "set ambiguous characters to narrow in the terminal, or glyphs: \"ascii\" in config.json"
      )
    }
    return wrong.isEmpty
      ? [Finding(.terminal, .ok, "all characters have the width that the page expects")] : wrong
  }
}
