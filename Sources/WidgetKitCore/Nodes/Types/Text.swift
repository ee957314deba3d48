public import FoundationEssentials

/// Text, or a date that the host keeps up to date.
///
/// Texts with different looks are joined by `+`:
/// ```swift
/// Text("12 °C").bold() + Text(" and rain").foregroundStyle(.secondary)
/// ```
public struct Text: ElementView {
  private enum Run {
    case span(TextSpan)
    case moment(DateContent, TextStyle)
  }

  private var runs: [Run]
  private var lineLimit: Int?
  private var truncation = Truncation.tail
  private var alignment = Alignment.leading
  private var size = TextSize.regular

  /// Creates a text; control characters and the like are removed.
  public init(_ words: some StringProtocol) {
    runs = [.span(TextSpan(SafeText(String(words))))]
  }

  /// Creates a text of `date`, which the host keeps up to date while the widget is suspended.
  ///
  /// - Parameters:
  ///   - date: The time.
  ///   - style: How it is written.
  ///   - timeZone: A name of the tz database such as `Asia/Tokyo`; nil for the user's zone.
  public init(_ date: Date, style: DateDisplay, timeZone: String? = nil) {
    runs = [.moment(DateContent(date: date, display: style, timeZone: timeZone), .inherited)]
  }

  /// Creates a clock: a text of the present time, which the host keeps ticking.
  ///
  /// - Parameters:
  ///   - source: `.currentDate`.
  ///   - style: How it is written.
  ///   - timeZone: A name of the tz database such as `Asia/Tokyo`; nil for the user's zone.
  public init(_ source: TimeDataSource, style: DateDisplay, timeZone: String? = nil) {
    runs = [.moment(DateContent(date: nil, display: style, timeZone: timeZone), .inherited)]
  }

  /// Joins two texts, each with its own style.
  public static func + (first: Text, second: Text) -> Text {
    var joined = first
    joined.runs += second.runs
    return joined
  }

  /// The text as one element.
  public var nodes: [ViewNode] {
    let spans = runs.compactMap { run in
      if case .span(let span) = run { span } else { nil }
    }
    if spans.count == runs.count { return [textNode(spans)] }
    let parts = runs.map { run in
      switch run {
      case .span(let span): textNode([span])
      case .moment(let content, let style): Self.dateNode(content, style)
      }
    }
    if parts.count == 1 { return parts }
    return [ViewNode(.hstack(StackContent(children: parts, spacing: 0)))]
  }

  /// The text without dates.
  var plain: SafeText {
    SafeText(
      runs.map { run in
        if case .span(let span) = run { span.text.string } else { "" }
      }
      .joined()
    )
  }

  private func textNode(_ spans: [TextSpan]) -> ViewNode {
    let single = spans.count == 1 ? spans.first : nil
    var content = TextContent(
      spans: single.map { [TextSpan($0.text)] } ?? spans,
      lineLimit: lineLimit,
      truncation: truncation,
      alignment: alignment
    )
    content.size = size
    var node = ViewNode(.text(content))
    if let single {
      node.style = single.style
      node.link = single.link
      node.action = single.action
    }
    return node
  }

  private static func dateNode(_ content: DateContent, _ style: TextStyle) -> ViewNode {
    var node = ViewNode(.date(content))
    node.style = style
    return node
  }
}

/// A source of dates for a text that is kept up to date.
public struct TimeDataSource: Sendable {
  /// The present time.
  public static let currentDate = TimeDataSource()
}

extension Text {
  /// Bold.
  public func bold() -> Text { styled { $0.bold = true } }

  /// Dim.
  public func dim() -> Text { styled { $0.dim = true } }

  /// Slanted, if the terminal supports it.
  public func italic() -> Text { styled { $0.italic = true } }

  /// A line below.
  public func underline() -> Text { styled { $0.underline = true } }

  /// A line through the middle, if the terminal supports it.
  public func strikethrough() -> Text { styled { $0.strikethrough = true } }

  /// The colour of the text.
  public func foregroundStyle(_ color: Color) -> Text { styled { $0.foreground = color } }

  /// A URL that a press on the text opens.
  public func link(_ url: String) -> Text {
    changed { span in span.link = url }
  }

  /// A name that a press on the text sends to the widget.
  public func action(_ name: String) -> Text {
    changed { span in span.action = name }
  }

  /// At most `rows` rows; nil for as many as it needs.
  public func lineLimit(_ rows: Int?) -> Text {
    with { $0.lineLimit = rows }
  }

  /// Shows a number at the beginning of the text in two rows, where there is room: for the one that a card has to say.
  public func textSize(_ size: TextSize) -> Text {
    with { $0.size = size }
  }

  /// Which part of a line is omitted if it is too long.
  public func truncationMode(_ mode: Truncation) -> Text {
    with { $0.truncation = mode }
  }

  /// The alignment of the lines in the text's frame.
  public func multilineTextAlignment(_ alignment: Alignment) -> Text {
    with { $0.alignment = alignment }
  }

  private func with(_ change: (inout Text) -> Void) -> Text {
    var text = self
    change(&text)
    return text
  }

  private func styled(_ change: (inout TextStyle) -> Void) -> Text {
    with { text in
      text.runs = runs.map { run in
        switch run {
        case .span(var span):
          change(&span.style)
          return .span(span)
        case .moment(let content, var style):
          change(&style)
          return .moment(content, style)
        }
      }
    }
  }

  private func changed(_ change: (inout TextSpan) -> Void) -> Text {
    with { text in
      text.runs = runs.map { run in
        guard case .span(var span) = run else { return run }
        change(&span)
        return .span(span)
      }
    }
  }
}
