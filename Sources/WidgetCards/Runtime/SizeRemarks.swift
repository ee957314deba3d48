import WidgetKitCore

/// What the log says of the sizes that one process asks for: each remark once.
struct SizeRemarks {
  /// The sizes of a card and of its content.
  struct Sizes {
    /// The rows that the widget asks for.
    var wantedRows: Int
    /// The size that was granted.
    var granted: Size
    /// The most rows that the card may have now.
    var maximumRows: Int
    /// Whether the compact form determines the height.
    var isFixed: Bool
    /// How many rows of the view are cut off.
    var rowsCut: Int
    /// The columns without which a part of the view is cut off.
    var neededColumns: Int
  }

  private enum Remark: Hashable {
    case clamped
    case rowsCut
    case columnsCut
    case late
  }

  private var said: Set<Remark> = []
  /// When the process has shown its first picture; nil before that, and when it has shown another one.
  private var onlyPicture: ContinuousClock.Instant?
  private var hasShownPicture = false

  /// How long after the first picture a height still counts as one that came with it.
  private static let patience: Duration = .milliseconds(100)

  /// Whether everything was said that ``remarks(on:)`` could say.
  var isExhausted: Bool { said.isSuperset(of: [.clamped, .rowsCut, .columnsCut]) }

  /// The lines for the log about what cannot be granted or does not fit.
  mutating func remarks(on sizes: Sizes) -> [SafeText] {
    var lines: [SafeText] = []
    let (granted, wanted) = (sizes.granted, sizes.wantedRows)
    if granted.rows < wanted, say(.clamped) {
      let reason =
        sizes.isFixed
        ? "the compact form of a card has \(granted.rows)"
        : "a card has at most \(sizes.maximumRows)"
      lines.append("asked for \(wanted) rows, granted \(granted.rows): \(SafeText(reason))")
    }
    if sizes.rowsCut > 0, !sizes.isFixed, say(.rowsCut) {
      lines.append(
        "the view does not fit into its frame of \(granted.rows) rows: \(sizes.rowsCut) are cut off"
      )
    }
    if sizes.neededColumns > granted.columns, say(.columnsCut) {
      lines.append(
        SafeText(
          "the view needs at least \(sizes.neededColumns) columns, its frame has "
            + "\(granted.columns): what does not fit is cut off"
        )
      )
    }
    return lines
  }

  private mutating func say(_ remark: Remark) -> Bool { said.insert(remark).inserted }

  /// A view of the process is on the screen; `isOther`: it differs from the one before.
  mutating func pictureDidShow(isOther: Bool, at now: ContinuousClock.Instant) {
    if !hasShownPicture {
      hasShownPicture = true
      onlyPicture = now
    } else if isOther {
      onlyPicture = nil
    }
  }

  /// The line for the log when a message without a view has changed the height to `rows` and the
  /// first picture of the process is still shown; nil if that is no fault, or was said before.
  mutating func lateHeight(
    _ rows: Int,
    lastPress: ContinuousClock.Instant?,
    at now: ContinuousClock.Instant
  ) -> SafeText? {
    guard let onlyPicture, onlyPicture.duration(to: now) >= Self.patience,
      lastPress.map({ $0 < onlyPicture }) ?? true, say(.late)
    else { return nil }
    return SafeText(
      "late height: \(rows) rows were stated after the first picture, and its content has not changed; "
        + "state the height together with the first view"
    )
  }
}
