/// A bar or a large number of a view, which can show another value in the same cells.
package struct ShownFigure: Hashable, Sendable {
  /// What it shows, and how.
  package enum Form: Hashable, Sendable {
    case bar(GaugeBar)
    case number(LargeNumber)

    /// What is drawn, from the upper to the lower row.
    var rows: [[Cell]] {
      switch self {
      case .bar(let bar): [bar.cells]
      case .number(let number): number.rows
      }
    }

    /// Whether another one is drawn in the same way.
    package func looksLike(_ other: Form) -> Bool { self == other || rows == other.rows }

    /// The figure part of the way from another one; nil if there is no way.
    fileprivate func between(_ old: Form, part: Double) -> Form? {
      switch (old, self) {
      case (.bar(let old), .bar(let bar)): .bar(bar.between(old, part: part))
      case (.number(let old), .number(let number)):
        number.between(old, part: part).map { .number($0) }
      case (.bar, .number), (.number, .bar): nil
      }
    }
  }

  /// What the same figure has in another view.
  package struct Identity: Hashable, Sendable {
    /// The nearest element with an `id`.
    var element: String?
    /// The text before it without its digits.
    var name: String?
    /// Which one it is of those with that element and name.
    var number: Int
  }

  /// What the same figure has in another view.
  package let key: Identity
  /// What it shows.
  package fileprivate(set) var form: Form
  /// The first of the runs that show it, one for each row.
  package let run: Int

  init(key: Identity, form: Form, run: Int) {
    (self.key, self.form, self.run) = (key, form, run)
  }
}

extension LaidOutView {
  /// The view with its figures part of the way from others to their own values.
  ///
  /// - Parameters:
  ///   - old: What the figures showed; those without an old form show their own.
  ///   - part: 0 for the old values, 1 for its own.
  /// - Returns: The view.
  package func gliding(from old: [ShownFigure.Identity: ShownFigure.Form], part: Double)
    -> LaidOutView
  {
    var view = self
    for index in view.figures.indices {
      let figure = view.figures[index]
      guard let before = old[figure.key], let form = figure.form.between(before, part: part) else {
        continue
      }
      let rows = form.rows
      let places = figure.run..<figure.run + rows.count
      guard view.runs.indices.contains(places.lowerBound), places.upperBound <= view.runs.count,
        zip(places, rows).allSatisfy({ view.runs[$0].cells.count == $1.count })
      else { continue }
      view.figures[index].form = form
      for (place, cells) in zip(places, rows) { view.runs[place].cells = cells }
    }
    return view
  }
}
