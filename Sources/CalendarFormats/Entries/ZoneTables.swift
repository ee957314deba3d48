import WidgetKitCore

/// The changes of the zones that a file defines, computed once for each.
struct ZoneTables {
  /// The last day for which they are computed.
  let last: CivilDate

  private var known: [ZoneDefinition: ZoneDefinition.Table] = [:]

  /// Computes nothing yet.
  init(through last: CivilDate) {
    self.last = last
  }

  /// The changes of one zone; a file has its zones whatever its entries cost.
  mutating func table(of definition: ZoneDefinition) -> ZoneDefinition.Table {
    if let table = known[definition] { return table }
    var budget = RecurrenceBudget(units: RecurrenceBudget.ofFile)
    let table = definition.table(through: last, budget: &budget)
    known[definition] = table
    return table
  }
}
