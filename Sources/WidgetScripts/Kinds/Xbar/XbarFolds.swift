/// The identifiers of the submenus of a plugin, which decide whether one stays open when the menu comes again.
///
/// The labels of menus often contain numbers that change. A submenu is therefore the same as before if it has
/// the same label; and of those that are left, the one at the same place of the menu above it, or the next
/// one if no other came or went.
struct XbarFolds {
  /// The submenus of one menu.
  private struct Menu {
    var labels: [String] = []
    /// The places in the menu, in the same order.
    var places: [Int] = []
    var identifiers: [String] = []
  }

  /// The menus as they are now, by the identifiers of their submenus; the outermost has none.
  private var menus: [String: Menu] = [:]
  /// Those of the output that is being read.
  private var next: [String: Menu] = [:]

  /// Begins a menu that comes again.
  mutating func begin() {
    next = [:]
  }

  /// Ends it: what it does not have is forgotten.
  mutating func end() {
    menus = next
    next = [:]
  }

  /// Finds the identifiers of the submenus in a menu.
  ///
  /// - Parameters:
  ///   - submenus: Their labels and their places in the menu, from above.
  ///   - parent: The identifier of the menu.
  /// - Returns: The identifiers in the same order, each different.
  mutating func identifiers(
    of submenus: [(label: String, place: Int)],
    in parent: String
  ) -> [String] {
    let known = menus[parent] ?? Menu()
    var found = [String?](repeating: nil, count: submenus.count)
    var isTaken = Array(repeating: false, count: known.labels.count)
    func take(_ index: Int, _ condition: (Int) -> Bool) {
      guard found[index] == nil,
        let old = known.labels.indices.first(where: { !isTaken[$0] && condition($0) })
      else { return }
      found[index] = known.identifiers[old]
      isTaken[old] = true
    }
    for index in submenus.indices { take(index) { known.labels[$0] == submenus[index].label } }
    for index in submenus.indices { take(index) { known.places[$0] == submenus[index].place } }
    if found.count(where: { $0 == nil }) == isTaken.count(where: { !$0 }) {
      for index in submenus.indices { take(index) { _ in true } }
    }
    var used = Set(found.compactMap(\.self))
    let identifiers = submenus.indices.map { index in
      if let old = found[index] { return old }
      var name = "\(parent)/\(submenus[index].place) \(submenus[index].label)"
      while !used.insert(name).inserted { name += "'" }
      return name
    }
    next[parent] = Menu(
      labels: submenus.map(\.label),
      places: submenus.map(\.place),
      identifiers: identifiers
    )
    return identifiers
  }
}
