import WidgetKitCore

/// The elements of a picture, found by the names that tests have for them.
struct ShownElements {
  /// What can be pressed, from top to bottom.
  let targets: [PressTarget]

  /// An element that can be pressed.
  ///
  /// - Parameters:
  ///   - name: The `id` of the element, its action, its link or its label, in this order.
  ///   - opensLinks: Whether links are opened there; where they are not, none is meant.
  /// - Returns: The element.
  /// - Throws: ``HarnessFailure`` if there is none, with the names of those that there are.
  func pressable(_ name: String, opensLinks: Bool = true) throws(HarnessFailure) -> PressTarget {
    let links = targets.map { opensLinks ? $0.link : nil }
    let index =
      targets.firstIndex { $0.elementID == name } ?? targets.firstIndex { $0.action == name }
      ?? links.firstIndex { $0 == name } ?? targets.firstIndex { $0.label.string == name }
    guard let index, opensLinks || targets[index].action != nil else {
      let names = zip(targets, links).map { $0.elementID ?? $0.action ?? $1 ?? $0.label.string }
      throw HarnessFailure("nothing “\(name)” can be pressed", thereIs: names)
    }
    return targets[index]
  }

  /// A field with an `id`.
  ///
  /// - Throws: ``HarnessFailure`` if there is none, with the names of those that there are.
  func field(_ name: String) throws(HarnessFailure) -> PressTarget {
    let fields = targets.compactMap { target in
      if case .field(let field) = target.role { (field.id ?? field.key, target) } else { nil }
    }
    guard let found = fields.first(where: { $0.0 == name }) else {
      throw HarnessFailure("there is no field “\(name)”", thereIs: fields.map(\.0))
    }
    return found.1
  }

  /// A row of a list with an `id`.
  ///
  /// - Throws: ``HarnessFailure`` if there is none, with the names of those that there are.
  func row(_ name: String) throws(HarnessFailure) -> PressTarget {
    let rows = targets.compactMap { target in
      if case .row(let row) = target.role { (row.row, target) } else { nil }
    }
    guard let found = rows.first(where: { $0.0 == name }) else {
      throw HarnessFailure("there is no row “\(name)”", thereIs: rows.map(\.0))
    }
    return found.1
  }
}
